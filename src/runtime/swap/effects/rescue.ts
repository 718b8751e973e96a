import { everAccepted } from '../../../../machines/journal/context.ts';
import type { Fact, FoundSpend, LookUp, Recovery, RecoveryFacts } from '../../../../machines/recovery/facts.ts';
import { type RecoverableSwap, recoverFunds } from '../../../../machines/recovery/recover.ts';
import type { PaymentSpend, PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Leg } from '../../command.ts';
import { type Look, lookPayment, type Proposal, type Turn, wakeIn } from '../turn.ts';
import { bringBack, pushClaim } from './claim.ts';
import { ofAnotherSwap } from './own-things.ts';
import { paymentMissing, pushRefund } from './refund.ts';
import { isGone, refundIsHarmless } from './rule-out.ts';

/** What the recovery table decides once it knows what both chains show. */
export type Rescue = Exclude<Recovery, { readonly look: Fact }> | { readonly pending: Proposal };

const SILENT: LookUp<never> = { ok: false, error: 'no answer' };

/**
 * Asks the recovery table what to do for the owner of this swap, and the chains for what the table needs. A silent chain does not stop it from asking
 * the other, and a look that shows no payment is not an answer until it is certain that the payment is gone.
 */
export function rescueOf(turn: Turn): Rescue {
  const { swap, journal, traits } = turn;
  const of = { role: swap.role, context: turn.context } as RecoverableSwap;
  let facts: RecoveryFacts = {
    autoRefund: onLeg(traits, swap.own).refund === 'automatic',
    secretShown: everAccepted(journal, 'claim'),
  };
  for (;;) {
    const decision = recoverFunds(of, facts);
    if (!('look' in decision)) return decision;
    const known = factOf(turn, decision.look);
    if ('value' in known) facts = { ...facts, ...known.value };
    else if (known.pending !== null) return known;
    else facts = { ...facts, [decision.look]: SILENT };
  }
}

const yes = <T>(value: T): LookUp<T> => ({ ok: true, value });

function factOf(turn: Turn, fact: Fact): Look<RecoveryFacts> {
  const { swap, policy } = turn;
  const own = fact.startsWith('own') || fact === 'refundableFrom';
  // What belongs to another swap is not a payment of this one.
  if (!own && fact !== 'otherRefundable' && ofAnotherSwap(turn) !== null) return { value: { otherPayment: yes(null) } };
  const leg = own ? swap.own : swap.other;
  const look = lookPayment(turn, leg, policy.spendPoll);
  if ('pending' in look) return look;
  const view = look.value;
  if (fact === 'refundableFrom') {
    return { value: { refundableFrom: yes(view.refundable ? null : (swap.ownTerms?.lock ?? null)) } };
  }
  if (fact === 'otherRefundable') return { value: { otherRefundable: yes(view.refundable) } };
  if (view.funding === null && view.spend === null) return absentFact(turn, leg);
  if (fact === 'ownPayment' || fact === 'otherPayment') {
    // A spend without its funding: the chain keeps no history. The table needs a payment to continue.
    const tx = view.funding?.tx ?? { tx_hex: '', tx_hash: '' };
    return { value: { [fact]: yes({ tx_hex: tx.tx_hex, tx_hash: tx.tx_hash }) } };
  }
  // A refund of the other side can be undone until it is final.
  const open = !own && view.spend?.how === 'refund' && view.spend.confirmations < onLeg(turn.traits, leg).finality;
  if (open) return { pending: wakeIn(turn, policy.spendPoll) };
  return { value: { [fact]: yes(view.spend === null ? null : foundOf(view.spend)) } };
}

function absentFact(turn: Turn, leg: Leg): Look<RecoveryFacts> {
  const { swap, policy } = turn;
  const gone = isGone(turn, leg);
  if ('pending' in gone) return gone;
  if (gone.value) return { value: leg === swap.own ? { ownPayment: yes(null) } : { otherPayment: yes(null) } };
  wakeIn(turn, policy.spendPoll);
  return { pending: leg === swap.own ? null : bringBack(turn) };
}

function foundOf({ how, tx, secret }: PaymentSpend): FoundSpend {
  const { tx_hex, tx_hash } = tx ?? { tx_hex: '', tx_hash: '' };
  return { kind: how === 'secret' ? 'spent' : 'refunded', tx: { tx_hex, tx_hash }, secret };
}

/** Executes an action of the table. Null if it has to wait. */
export function act(turn: Turn, rescue: Rescue): Proposal {
  const { swap, policy } = turn;
  if (!('action' in rescue)) return 'pending' in rescue ? rescue.pending : wakeIn(turn, policy.refundPoll);
  if (rescue.action === 'spendOtherPayment') {
    const theirs = seenOf(turn, swap.other);
    if (theirs === null) return wakeIn(turn, policy.spendPoll);
    return pushClaim({ ...turn, swap: { ...swap, secret: rescue.secret } }, theirs);
  }
  const harmless = refundIsHarmless(turn);
  if ('pending' in harmless) return harmless.pending;
  const mine = seenOf(turn, swap.own);
  if (!harmless.value || mine === null) return wakeIn(turn, policy.spendPoll);
  if (mine.funding === null) return paymentMissing(turn);
  return pushRefund(turn, mine.funding.tx);
}

export function seenOf({ facts }: Turn, leg: Leg): PaymentView | null {
  return onLeg(facts.payments, leg)?.value ?? null;
}
