import type { FeeOrder, JournalEvent, JournalPayloads, Purpose, SwapRequest } from '../../src/events/journal.ts';
import { type DecimalText, isDecimalText, toBigNumber } from '../../src/primitives/decimal.ts';
import { setOnLeg } from '../../src/primitives/pair.ts';
import type { Millis } from '../../src/primitives/time.ts';

/** One signed transaction and what became of it, as far as the journal knows. */
export type PreparedRecord = {
  readonly tx: JournalPayloads['TransactionPrepared']['tx'];
  readonly target: string | null;
  readonly urgency: number;
  readonly preparedAt: Millis;
  /** The first moment at which somebody else may have got it; null while nobody can have. */
  attemptedAt: Millis | null;
  acceptedAt: Millis | null;
  /** Classification of the last refusal; null after an acceptance. */
  refused: string | null;
  /** When that was; null after an acceptance. */
  refusedAt: Millis | null;
  /** Was taken and later missing: it is brought back, and this is noted once. */
  dropped: boolean;
  /** Included without effect, or gone for good. */
  dead: boolean;
};

export type Settlement = JournalPayloads['PaymentSettled'] & { readonly at: Millis };

/** In units of the coin that pays the fees; `any` for no bound, null where nobody ordered anything. */
export type FeesAllowed = DecimalText | 'any' | null;

export type Reorged = JournalPayloads['PaymentReorged'] & { readonly at: Millis };

/** All that the journal of a swap says. Absent facts are null. */
export type JournalContext = {
  /** Whether an engine of ours keeps the log; false for one from elsewhere, which nobody drives. */
  readonly kept: boolean;
  request: SwapRequest | null;
  /** Every variant of each purpose, oldest first. */
  prepared: Record<Purpose, PreparedRecord[]>;
  settled: { maker: Settlement | null; taker: Settlement | null };
  /** An end that was final, or that the log told of, and that a chain has undone since. */
  reorged: { maker: Reorged | null; taker: Reorged | null };
  /** Messages of the other side, by kind. */
  messages: Record<string, unknown>;
  /** When each of them was taken. */
  heardAt: Readonly<Record<string, Millis>>;
  deadlines: string[];
  paused: boolean;
  /** An operator wants the next try at once. */
  retryAt: Millis | null;
  /** What an operator allows each fee on a chain to be at most, beyond the policy's bound. */
  feesAllowed: { maker: FeesAllowed; taker: FeesAllowed };
  /** Asked for and not yet answered. */
  recoverSince: Millis | null;
  recovered: JournalPayloads['FundsRecovered'] | null;
  recoveryRefused: string | null;
};

/** The journal of a log that an engine of ours keeps, before its first record. */
export function initialJournalContext(): JournalContext {
  return {
    kept: true,
    request: null,
    prepared: {
      fee: [],
      payment: [],
      claim: [],
      refund: [],
      void: [],
      claimChild: [],
      refundChild: [],
      paymentChild: [],
    },
    settled: { maker: null, taker: null },
    reorged: { maker: null, taker: null },
    messages: {},
    heardAt: {},
    deadlines: [],
    paused: false,
    retryAt: null,
    feesAllowed: { maker: null, taker: null },
    recoverSince: null,
    recovered: null,
    recoveryRefused: null,
  };
}

/** The journal of a log that has none, as one from elsewhere. Whoever judges reads it, and nobody folds into it. */
export const NO_JOURNAL: Readonly<JournalContext> = { ...initialJournalContext(), kept: false };

/** The variant that counts: the last one that can still confirm. */
export function currentPrepared(journal: Pick<JournalContext, 'prepared'>, purpose: Purpose): PreparedRecord | null {
  const variants = journal.prepared[purpose];
  for (let index = variants.length - 1; index >= 0; index -= 1) {
    const record = variants[index] as PreparedRecord;
    if (!record.dead) return record;
  }
  return null;
}

/** Whether any variant of this purpose may have reached somebody else. */
export function everAttempted(journal: JournalContext, purpose: Purpose): boolean {
  return journal.prepared[purpose].some(({ attemptedAt }) => attemptedAt !== null);
}

/** Whether a node took any variant of this purpose, or a look showed one: somebody else has it for certain. */
export function everAccepted(journal: JournalContext, purpose: Purpose): boolean {
  return journal.prepared[purpose].some(({ acceptedAt }) => acceptedAt !== null);
}

function variant(draft: JournalContext, { purpose, tx_hash }: { purpose: Purpose; tx_hash: string }) {
  return variantWith(draft.prepared[purpose], tx_hash);
}

/** The variant with this id; of one that was signed again after it had no effect the last, which is the one that can still confirm. */
export function variantWith(variants: readonly PreparedRecord[], tx_hash: string): PreparedRecord | undefined {
  for (let index = variants.length - 1; index >= 0; index -= 1) {
    const record = variants[index] as PreparedRecord;
    if (record.tx.tx_hash === tx_hash) return record;
  }
  return undefined;
}

/**
 * What is signed again while it can still confirm is the same transaction: it becomes the last variant, with all that is known of it. One that
 * had no effect begins anew beside the record of that, because a reorganisation may have made room for it.
 */
