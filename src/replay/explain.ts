import type { SwapVerdict } from '../../machines/swap-verdict.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { Millis, UnixSeconds } from '../primitives/time.ts';
import { auditedSwap } from './audit/swap-view.ts';
import { cutAfter } from './cut-log.ts';
import { adviceOf } from './explain/advice.ts';
import { chainAmounts } from './explain/chain-amounts.ts';
import { type ExplainedError, explainedErrors } from './explain/errors.ts';
import { isConfirmed, lacksSecret, strayPayment } from './explain/evidence.ts';
import { type ExplainFacts, legsOf } from './explain/facts.ts';
import { type ForeignSpend, foreignSpend } from './explain/foreign-spend.ts';
import { fundsSentences, nextSentences } from './explain/funds.ts';
import { kdfSentences } from './explain/kdf.ts';
import { type PaymentEnd, paymentEnd } from './payment-ends.ts';
import { type ReplayedSwap, replaySwap } from './swaps.ts';
import { traceSwap } from './trace.ts';

export type ExplainOptions = {
  /** Position of the last event to take into account, from 0: the swap as if its node had stopped there. @defaultValue the last one */
  readonly upTo?: number;
  /** Seconds UTC. With it, sentences say how long ago or how soon; without it, nothing depends on a clock. */
  readonly now?: UnixSeconds;
  /**
   * Whether the log lacks the secret that a maker's claim needs; for a log whose secrets were removed for display. @defaultValue as the log has it
   */
  readonly secretMissing?: boolean;
};

/** One event of a log in a sentence. */
export type ExplainedEvent = {
  readonly seq: number;
  readonly at: Millis;
  /** Milliseconds since the event before it; null for the first. Negative if the log goes back in time. */
  readonly after: number | null;
  readonly type: string;
  readonly sentence: string;
};

/** What a log says, in sections of plain sentences for a reader who does not know the protocol. */
export type Explanation = Pick<ReplayedSwap, 'uuid' | 'role' | 'state' | 'outcome' | 'kdf' | 'anomalies'> & {
  /** One sentence: what the swap is, and its state. */
  readonly headline: string;
  /** Position of the last event taken into account, and how many the log has. */
  readonly upTo: number;
  readonly of: number;
  readonly happened: readonly ExplainedEvent[];
  /** The errors that the log states, each with what it means and what to do about it. */
  readonly errors: readonly ExplainedError[];
  /** Who holds what on which chain, who can move it, from when and until when. */
  readonly funds: readonly string[];
  readonly next: readonly string[];
  /** What a person should do. */
  readonly advice: readonly string[];
  /** Who moves what is still open: a running node automatically, or a person; nobody if nothing is. */
  readonly waitsFor: 'node' | 'person' | 'nobody';
  /**
   * The claim or the refund of each payment, and how far the log supports it: its bytes may deny it. Null for a payment that has not ended according
   * to the log.
   */
  readonly ends: { readonly makerPayment: PaymentEnd | null; readonly takerPayment: PaymentEnd | null };
  /** What the real node derives from the log, and where and why this explanation differs from it. */
  readonly realNode: readonly string[];
};

/**
 * Explains a log, or what it said after the event at `upTo`. Never throws for what the log says.
 *
 * @throws RangeError if `upTo` is not a position in the log.
 *
 * @example
 * ```ts
 * import { explainSwap } from 'swapfold';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const amounts = { maker: '2.4', taker: '0.15' };
 * const log = buildSwap({ role: 'taker', path: successPath('taker'), amounts });
 * const { headline, waitsFor } = explainSwap(log, { upTo: 7 });
 * headline; // → "A taker's swap of 0.15 MARTY for 2.4 DOC: it is under way."
 * waitsFor; // → 'node'
 * ```
 */
