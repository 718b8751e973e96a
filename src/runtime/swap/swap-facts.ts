import type { Race } from '../../../machines/deadlines/race.ts';
import type { StoredTransaction } from '../../events/payloads.ts';
import type { NegotiatedWithMaker, NegotiationTerms } from '../../htlc/check-negotiation.ts';
import type { DexFee } from '../../htlc/dex-fee.ts';
import type { StoredTradeFee } from '../../htlc/locked-amount.ts';
import type { NegotiationMessage } from '../../htlc/negotiation.ts';
import type { FeeCheck, PaymentTerms, Quote } from '../../ports/chain.ts';
import type { SwapMessage, WatcherMessage } from '../../ports/peers.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Pair } from '../../primitives/pair.ts';
import type { Millis, Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Leg, NewEvent } from '../command.ts';

/** A swap as either side sees it: the effects of both roles are written on this. */
export type SwapFacts = {
  readonly role: 'maker' | 'taker';
  readonly state: string;
  readonly uuid: string;
  /** Which chain holds the own payment, and which the other's. */
  readonly own: Leg;
  readonly other: Leg;
  readonly startedAt: UnixSeconds | null;
  /** Heights of both chains when this side began; null if the log does not say. */
  readonly startBlocks: Pair<number | null>;
  readonly lockDuration: Seconds;
  /** The published margin before the end of a lock. */
  readonly margin: Seconds;
  /** The end of the other payment's lock, with the margin before it; null before it was agreed. */
  readonly race: Race | null;
  readonly ownTerms: PaymentTerms | null;
  readonly otherTerms: PaymentTerms | null;
  readonly ownPayment: StoredTransaction | null;
  /** The other's payment as a message or a look at the chain gave it. */
  readonly otherPayment: StoredTransaction | null;
  readonly otherConfirmations: number;
  /** Whether the other's payment must be notarized to count as confirmed. */
  readonly otherRequiresNota: boolean;
  /** The expected cost of the own claim when the swap started; null if the log does not say. */
  readonly claimFee: StoredTradeFee;
  /** How many confirmations the own payment must have, as agreed; 0 if it need only be seen. */
  readonly ownConfirmations: number;
  /** Whether the other's payment was found valid and confirmed, so that this side may have claimed it. */
  readonly otherValidated: boolean;
  /** Whether watchers got what they need to act for a taker. */
  readonly watched: boolean;
  /** 32 bytes in hex: a maker's own, a taker's once it was revealed. */
  readonly secret: string | null;
  /** Whether somebody else may know the secret: the only way back is forward. */
  readonly secretIsPublic: boolean;
  readonly claim: StoredTransaction | null;
  readonly refunded: boolean;
  /** What the taker asks the maker's payment to promise to watchers, in units of the coin that pays fees; null if it asks for none. */
  readonly rewardAsked: DecimalText | null;
  readonly lastEventAt: Millis;
};

/** The public events of a role that both roles have under different names. */
export type SideEvents = {
  readonly ownSent: (tx: StoredTransaction) => NewEvent;
  readonly ownSendFailed: (error: string) => NewEvent;
  readonly otherReceived: (tx: StoredTransaction) => readonly NewEvent[];
  readonly otherValidated: () => NewEvent;
  readonly otherInvalid: (error: string) => readonly NewEvent[];
  readonly otherUnconfirmed: (error: string) => readonly NewEvent[];
  readonly claimed: (tx: StoredTransaction) => readonly NewEvent[];
  readonly claimedByOther: (tx: StoredTransaction) => readonly NewEvent[];
  readonly claimFailed: (error: string) => readonly NewEvent[];
  readonly claimConfirmed: () => NewEvent;
  readonly claimUnconfirmed: (error: string) => readonly NewEvent[];
  readonly refundWaitStarted: () => NewEvent;
  readonly refundStarted: () => NewEvent;
  readonly refunded: (tx: StoredTransaction | null) => NewEvent;
  readonly refundedByOther: (tx: StoredTransaction | null) => NewEvent;
  readonly refundFailed: (error: string) => NewEvent;
  readonly refundFinished: () => NewEvent;
  /** Ends a swap whose coins are lost for good, one event at a time. */
  readonly closeLost: (error: string) => NewEvent;
  readonly started: (quotes: Readonly<Record<Leg, Quote>>, now: Millis) => NewEvent;
  readonly fee: () => DexFee;
  /** The same before the start, for the balance check. */
  readonly feeBefore: () => DexFee;
  /** What the other side's negotiation message is checked against; null before the start. */
  readonly negotiationTerms: () => NegotiationTerms | null;
  readonly negotiationOffer: () => NegotiationMessage | null;
  readonly negotiationReply: (agreed: NegotiatedWithMaker) => NegotiationMessage;
  readonly feeCheck: (tx: StoredTransaction) => FeeCheck;
  readonly feeMessage: () => SwapMessage | null;
  readonly watch: () => WatcherMessage | null;
};
