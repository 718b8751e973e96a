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

/** Something that was seen at a moment. It is older every moment, and gone after a crash. */
export type Seen<T> = { readonly value: T; readonly at: Millis };

/** A quote, and since when what other swaps hold has to be counted against it. */
export type SeenQuote = Seen<Quote> & { readonly since: HeldSince | null };

/** What a transaction is signed for: by the log's purposes, or in advance for a watcher. */
export type SignedPurpose = Purpose | 'claimPreimage' | 'refundPreimage';

/** A question that failed, and when it may be asked again. `eased`: news of the chain has shortened the pause. */
export type Tries = {
  count: number;
  next: Millis;
  kind: string;
  message: string;
  part?: QuotePart;
  eased?: true;
  fee?: DearFee;
};

/** No fee within its bound would do. In units of the coin that pays it. */
export type DearFee = {
  /** The most that may be paid. */
  readonly most: DecimalText;
  /** The least that would do; null where the wallet does not tell. */
  readonly least: DecimalText | null;
};

/**
 * What a runner knows beyond its log: looks at the chains, messages that wait, tries that failed. All of it can be lost
 * at any moment; nothing that must survive stands here.
 */
export type Facts = {
  payments: Record<Leg, Seen<PaymentView> | null>;
  /** What too few say of a payment, since no answer about it was better than that; null from the next other answer on. */
  doubtful: Record<Leg, Seen<PaymentView> | null>;
  /** Since when a payment has been seen with the confirmations that its swap asks for. */
  confirmedSince: Record<Leg, Millis | null>;
  /** Height at which a payment was first seen missing by a node that is not behind the log, and has been ever since. */
  missingSince: Record<Leg, number | null>;
  /** Whether the chain's feed is complete and whole, so that it would have told of a change. */
  told: Record<Leg, boolean>;
  /**
   * How long each chain takes to answer with the wait for a place to ask from, in milliseconds: the last answer, or three quarters of what
   * it was before that.
   */
  latency: Record<Leg, number>;
  /** The same without that wait: what the chain itself takes. */
  answering: Record<Leg, number>;
  quotes: Record<Leg, SeenQuote | null>;
  transactions: Map<string, Seen<TransactionView>>;
  /** Signed and not yet in the log. */
  prepared: Map<SignedPurpose, PreparedTransaction>;
  /** What each of them was asked for. */
  preparedFor: Map<SignedPurpose, PrepareRequest>;
  /** Signed, and never to be in the log. */
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
