import type { StoredTransaction } from '../../src/events/payloads.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';

/** What a chain answered to a look-up. An error says nothing about the chain. */
export type LookUp<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

/** The transaction that took a payment from its lock. */
export type FoundSpend = {
  /** With the secret by the receiver, or back to the sender. */
  readonly kind: 'spent' | 'refunded';
  readonly tx: StoredTransaction;
  /** 32 bytes in hex, where the chain adapter has read it from the spend already. */
  readonly secret?: string | null;
};

/**
 * What is known about both chains; an absent member was not looked up yet. "Own payment" is the log owner's payment,
 * "other payment" the counterparty's.
 */
export type RecoveryFacts = {
  /** The own payment, searched by its terms; null for none. Asked for only where the log does not hold it; outranks the log. */
  readonly ownPayment?: LookUp<StoredTransaction | null>;
  /** What spent the own payment; null while it is unspent. */
  readonly ownPaymentSpend?: LookUp<FoundSpend | null>;
  /** The other payment, searched by its terms; null for none. Asked for only where the log does not hold it; outranks the log. */
  readonly otherPayment?: LookUp<StoredTransaction | null>;
  /** What spent the other payment; null while it is unspent. */
  readonly otherPaymentSpend?: LookUp<FoundSpend | null>;
  /** From when the chain takes a refund of the own payment, by its own clock; null when it does now. */
  readonly refundableFrom?: LookUp<UnixSeconds | null>;
  /** Whether the counterparty can already refund the other payment, by its chain's own clock. */
  readonly otherRefundable?: LookUp<boolean>;
  /** Whether the chain of this side's payment refunds automatically. @defaultValue false */
  readonly autoRefund?: boolean;
  /** Whether this side's claim may have reached someone, though the events do not say so. @defaultValue false */
  readonly secretShown?: boolean;
};

/** Names of the facts that can be looked up. */
export type Fact = Exclude<keyof RecoveryFacts, 'autoRefund' | 'secretShown'>;

/** Why nothing can be done, or not yet. */
export type RefusalReason =
  | 'notStarted'
  | 'notFinished'
  /** The log says that this side's payment was refunded, or the chain shows it. */
  | 'refunded'
  /** The log says that the other payment was claimed and confirmed, or the chain shows it as spent. */
  | 'claimed'
  /** The counterparty took its payment back. */
  | 'otherRefunded'
  | 'otherPaymentUnknown'
  | 'ownPaymentNotFound'
  | 'secretUnknown'
  /** A chain did not answer: ask again. */
  | 'lookUpFailed'
  | 'automatic'
  | 'tooEarly';

/** What to do: exactly one of an action, a refusal, or the next fact to look up. */
export type Recovery =
  | {
      readonly action: 'spendOtherPayment';
      readonly coin: string;
      readonly payment: StoredTransaction;
      /** 32 bytes in hex. */
      readonly secret: string;
    }
  | { readonly action: 'refundOwnPayment'; readonly coin: string; readonly payment: StoredTransaction }
  | {
      /** For a person, in KDF's words where KDF has any. */
      readonly refused: string;
      readonly reason: RefusalReason;
      /** For `tooEarly`: when to try again. */
      readonly from?: UnixSeconds;
    }
  | { readonly look: Fact };

/** Names of the actions in the answer of the real node's `recover_funds_of_swap`. */
export const RECOVERED_ACTION = {
  spendOtherPayment: 'SpentOtherPayment',
  refundOwnPayment: 'RefundedMyPayment',
} as const;

export function refuse(reason: RefusalReason, refused: string): Recovery {
  return { refused, reason };
}
