import type { StoredTransaction } from '../../src/events/payloads.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { Millis, UnixSeconds } from '../../src/primitives/time.ts';
import type { OwnTerms } from '../deadlines/table.ts';
import type { Party } from '../swap-verdict.ts';

/**
 * A swap as one side's log tells it. The rules of both sides are written against this: the own payment is the one that
 * the side makes and can take back, the other payment the one that it claims. Absent facts are null.
 */
export type SwapSide = {
  readonly role: Party;
  readonly other: Party;
  readonly state: string;
  /** What this side agreed to when it started; null if the log does not say. */
  readonly started: StartedTerms | null;
  readonly lastEventAt: Millis | null;

  readonly ownCoin: string | null;
  readonly ownAmount: DecimalText | null;
  /** From when on this side can take its payment back. */
  readonly ownLock: UnixSeconds | null;
  readonly ownPayment: StoredTransaction | null;
  /** The log does not show the own payment, but it may be on the chain. */
  readonly ownUncertain: boolean;
  /** The other side has taken the own payment: by which transaction, if the log says. */
  readonly ownTaken: { readonly tx: string | null; readonly doubtful: boolean } | null;
  /** The other side may have what it needs to take the own payment. */
  readonly otherKnowsSecret: boolean;
  readonly refunded: boolean;
  /** Of a reported refund and the other side's claim only one can be final, and the log reports both. */
  readonly refundContradicted: boolean;
  readonly refund: StoredTransaction | null;
  readonly refundedBy: Party | 'watcher';

  readonly otherCoin: string | null;
  readonly otherAmount: DecimalText | null;
  /** From when on the other side can take its payment back. */
  readonly otherLock: UnixSeconds | null;
  readonly otherPayment: StoredTransaction | null;
  readonly otherValidated: boolean;
  /** Nothing but time is missing for a claim: a maker has validated the other payment, a taker knows the secret. */
  readonly claimable: boolean;
  /** This side has what it needs to take the other payment. */
  readonly knowsSecret: boolean;
  readonly claim: StoredTransaction | null;
  readonly claimedBy: Party | 'watcher';
  readonly claimConfirmed: boolean;
  /** The latest claim was broadcast, and waiting for its confirmation failed. */
  readonly claimDoubtful: boolean;
  /** 32 bytes in hex, if the log holds it. */
  readonly secret: string | null;
  /** Anyone may know the secret, so only the claim is left. */
  readonly secretIsPublic: boolean;
};

/** What both sides' Started says about time; the wait for the maker payment stands in a taker's only. */
export type StartedTerms = OwnTerms & { readonly maker_payment_wait?: UnixSeconds | null };

/** The other side of a swap. */
export function otherParty(role: Party): Party {
  return role === 'maker' ? 'taker' : 'maker';
}
