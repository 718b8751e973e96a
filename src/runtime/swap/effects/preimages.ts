import type { DecimalText } from '../../../primitives/decimal.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { isWatchable } from '../side-inputs.ts';
import { ask, type Look, lastFault, type Proposal, type Turn } from '../turn.ts';

/** Whether watchers learn of the swap, if everything that they need can be made. */
export function needsPreimages({ journal, traits }: Turn): boolean {
  return isWatchable({ request: journal.request, traits });
}

/** Asks for what a watcher needs; after a fault the swap continues without it, as in the real node. */
export function askPreimages(turn: Turn, payment: { tx_hex: string; tx_hash: string }): Proposal {
  const { swap } = turn;
  const claim = askClaimPreimage(turn);
  if (claim !== null || swap.ownTerms === null || !isMissing(turn, 'refundPreimage')) return claim;
  const funding = { tx_hex: payment.tx_hex, tx_hash: payment.tx_hash };
  const request = { purpose: 'refundPreimage', terms: swap.ownTerms, funding } as const;
  return ask(turn, swap.own, { op: 'prepare', request, key: 'prepare:refundPreimage' });
}

function askClaimPreimage(turn: Turn): Proposal {
  const { swap } = turn;
  if (swap.otherTerms === null || swap.otherPayment === null || !isMissing(turn, 'claimPreimage')) return null;
  const request = { purpose: 'claimPreimage', terms: swap.otherTerms, funding: swap.otherPayment } as const;
  return ask(turn, swap.other, { op: 'prepare', request, key: 'prepare:claimPreimage' });
}

function isMissing(turn: Turn, purpose: 'claimPreimage' | 'refundPreimage'): boolean {
  const { swap, facts } = turn;
  if (swap.ownTerms === null || swap.otherTerms === null || swap.otherPayment === null) return false;
  const leg = purpose === 'claimPreimage' ? swap.other : swap.own;
  return !facts.prepared.has(purpose) && lastFault(turn, leg, `prepare:${purpose}`) === null;
}

/** The reward that a payment is to promise: null for what the gas costs now. Without this member it is a plain payment. */
export type PromisedReward = { readonly reward?: DecimalText | null };

const NOTHING = { value: {} };

/**
 * What the own payment promises to watchers. A maker promises what its taker asks for, and a taker what it costs; but nothing if no watcher could
 * claim for it, because the maker's payment is a plain one.
 */
export function promisedReward(turn: Turn): Look<PromisedReward> {
  const { swap, traits, facts } = turn;
  if (onLeg(traits, swap.own).rewards !== true || !needsPreimages(turn)) return NOTHING;
  if (swap.role === 'maker') return swap.rewardAsked === null ? NOTHING : { value: { reward: swap.rewardAsked } };
  const asked = askClaimPreimage(turn);
  if (asked !== null) return { pending: asked };
  return facts.prepared.has('claimPreimage') ? { value: { reward: null } } : NOTHING;
}
