import type { DecimalText } from '../primitives/decimal.ts';
import type { Millis } from '../primitives/time.ts';
import type { StoredTransaction } from './payloads.ts';

// Journal events stand in the same stream as the public ones. They make the engine safe against crashes and auditable;
// an export in KDF's form leaves them out, and the fold of the public events does not see them.

/** Stands before the events of a log that came from elsewhere, and carries what stood around them. */
export const IMPORTED = 'Imported';

/** What a swap is to be, as both sides' orders matched: the first record of a live stream. */
export type SwapRequest = {
  readonly role: 'maker' | 'taker';
  readonly uuid: string;
  /** The node's own order; for a taker, the swap's uuid. */
  readonly my_order_uuid: string | null;
  readonly maker_coin: string;
  readonly taker_coin: string;
  readonly maker_amount: DecimalText;
  readonly taker_amount: DecimalText;
  /** The other side's signing key without its parity byte, 32 bytes in hex. */
  readonly counterparty: string;
  /** 33 bytes in hex. */
  readonly my_persistent_pub: string;
  /** In seconds; both sides compute it by the same rule. */
  readonly lock_duration: number;
  readonly maker_payment_confirmations: number;
  readonly maker_payment_requires_nota: boolean;
  readonly taker_payment_confirmations: number;
  readonly taker_payment_requires_nota: boolean;
  /** The maker's secret, 32 bytes in hex; null for a taker. */
  readonly secret: string | null;
  readonly use_watchers: boolean;
};

/**
 * What a transaction is for. `fee`, `payment`, `refund` and `void` are on the own coin's chain, `claim` on the other. A child spends the own
 * output of what waits, on the same chain, so that a block that takes the child takes that too.
 */
export type Purpose = 'fee' | 'payment' | 'claim' | 'refund' | 'void' | ChildPurpose;

export type ChildPurpose = 'claimChild' | 'refundChild' | 'paymentChild';

/** What children speed up. */
export type Raised = 'claim' | 'refund' | 'payment';

export const CHILD_OF = {
  claim: 'claimChild',
  refund: 'refundChild',
  payment: 'paymentChild',
} as const satisfies Readonly<Record<Raised, ChildPurpose>>;

/** What a child of this purpose speeds up; null for what is no child. */
export function raisedBy(purpose: Purpose): Raised | null {
  if (purpose === 'claimChild') return 'claim';
  if (purpose === 'refundChild') return 'refund';
  return purpose === 'paymentChild' ? 'payment' : null;
}

/** In the order in which they are looked through. */
export const PURPOSES = [
  'fee',
  'payment',
  'claim',
  'refund',
  'void',
  'claimChild',
  'refundChild',
  'paymentChild',
] as const satisfies readonly Purpose[];

/** Whether what is for this purpose is on the chain of the other side's payment. */
export function isOnOtherChain(purpose: string): boolean {
  return purpose === 'claim' || purpose === 'claimChild';
}

/** How much each fee of a swap may be on one of its chains, beyond the policy's bound. */
export type FeeOrder = {
  readonly payment: 'maker' | 'taker';
  /** In units of the coin that pays the fees there; null for no bound, 0 for the policy's alone. */
  readonly most: DecimalText | null;
};

