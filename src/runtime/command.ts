import type { SwapRequest } from '../events/journal.ts';
import type {
  Answer,
  FeeCheck,
  PaymentQuery,
  PaymentView,
  PreparedTransaction,
  PrepareRequest,
  Quote,
  SignedTransaction,
  TransactionView,
} from '../ports/chain.ts';
import type { SwapMessage } from '../ports/peers.ts';
import type { Millis } from '../primitives/time.ts';
import type { HeldSince } from './held.ts';

/** Which of the two chains of a swap. */
export type Leg = 'maker' | 'taker';

/** An event that the runner wants in the log; the log assigns its position, the runner its time. */
export type NewEvent = { readonly type: string; readonly data: unknown };

/** One question to a chain, as data. */
export type Question =
  /** `since`: the moment of the question, for what other swaps hold. */
  | { readonly op: 'quote'; readonly since?: HeldSince }
  | { readonly op: 'payment'; readonly query: PaymentQuery }
  | { readonly op: 'transaction'; readonly hash: string }
  | { readonly op: 'checkFee'; readonly check: FeeCheck }
  | { readonly op: 'prepare'; readonly request: PrepareRequest }
  | { readonly op: 'broadcast'; readonly transaction: SignedTransaction; readonly doubtful?: true };

/** What a chain answers to each kind of question. */
export type Answers = {
  readonly quote: Quote;
  readonly payment: PaymentView;
  readonly transaction: TransactionView;
  readonly checkFee: string | null;
  readonly prepare: PreparedTransaction;
  readonly broadcast: 'sent' | 'known' | 'confirmed';
};

export type AnswerValue = Answers[Question['op']];

/**
 * The next thing to do, as data: at most one input or output. Whoever executes it returns the result; in between, the
 * runner holds nothing that a crash could lose.
 */
export type Command =
  /** All of them durable, or none. */
  | { readonly kind: 'append'; readonly events: readonly NewEvent[] }
  | { readonly kind: 'ask'; readonly leg: Leg; readonly key: string; readonly question: Question }
  /** `signer`: the key that signs, if it is not the node's. */
  | { readonly kind: 'send'; readonly topic: string; readonly message: SwapMessage; readonly signer?: string }
  /** Nothing to do before this moment of the host's clock, unless something happens. */
  | { readonly kind: 'wait'; readonly until: Millis }
  | { readonly kind: 'done' };

/** The result of a question of that kind. */
export type AskResult<Op extends Question['op'] = Question['op']> = Answer<Answers[Op]>;

/**
 * The result of a question, by its kind. A result travels separately from its question, so the compiler cannot know
 * that the two belong together. The result is checked against the form that the question requires before anything uses
 * it; this function asserts that.
 */
export function resultOf<Q extends Question>(_: Q, result: AskResult): AskResult<Q['op']> {
  return result as AskResult<Q['op']>;
}

/** No time: wait until something happens. */
export const NEVER = Number.MAX_SAFE_INTEGER as Millis;

export type { SwapRequest };