export function explainSwap(log: SwapLog, { upTo, now, secretMissing }: ExplainOptions = {}): Explanation {
  const last = log.events.length - 1;
  if (upTo !== undefined && !(Number.isInteger(upTo) && upTo >= 0 && upTo <= last)) {
    throw new RangeError(`not a position of a log with ${log.events.length} events: ${upTo}`);
  }
  const cut = upTo === undefined || upTo === last ? log : cutAfter(log, upTo);
  const replayed = replaySwap(cut);
  const { uuid, role, state, outcome, kdf, anomalies } = replayed;
  const errors = explainedErrors(cut);
  const missing = secretMissing ?? lacksSecret(cut);
  const told = { replayed, log: cut, view: auditedSwap(cut), errors, secretMissing: missing };
  const { makerPayment, takerPayment } = replayed.funds;
  const facts: ExplainFacts = now === undefined ? told : { ...told, now };
  const exact = chainAmounts(facts);
  return {
    uuid,
    role,
    headline: headlineOf(facts),
    state,
    outcome,
    kdf,
    upTo: cut.events.length - 1,
    of: log.events.length,
    happened: happenedIn(cut).map((event) => ({ ...event, sentence: exact(event.sentence) })),
    errors,
    funds: fundsSentences(facts),
    next: nextSentences(facts).map(exact),
    advice: adviceOf(facts).map(exact),
    waitsFor: waitsFor(facts),
    ends: {
      makerPayment: paymentEnd('maker', makerPayment, told),
      takerPayment: paymentEnd('taker', takerPayment, told),
    },
    anomalies,
    realNode: kdfSentences(facts),
  };
}

function waitsFor(facts: ExplainFacts): Explanation['waitsFor'] {
  const { outcome, next } = facts.replayed;
  if (outcome === 'funds-at-risk' || next?.who === 'operator' || hasStray(facts)) return 'person';
  if (legsOf(facts).some((leg) => foreignSpend(leg, facts) !== null)) return 'person';
  return next === null ? 'nobody' : 'node';
}

function hasStray(facts: ExplainFacts): boolean {
  return strayPayment(legsOf(facts)[0], facts) !== null;
}

const STANDING: Readonly<Record<SwapVerdict['outcome'], string>> = {
  'in-progress': 'it is under way',
  completed: 'it is completed',
  refunded: 'the payment came back',
  'failed-before-payment': 'it failed before its own side had locked anything',
  'claim-pending': 'the other payment is to be claimed',
  'refund-pending': 'the payment is to be refunded',
  lost: 'the other side has both payments, and these coins are lost',
  'funds-at-risk': 'it is closed, but coins may still be locked, and someone must act',
};

function headlineOf(facts: ExplainFacts): string {
  const [gives, gets] = legsOf(facts);
  const { role, outcome } = facts.replayed;
  const trade = gives.coin === null ? 'of unknown coins' : `of ${gives.text} for ${gets.text}`;
  return `A ${role}'s swap ${trade}: ${standingOf(facts, outcome)}.`;
}

/** An end counts as one if the log shows its confirmation. */
function standingOf(facts: ExplainFacts, outcome: SwapVerdict['outcome']): string {
  const [own, other] = legsOf(facts);
  for (const leg of [own, other]) {
    const foreign = foreignSpend(leg, facts);
    if (foreign !== null) return foreignStanding(foreign, leg.owner);
  }
  if (outcome === 'failed-before-payment' && hasStray(facts))
    return 'it holds a payment in a place where it cannot be read, and someone must look';
  if (outcome === 'completed' && !isConfirmed(other, facts))
    return 'its claim was broadcast, and the log shows no confirmation';
  if (outcome === 'refunded' && !isConfirmed(own, facts))
    return 'the refund was broadcast, and the log shows no confirmation';
  const until = facts.replayed.next?.until ?? null;
  if (outcome === 'in-progress' && until !== null && facts.now !== undefined && facts.now > until)
    return 'it was under way where the log ends, and the time of its next step has passed';
  return STANDING[outcome];
}

function foreignStanding({ kind }: ForeignSpend, owner: string): string {
  return `the transaction that it calls the ${kind} does not spend the ${owner} payment, and someone must look`;
}

function happenedIn(log: SwapLog): readonly ExplainedEvent[] {
  return traceSwap(log).map(({ seq, event, sentence }) => {
    const previous = log.events[seq - 1];
    const after = previous === undefined ? null : event.at - previous.at;
    return { seq, at: event.at, after, type: event.type, sentence };
  });
}
