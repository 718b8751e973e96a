import type { DecimalText } from '../src/primitives/decimal.ts';
import { formatUtc, type Millis, toUnixSeconds, type UnixSeconds } from '../src/primitives/time.ts';
import type { Deadline, MachineDefinition, MachineEvent, Want } from './definition.ts';
import type { JournalContext } from './journal/context.ts';
import type { SwapEffect } from './swap-effects.ts';
import { toldAmount } from './told-amount.ts';

/** The status of a swap, in a closed set. */
export type Outcome =
  /** No coins of the owner are locked yet, or the owner waits for the counterparty and everything is on time. */
  | 'in-progress'
  /** The owner received the other coin. */
  | 'completed'
  /** The owner's payment came back. */
  | 'refunded'
  /** The swap ended before the owner paid; at most the taker fee is gone. */
  | 'failed-before-payment'
  /** The owner can take the other payment and has not finished doing so. */
  | 'claim-pending'
  /** The owner's payment is on its way back, or waits for its lock. */
  | 'refund-pending'
  /** The log ended while coins of the owner were locked, or may have been: someone must act. */
  | 'funds-at-risk'
  /** The other side has both payments for good: nothing on the chains can bring the owner's coins back. */
  | 'lost';

export const OUTCOMES: readonly Outcome[] = [
  'in-progress',
  'completed',
  'refunded',
  'failed-before-payment',
  'claim-pending',
  'refund-pending',
  'funds-at-risk',
  'lost',
];

export type Party = 'maker' | 'taker';

/** A way in which a party can move a locked payment. */
export type Claim = {
  readonly by: Party;
  /** With the secret at any time, or by refund once the lock has passed. */
  readonly how: 'secret' | 'refund';
  /** Seconds UTC by the chain's own clock; null for at once. */
  readonly from: UnixSeconds | null;
  /** From then on, the other party can take the payment as well; null if no one else ever can. */
  readonly until: UnixSeconds | null;
};

/** Where one of the two payments is, as far as the log shows. */
export type LegFunds = {
  readonly coin: string | null;
  readonly amount: DecimalText | null;
  readonly status: 'none' | 'uncertain' | 'locked' | 'spent' | 'refunded';
  readonly tx: string | null;
  /** Who moved it, for spent and refunded. A watcher moves it on the party's behalf, to the party's address. */
  readonly by: Party | 'watcher' | null;
  readonly claimable: readonly Claim[];
};

export type SwapFunds = { readonly makerPayment: LegFunds; readonly takerPayment: LegFunds };

/** What happens next, or what a person has to do. */
export type NextStep = {
  readonly action: string;
  /** `engine`: a running node does it automatically; `operator`: it does not happen unless a person acts. */
  readonly who: 'engine' | 'operator';
  readonly notBefore: UnixSeconds | null;
  /** After this time the step is useless, or the other side can act first; the text says which. */
  readonly until: UnixSeconds | null;
  /** One plain sentence. */
  readonly text: string;
};

export type SwapVerdict = { readonly outcome: Outcome; readonly funds: SwapFunds; readonly next: NextStep | null };

/**
 * A swap's machine with what it can say about a folded log: state, context, and the journal of the engine that keeps
 * the log. A log from elsewhere has no journal; then only the public events count.
 */
export type SwapDefinition<C, E extends MachineEvent> = Omit<MachineDefinition<C, E>, 'wants' | 'deadlines'> & {
  readonly role: Party;
  readonly wants: (state: string, context: C, journal?: Readonly<JournalContext>) => readonly Want<SwapEffect>[];
  readonly deadlines: (state: string, context: C, journal?: Readonly<JournalContext>) => readonly Deadline[];
  readonly verdict: (state: string, context: C, journal?: Readonly<JournalContext>) => SwapVerdict;
  /** Facts of the log that cannot all be final, each as one plain sentence. */
  readonly contradictions: (context: C) => readonly string[];
};

/** Amount and coin for a sentence: `2.4 DOC`. */
export function amountText(leg: { readonly coin: string | null; readonly amount: DecimalText | null }): string {
  if (leg.coin === null) return 'an unknown amount';
  return `${leg.amount === null ? 'an unknown amount of' : toldAmount(leg.amount)} ${leg.coin}`;
}

type LegFacts = {
  readonly coin: string | null;
  readonly amount: DecimalText | null;
  readonly owner: Party;
  readonly lock: UnixSeconds | null;
  readonly tx: string | null;
  readonly uncertain: boolean;
  /** `doubtful`: the spend was broadcast, but its confirmation failed. */
  readonly spent: { readonly by: Party | 'watcher'; readonly tx: string | null; readonly doubtful?: boolean } | null;
  readonly refunded: { readonly by: Party | 'watcher'; readonly tx: string | null } | null;
  /** The claimant can take it immediately. */
  readonly secretKnown: boolean;
};

/** Derives the state of a payment, and who can move it until when, from the facts of a log. */
export function legFunds(facts: LegFacts): LegFunds {
  const { coin, amount, owner, lock, spent, refunded } = facts;
  // Plain literals: a spread costs a hundred times as much, which matters when a million logs are judged.
  if (refunded !== null) return { coin, amount, status: 'refunded', tx: refunded.tx, by: refunded.by, claimable: [] };
  if (spent !== null && spent.doubtful !== true) {
    return { coin, amount, status: 'spent', tx: spent.tx, by: spent.by, claimable: [] };
  }
  const uncertain = facts.uncertain || spent !== null;
  if (facts.tx === null && !uncertain) {
    return { coin, amount, status: 'none', tx: null, by: null, claimable: [] };
  }
  const claimant: Party = owner === 'maker' ? 'taker' : 'maker';
  const withSecret: Claim = { by: claimant, how: 'secret', from: null, until: lock };
  const refund: Claim = { by: owner, how: 'refund', from: lock, until: null };
  const claimable = facts.secretKnown ? [withSecret, refund] : [refund];
  return { coin, amount, status: uncertain ? 'uncertain' : 'locked', tx: spent?.tx ?? facts.tx, by: null, claimable };
}

/** From when on the owner of a payment can take it back before the other side claims it; true at any moment, since a stored swap may be years old. */
export function raceText(lock: UnixSeconds | null, owner: Party): string {
  if (lock === null) return '';
  return ` From ${formatUtc(lock)} on the ${owner} can refund it: after that, check first whether it is still there.`;
}

/** The next step of a running node, from what its machine wants; null if it wants nothing. */
export function engineStep(want: Want | undefined, describe: (effect: string) => string): NextStep | null {
  if (want === undefined) return null;
  const seconds = (at: Millis | undefined) => (at === undefined ? null : toUnixSeconds(at));
  const notBefore = seconds(want.notBefore);
  const end = seconds(want.until);
  const contested = seconds(want.contestedFrom);
  const from = notBefore === null ? '' : `, not before ${formatUtc(notBefore)}`;
  const to = end === null ? '' : `, until ${formatUtc(end)}`;
  const race = contested === null ? '' : `, best before ${formatUtc(contested)}, when the other side can take it too`;
  const text = `${describe(want.effect)}${from}${to}${race}.`;
  return { action: want.effect, who: 'engine', notBefore, until: end ?? contested, text };
}
