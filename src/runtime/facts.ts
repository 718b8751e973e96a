import type { Purpose } from '../events/journal.ts';
import type {
  Answer,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  Quote,
  QuotePart,
  TransactionView,
} from '../ports/chain.ts';
import type { SwapMessage, SwapMessageKind } from '../ports/peers.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import type { Millis } from '../primitives/time.ts';
import type { Leg } from './command.ts';
import type { HeldSince } from './held.ts';

/** Something observed at a certain time. It ages, and a crash loses it. */
export type Seen<T> = { readonly value: T; readonly at: Millis };

/** A quote, and since when what other swaps hold has to be counted against it. */
export type SeenQuote = Seen<Quote> & { readonly since: HeldSince | null };

/** What a transaction is signed for: by the log's purposes, or in advance for a watcher. */
export type SignedPurpose = Purpose | 'claimPreimage' | 'refundPreimage';

/** A failed question, and when it may be asked again. `eased`: news from the chain has shortened the pause. */
export type Tries = {
  count: number;
  next: Millis;
  kind: string;
  message: string;
  part?: QuotePart;
  eased?: true;
  fee?: DearFee;
};

/** No fee within its limit was enough. In units of the coin that pays it. */
export type DearFee = {
  /** The highest fee allowed. */
  readonly most: DecimalText;
  /** The lowest fee that would be enough; null if the wallet does not say. */
  readonly least: DecimalText | null;
};

/**
 * What a runner knows beyond its log: observations of the chains, waiting messages, failed attempts. All of it can be
 * lost at any time; nothing that must survive is kept here.
 */
export type Facts = {
  payments: Record<Leg, Seen<PaymentView> | null>;
  /** What too few nodes say about a payment, if no answer about it was better; null after the next other answer. */
  doubtful: Record<Leg, Seen<PaymentView> | null>;
  /** Since when a payment has had the confirmations that its swap requires. */
  confirmedSince: Record<Leg, Millis | null>;
  /**
   * Height at which a node that is not behind the log first saw a payment missing, if it has been missing ever since.
   */
  missingSince: Record<Leg, number | null>;
  /** Whether the chain's feed is complete and unbroken, so it would have reported a change. */
  told: Record<Leg, boolean>;
  /**
   * How long each chain takes to answer, including the wait for a place at its gate, in milliseconds: the last answer,
   * or three quarters of the previous value.
   */
  latency: Record<Leg, number>;
  /** The same without that wait: the chain's own time. */
  answering: Record<Leg, number>;
  quotes: Record<Leg, SeenQuote | null>;
  transactions: Map<string, Seen<TransactionView>>;
  /** Signed but not yet in the log. */
  prepared: Map<SignedPurpose, PreparedTransaction>;
  /** What each of them was requested for. */
  preparedFor: Map<SignedPurpose, PrepareRequest>;
  /** Signed, but never to be in the log. */
  unused: { readonly purpose: SignedPurpose; readonly tx: PreparedTransaction }[];
  /** Answers to broadcasts that are not yet in the log, by transaction id. */
  broadcasts: Map<string, Answer<'sent' | 'known' | 'confirmed'>>;
  feeCheck: Seen<string | null> | null;
  feeChecks: number;
  inbox: Map<SwapMessageKind, SwapMessage>;
  sentAt: Map<string, Millis>;
  tries: Map<string, Tries>;
};

export function initialFacts(): Facts {
  return {
    payments: { maker: null, taker: null },
    doubtful: { maker: null, taker: null },
    confirmedSince: { maker: null, taker: null },
    missingSince: { maker: null, taker: null },
    told: { maker: false, taker: false },
    latency: { maker: 0, taker: 0 },
    answering: { maker: 0, taker: 0 },
    quotes: { maker: null, taker: null },
    transactions: new Map(),
    prepared: new Map(),
    preparedFor: new Map(),
    unused: [],
    broadcasts: new Map(),
    feeCheck: null,
    feeChecks: 0,
    inbox: new Map(),
    sentAt: new Map(),
    tries: new Map(),
  };
}
