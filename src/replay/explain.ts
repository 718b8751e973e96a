import type { SwapVerdict } from '../../machines/swap-verdict.ts';
import type { Anomaly } from '../events/anomaly.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { Millis, UnixSeconds } from '../primitives/time.ts';
import { adviceOf } from './explain/advice.ts';
import { type ExplainFacts, legsOf } from './explain/facts.ts';
import { fundsSentences, nextSentences } from './explain/funds.ts';
import { kdfSentences } from './explain/kdf.ts';
import { type ReplayedSwap, replaySwap } from './swaps.ts';
import { traceSwap } from './trace.ts';

export type ExplainOptions = {
  /** Position of the last event to take into account, from 0: the swap as if its node had stopped there. @defaultValue the last one */
  readonly upTo?: number;
  /** Seconds UTC. With it, sentences tell how long ago or how soon; without it nothing depends on a clock. */
  readonly now?: UnixSeconds;
};

/** One event of a log in a sentence. */
export type ExplainedEvent = {
  readonly seq: number;
  readonly at: Millis;
  /** Milliseconds since the event before it; null for the first. Negative where the log goes back in time. */
  readonly after: number | null;
  readonly type: string;
  readonly sentence: string;
};

/** What a log says, in sections of plain sentences for a reader who does not know the protocol. */
export type Explanation = Pick<ReplayedSwap, 'uuid' | 'role' | 'state' | 'outcome' | 'kdf' | 'anomalies'> & {
  /** One sentence: what the swap is and how it stands. */
  readonly headline: string;
  /** Position of the last event taken into account, and how many the log has. */
  readonly upTo: number;
  readonly of: number;
  readonly happened: readonly ExplainedEvent[];
  /** Who holds what on which chain, who can move it, from when and until when. */
  readonly funds: readonly string[];
  readonly next: readonly string[];
  /** What a person should do. */
  readonly advice: readonly string[];
  /** What the real node derives from the log, and where and why this explanation differs from it. */
  readonly realNode: readonly string[];
};

/**
 * Explains a log, or what it said after the event at `upTo`. Never throws for what the log says.
 *
 * @throws RangeError where `upTo` is no position of the log.
 */
export function explainSwap(log: SwapLog, { upTo, now }: ExplainOptions = {}): Explanation {
  const last = log.events.length - 1;
  if (upTo !== undefined && !(Number.isInteger(upTo) && upTo >= 0 && upTo <= last)) {
    throw new RangeError(`not a position of a log with ${log.events.length} events: ${upTo}`);
  }
  const cut = upTo === undefined || upTo === last ? log : cutAfter(log, upTo);
  const replayed = replaySwap(cut);
  const { uuid, role, state, outcome, kdf, anomalies } = replayed;
  const facts = { replayed, log: cut, ...(now === undefined ? {} : { now }) };
  return {
    uuid,
    role,
    headline: headlineOf(facts),
    state,
    outcome,
    kdf,
    upTo: cut.events.length - 1,
    of: log.events.length,
    happened: happenedIn(cut),
    funds: fundsSentences(facts),
    next: nextSentences(facts),
    advice: adviceOf(facts),
    anomalies,
    realNode: kdfSentences(facts),
  };
}

function cutAfter(log: SwapLog, seq: number): SwapLog {
  const kept = (anomaly: Anomaly) => anomaly.seq === null || anomaly.seq <= seq;
  return { ...log, events: log.events.slice(0, seq + 1), anomalies: log.anomalies.filter(kept) };
}

const STANDING: Readonly<Record<SwapVerdict['outcome'], string>> = {
  'in-progress': 'it is under way',
  completed: 'it is completed',
  refunded: 'the payment came back',
  'failed-before-payment': 'it failed before its own side had locked anything',
  'claim-pending': 'the other payment is to be claimed',
  'refund-pending': 'the payment is to be refunded',
  'funds-at-risk': 'it is closed while coins are in the open, and somebody must act',
};

function headlineOf(facts: ExplainFacts): string {
  const [gives, gets] = legsOf(facts);
  const { role, outcome } = facts.replayed;
  const trade = gives.coin === null ? 'of unknown coins' : `of ${gives.text} for ${gets.text}`;
  return `A ${role}'s swap ${trade}: ${STANDING[outcome]}.`;
}

function happenedIn(log: SwapLog): readonly ExplainedEvent[] {
  return traceSwap(log).map(({ seq, event, sentence }) => {
    const previous = log.events[seq - 1];
    const after = previous === undefined ? null : event.at - previous.at;
    return { seq, at: event.at, after, type: event.type, sentence };
  });
}