export type JournalPayloads = {
  /** The terms of the swap: the first record of a live stream. */
  readonly SwapRequested: SwapRequest;
  /** A transaction is signed, and about to be broadcast or kept for later. The record is durable before anyone else can see the transaction. */
  readonly TransactionPrepared: {
    readonly purpose: Purpose;
    /**
     * What it takes, and its fee in coin units. Both absent where only the bytes are known, as of what a taker signed for a watcher. `refundFee`: of a
     * payment, what its refund takes from the wallet, where the wallet pays for it.
     */
    readonly tx: StoredTransaction & {
      readonly spends?: readonly string[];
      readonly fee?: DecimalText;
      readonly refundFee?: DecimalText;
    };
    /** Which funding a claim or a refund spends, which transaction a void makes impossible, or which one a child speeds up, by its id. */
    readonly target: string | null;
    readonly urgency: number;
  };
  /** The engine is about to broadcast the transaction: from here on the other side may see it. */
  readonly BroadcastAttempted: { readonly purpose: Purpose; readonly tx_hash: string };
  /** The network has the transaction: as new, as already known, or already in a block. */
  readonly BroadcastAccepted: {
    readonly purpose: Purpose;
    readonly tx_hash: string;
    readonly how: 'sent' | 'known' | 'confirmed';
  };
  /** A node refused the transaction. `kind` is the port's classification; `message` is the node's text, with possible secrets removed. */
  readonly BroadcastRefused: {
    readonly purpose: Purpose;
    readonly tx_hash: string;
    readonly kind: string;
    readonly message: string;
  };
  /** A broadcast transaction is no longer in the chain or in the mempool. */
  readonly TransactionDropped: { readonly purpose: Purpose; readonly tx_hash: string };
  /** A block included the transaction without effect. */
  readonly TransactionReverted: { readonly purpose: Purpose; readonly tx_hash: string };
  /** A payment has fewer confirmations than before, or none. */
  readonly PaymentReorged: {
    readonly payment: 'maker' | 'taker';
    readonly tx_hash: string;
    readonly confirmations: number;
    readonly before: number;
  };
  /** A payment has ended, finally by the chain's rules: how, and by whom. */
  readonly PaymentSettled: {
    readonly payment: 'maker' | 'taker';
    readonly how: 'claimed' | 'refunded' | 'voided';
    readonly by: 'self' | 'counterparty' | 'watcher' | 'chain';
    readonly tx_hash: string | null;
    readonly confirmations: number;
  };
  /** A message from the other side that the negotiation needs after a restart. */
  readonly MessageReceived: { readonly message: unknown };
  /** A deadline of the protocol has passed, by the clock that decides it. */
  readonly DeadlineReached: {
    readonly kind: string;
    readonly deadline: Millis;
    readonly clock: 'host' | 'makerChain' | 'takerChain';
  };
  /** An operator's order; its effects on the coins have their own events. */
  readonly OperatorActed: {
    readonly action: 'pause' | 'resume' | 'retry' | 'recover' | 'cancelRecovery' | 'allowFees';
    readonly reason: string | null;
    /** For `allowFees`: on which chain, and up to what. @defaultValue none */
    readonly fees?: FeeOrder;
  };
  /** A recovery has ended that an operator asked for, or that a late fact started after the end of the swap. */
  readonly FundsRecovered: {
    readonly action: 'RefundedMyPayment' | 'SpentOtherPayment';
    readonly coin: string;
    readonly tx: StoredTransaction | null;
  };
  /** A recovery has ended because no chain permits it, with the reason. */
  readonly RecoveryRefused: { readonly reason: string };
};

export type JournalType = keyof JournalPayloads;

export type JournalEvent = {
  readonly [T in JournalType]: { readonly type: T; readonly at: Millis; readonly data: JournalPayloads[T] };
}[JournalType];

/** A journal record of a stored log, with its place among the public events. */
export type JournalRecord = {
  /** Count of the public events before it. */
  readonly before: number;
  readonly at: Millis;
  readonly type: JournalType;
  readonly data: unknown;
  readonly extra?: unknown;
};

/** What a log of this engine holds beside the public events. */
export type LogJournal = {
  /** When the log came from elsewhere and was taken over, before any record here; null for a log that began here. */
  readonly importedAt: Millis | null;
  /** In the order of the log. */
  readonly records: readonly JournalRecord[];
};

const TYPES: Readonly<Record<JournalType, true>> = {
  SwapRequested: true,
  TransactionPrepared: true,
  BroadcastAttempted: true,
  BroadcastAccepted: true,
  BroadcastRefused: true,
  TransactionDropped: true,
  TransactionReverted: true,
  PaymentReorged: true,
  PaymentSettled: true,
  MessageReceived: true,
  DeadlineReached: true,
  OperatorActed: true,
  FundsRecovered: true,
  RecoveryRefused: true,
};

export const journalTypes = Object.keys(TYPES) as readonly JournalType[];

const KNOWN: ReadonlySet<string> = new Set(journalTypes);

/** Whether a record of a stream is one of the engine's own, which the public fold leaves aside. */
export function isJournalType(type: string): type is JournalType {
  return KNOWN.has(type);
}
