import type { FeeOrder, JournalEvent, JournalPayloads, Purpose, SwapRequest } from '../../src/events/journal.ts';
import { type DecimalText, isDecimalText, toBigNumber } from '../../src/primitives/decimal.ts';
import { setOnLeg } from '../../src/primitives/pair.ts';
import type { Millis } from '../../src/primitives/time.ts';

/** One signed transaction and its fate, as far as the journal knows. */
export type PreparedRecord = {
  readonly tx: JournalPayloads['TransactionPrepared']['tx'];
  readonly target: string | null;
  readonly urgency: number;
  readonly preparedAt: Millis;
  /** The first time at which someone else may have received it; null while that is impossible. */
  attemptedAt: Millis | null;
  acceptedAt: Millis | null;
  /** Classification of the last refusal; null after an acceptance. */
  refused: string | null;
  /** When it was refused; null after an acceptance. */
  refusedAt: Millis | null;
  /** It was accepted and went missing later: the engine sends it again, and notes this once. */
  dropped: boolean;
  /** Included without effect, or lost for good. */
  dead: boolean;
};

export type Settlement = JournalPayloads['PaymentSettled'] & { readonly at: Millis };

/** In units of the coin that pays the fees; `any` for no limit, null if there is no order. */
export type FeesAllowed = DecimalText | 'any' | null;

export type Reorged = JournalPayloads['PaymentReorged'] & { readonly at: Millis };

/** Everything that the journal of a swap says. Absent facts are null. */
export type JournalContext = {
  /** Whether this engine keeps the log; false for a log from elsewhere, which no engine drives. */
  readonly kept: boolean;
  request: SwapRequest | null;
  /** Every variant of each purpose, oldest first. */
  prepared: Record<Purpose, PreparedRecord[]>;
  settled: { maker: Settlement | null; taker: Settlement | null };
  /** An end that was final, or that the log reported, and that a chain has since undone. */
  reorged: { maker: Reorged | null; taker: Reorged | null };
  /** Messages of the other side, by kind. */
  messages: Record<string, unknown>;
  /** When each of them was accepted. */
  heardAt: Readonly<Record<string, Millis>>;
  deadlines: string[];
  paused: boolean;
  /** An operator wants the next attempt immediately. */
  retryAt: Millis | null;
  /** The maximum that an operator allows for each fee on a chain, beyond the policy's limit. */
  feesAllowed: { maker: FeesAllowed; taker: FeesAllowed };
  /** Requested but not yet answered. */
  recoverSince: Millis | null;
  recovered: JournalPayloads['FundsRecovered'] | null;
  recoveryRefused: string | null;
};

/** The journal of a log that this engine keeps, before its first record. */
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

/** The journal of a log without one, as of a log from elsewhere. Judges read it; nothing folds into it. */
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

/** Whether any variant for this purpose may have reached someone else. */
export function everAttempted(journal: JournalContext, purpose: Purpose): boolean {
  return journal.prepared[purpose].some(({ attemptedAt }) => attemptedAt !== null);
}

/** Whether a node accepted any variant for this purpose, or a look showed one: someone else has it for certain. */
export function everAccepted(journal: JournalContext, purpose: Purpose): boolean {
  return journal.prepared[purpose].some(({ acceptedAt }) => acceptedAt !== null);
}

function variant(draft: JournalContext, { purpose, tx_hash }: { purpose: Purpose; tx_hash: string }) {
  return variantWith(draft.prepared[purpose], tx_hash);
}

/** The variant with this id. If it was signed again after it had no effect, the last one, which can still confirm. */
export function variantWith(variants: readonly PreparedRecord[], tx_hash: string): PreparedRecord | undefined {
  for (let index = variants.length - 1; index >= 0; index -= 1) {
    const record = variants[index] as PreparedRecord;
    if (record.tx.tx_hash === tx_hash) return record;
  }
  return undefined;
}

/**
 * A transaction signed again while it can still confirm is the same transaction: it becomes the last variant, with
 * everything known about it. One that had no effect starts again, next to the record of the first, because a
 * reorganization may have made room for it.
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
      // What was recovered is open again, together with the payment that it depends on.
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

// Named one by one: an object created by a spread has its own shape, which makes every later access slow.
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
  // A new object each time, because copies of a journal share this one.
  draft.feesAllowed = { maker, taker };
  setOnLeg(draft.feesAllowed, payment, most === null ? 'any' : toBigNumber(most).gt(0) ? most : null);
}
