import { isJournalType, type JournalPayloads } from '../../../events/journal.ts';
import { type Pair, setOnLeg } from '../../../primitives/pair.ts';
import type { Millis } from '../../../primitives/time.ts';

/** A record as the log holds it. */
export type Stored = { readonly type: string; readonly at: Millis; readonly data: unknown };

/** A failure that the log holds. */
export type StoredFailure = { readonly event: string; readonly at: Millis; readonly error: string };

/** What one party's stored events say, read without its machine. */
export type Story = {
  /** When the last public event was stored; null before the first. */
  lastAt: Millis | null;
  readonly failures: StoredFailure[];
  /** What the last event of each type says. */
  readonly said: Map<string, unknown>;
  /** The latest record about each payment's end; null while there is none, or if it was undone. */
  readonly settled: {
    maker: JournalPayloads['PaymentSettled'] | null;
    taker: JournalPayloads['PaymentSettled'] | null;
  };
  /** Whether funds were recovered after the end: then the log has a second one. */
  recovered: boolean;
  /** What the engine had folded when its statements were last checked against this story; null if they must be checked again. */
  held: unknown;
  /** The same for recovery, with what the ledgers showed then; null before the first. */
  asked: { readonly position: unknown; readonly shown: string } | null;
};

export function emptyStory(): Story {
  const settled = { maker: null, taker: null };
  return { lastAt: null, failures: [], said: new Map(), settled, recovered: false, held: null, asked: null };
}

/** Reads one more record. */
export function readOn(story: Story, { type, at, data }: Stored): void {
  if (isJournalType(type)) {
    readJournal(story, type, data);
    return;
  }
  story.held = null;
  story.lastAt = at;
  story.said.set(type, data);
  const { error } = (data ?? {}) as { readonly error?: unknown };
  if (type.endsWith('Failed') && typeof error === 'string') story.failures.push({ event: type, at, error });
}

const SETTLING: ReadonlySet<string> = new Set(['PaymentSettled', 'PaymentReorged', 'FundsRecovered']);

function readJournal(story: Story, type: string, data: unknown): void {
  if (!SETTLING.has(type)) return;
  story.held = null;
  if (type === 'PaymentSettled') {
    const end = data as JournalPayloads['PaymentSettled'];
    setOnLeg(story.settled, end.payment, end);
  }
  if (type === 'PaymentReorged') setOnLeg(story.settled, (data as JournalPayloads['PaymentReorged']).payment, null);
  if (type === 'FundsRecovered') story.recovered = true;
}

/** The id of the transaction that the last event of a type names; null if none does. */
export function toldHash({ said }: Story, ...types: readonly string[]): string | null {
  let hash: string | null = null;
  for (const type of types) {
    const { tx_hash, transaction } = (said.get(type) ?? {}) as {
      readonly tx_hash?: string;
      readonly transaction?: { readonly tx_hash: string };
    };
    hash = transaction?.tx_hash ?? tx_hash ?? hash;
  }
  return hash;
}

/** Names of the events about a payment, by its payer and what happened to it. */
type Telling = Readonly<Record<'own' | 'other' | 'claim' | 'ownTaken' | 'refund', readonly string[]>> & {
  readonly refundWait: string;
  readonly validated: string;
};

/** The same for each side. */
export const TELLING: Pair<Telling> = {
  maker: {
    own: ['MakerPaymentSent'],
    other: ['TakerPaymentReceived'],
    claim: ['TakerPaymentSpent'],
    ownTaken: [],
    refund: ['MakerPaymentRefunded'],
    refundWait: 'MakerPaymentWaitRefundStarted',
    validated: 'TakerPaymentValidatedAndConfirmed',
  },
  taker: {
    own: ['TakerPaymentSent'],
    other: ['MakerPaymentReceived'],
    claim: ['MakerPaymentSpent', 'MakerPaymentSpentByWatcher'],
    ownTaken: ['TakerPaymentSpent'],
    refund: ['TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher'],
    refundWait: 'TakerPaymentWaitRefundStarted',
    validated: 'MakerPaymentValidatedAndConfirmed',
  },
};