function noteSigned(
  variants: PreparedRecord[],
  { at, data }: Extract<TransactionEvent, { type: 'TransactionPrepared' }>,
) {
  const { tx, target, urgency } = data;
  const before = variants.findIndex((record) => !record.dead && record.tx.tx_hash === tx.tx_hash);
  const known = before < 0 ? undefined : variants.splice(before, 1)[0];
  variants.push({
    tx,
    target,
    urgency,
    preparedAt: at,
    attemptedAt: known?.attemptedAt ?? null,
    acceptedAt: known?.acceptedAt ?? null,
    refused: known?.refused ?? null,
    refusedAt: known?.refusedAt ?? null,
    dropped: known?.dropped ?? false,
    dead: false,
  });
}

/** Folds one journal event: changes the draft, which the caller owns. */
export function applyJournal(draft: JournalContext, event: JournalEvent): void {
  switch (event.type) {
    case 'SwapRequested':
      draft.request = event.data;
      return;
    case 'TransactionPrepared':
    case 'BroadcastAttempted':
    case 'BroadcastAccepted':
    case 'BroadcastRefused':
    case 'TransactionDropped':
    case 'TransactionReverted':
      applyTransaction(draft, event);
      return;
    case 'PaymentReorged':
      setOnLeg(draft.settled, event.data.payment, null);
      setOnLeg(draft.reorged, event.data.payment, reorgedAt(event.data, event.at));
      // What was recovered is open again with the payment that it rests on.
      draft.recovered = null;
      return;
    case 'PaymentSettled':
      setOnLeg(draft.reorged, event.data.payment, null);
      setOnLeg(draft.settled, event.data.payment, settledAt(event.data, event.at));
      return;
    case 'MessageReceived': {
      const { message } = event.data;
      const kind = typeof message === 'object' && message !== null ? (message as { kind?: unknown }).kind : undefined;
      if (typeof kind !== 'string') return;
      draft.messages[kind] = message;
      draft.heardAt = { ...draft.heardAt, [kind]: event.at };
      return;
    }
    case 'DeadlineReached':
      draft.deadlines.push(event.data.kind);
      return;
    case 'OperatorActed':
      applyOperator(draft, event);
      return;
    case 'FundsRecovered':
      draft.recovered = event.data;
      draft.recoverSince = null;
      return;
    case 'RecoveryRefused':
      draft.recoveryRefused = event.data.reason;
      draft.recoverSince = null;
      return;
    default:
      event satisfies never;
  }
}

// Named one by one: an object made by a spread is of a kind of its own, which every later look pays for.
function reorgedAt(data: JournalPayloads['PaymentReorged'], at: Millis): Reorged {
  const { payment, tx_hash, confirmations, before } = data;
  return { payment, tx_hash, confirmations, before, at };
}

function settledAt(data: JournalPayloads['PaymentSettled'], at: Millis): Settlement {
  const { payment, how, by, tx_hash, confirmations } = data;
  return { payment, how, by, tx_hash, confirmations, at };
}

type TransactionEvent = Extract<
  JournalEvent,
  {
    type:
      | 'TransactionPrepared'
      | 'BroadcastAttempted'
      | 'BroadcastAccepted'
      | 'BroadcastRefused'
      | 'TransactionDropped'
      | 'TransactionReverted';
  }
>;

function applyTransaction(draft: JournalContext, event: TransactionEvent): void {
  switch (event.type) {
    case 'TransactionPrepared':
      noteSigned(draft.prepared[event.data.purpose], event);
      return;
    case 'BroadcastAttempted': {
      const found = variant(draft, event.data);
      if (found !== undefined) found.attemptedAt ??= event.at;
      return;
    }
    case 'BroadcastAccepted': {
      const found = variant(draft, event.data);
      if (found === undefined) return;
      found.acceptedAt = event.at;
      found.refused = null;
      found.refusedAt = null;
      return;
    }
    case 'BroadcastRefused': {
      const found = variant(draft, event.data);
      if (found === undefined) return;
      found.refused = event.data.kind;
      found.refusedAt = event.at;
      return;
    }
    case 'TransactionDropped': {
      const found = variant(draft, event.data);
      if (found !== undefined) found.dropped = true;
      return;
    }
    case 'TransactionReverted': {
      const found = variant(draft, event.data);
      if (found !== undefined) found.dead = true;
      return;
    }
    default:
      event satisfies never;
  }
}

function applyOperator(draft: JournalContext, event: Extract<JournalEvent, { type: 'OperatorActed' }>): void {
  const { action } = event.data;
  if (action === 'pause') draft.paused = true;
  if (action === 'resume') draft.paused = false;
  if (action === 'retry') draft.retryAt = event.at;
  if (action === 'cancelRecovery') draft.recoverSince = null;
  if (action === 'allowFees') allowFees(draft, event.data.fees);
  if (action === 'recover') {
    draft.recoverSince = event.at;
    draft.recovered = null;
    draft.recoveryRefused = null;
  }
}

function allowFees(draft: JournalContext, order: FeeOrder | undefined): void {
  if (order?.payment !== 'maker' && order?.payment !== 'taker') return;
  const { payment, most } = order;
  if (most !== null && (typeof most !== 'string' || !isDecimalText(most))) return;
  const { maker, taker } = draft.feesAllowed;
  // Another object each time: copies of a journal share this one.
  draft.feesAllowed = { maker, taker };
  setOnLeg(draft.feesAllowed, payment, most === null ? 'any' : toBigNumber(most).gt(0) ? most : null);
}
