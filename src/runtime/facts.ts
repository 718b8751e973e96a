import type { Purpose } from '../events/journal.ts';
import type { Answer, PaymentView, PreparedTransaction, Quote, TransactionView } from '../ports/chain.ts';
import type { SwapMessage, SwapMessageKind } from '../ports/peers.ts';
import type { Millis } from '../primitives/time.ts';
import type { Leg } from './command.ts';

/** Something that was seen at a moment. It is older every moment, and gone after a crash. */
export type Seen<T> = { readonly value: T; readonly at: Millis };

export type Tries = { count: number; next: Millis; kind: string; message: string };

/**
 * What a runner knows beyond its log: looks at the chains, messages that wait, tries that failed. All of it can be lost
 * at any moment; nothing that must survive stands here.
 */
export type Facts = {
  payments: Record<Leg, Seen<PaymentView> | null>;
  quotes: Record<Leg, Seen<Quote> | null>;
  transactions: Map<string, Seen<TransactionView>>;
  /** Signed and not yet in the log. */
  prepared: Map<Purpose | 'claimPreimage' | 'refundPreimage', PreparedTransaction>;
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
    quotes: { maker: null, taker: null },
    transactions: new Map(),
    prepared: new Map(),
    broadcasts: new Map(),
    feeCheck: null,
    feeChecks: 0,
    inbox: new Map(),
    sentAt: new Map(),
    tries: new Map(),
  };
}
