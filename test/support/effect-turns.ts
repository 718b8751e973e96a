import { endOf } from '../../machines/deadlines/message-wait.ts';
import type { Want } from '../../machines/definition.ts';
import { initialMakerSwapContext, type MakerSwapContext } from '../../machines/maker-swap/context.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../machines/taker-swap/context.ts';
import type { SwapRequest } from '../../src/events/journal.ts';
import type { StoredTransaction } from '../../src/events/payloads.ts';
import type { PaymentFunding, PaymentSpend, PaymentView, TransactionView } from '../../src/ports/chain.ts';
import { hash160 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';
import type { Millis } from '../../src/primitives/time.ts';
import type { Command, Leg, NewEvent, Question } from '../../src/runtime/command.ts';
import type { Tries } from '../../src/runtime/facts.ts';
import type { SideEvents } from '../../src/runtime/swap/swap-facts.ts';
import type { Turn } from '../../src/runtime/swap/turn.ts';
import { after, NOW, paymentOf } from './turns.ts';

/** The payment that a look at either chain shows, unless a test says which. */
export const PAID: StoredTransaction = { tx_hex: 'aa00', tx_hash: 'aa'.repeat(32) };

/** What took it. */
export const TAKEN: StoredTransaction = { tx_hex: 'dd00', tx_hash: 'dd'.repeat(32) };

export const SECRET = '5e'.repeat(32);

export const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';

/** A swap that was begun here; of what was asked for only what a test names. */
export const requested = (changes: Partial<SwapRequest> = {}): SwapRequest => changes as SwapRequest;

/** The moment so many milliseconds after now. */
export const inMillis = (millis: number): Millis => (NOW + millis) as Millis;

export const fundedBy = (changes: Partial<PaymentFunding> = {}): PaymentFunding => ({
  tx: PAID,
  confirmations: 1,
  ...changes,
});

export const spentWith = (how: PaymentSpend['how'], changes: Partial<PaymentSpend> = {}): PaymentSpend => ({
  how,
  tx: TAKEN,
  confirmations: 1,
  secret: how === 'secret' ? SECRET : null,
  ...changes,
});

/** A look of so many milliseconds ago. */
export const seen = <T>(value: T, ago = 0): { readonly value: T; readonly at: Millis } => ({
  value,
  at: inMillis(-ago),
});

/** A look at a payment, of this moment. */
export const looked = (changes: Partial<PaymentView> = {}, ago = 0) => seen(paymentOf(changes), ago);

/** A look at one transaction, by its id. */
export const found = (hash: string, view: Partial<TransactionView>, ago = 0) =>
  new Map([[hash, seen({ status: 'unknown', confirmations: 0, ...view } satisfies TransactionView, ago)]]);

/** A question that failed and may be asked again in a minute. */
export const failed = (key: string, changes: Partial<Tries> = {}) =>
  new Map([[key, { count: 1, next: after(60), kind: 'unavailable', message: 'no answer', ...changes }]]);

export const wantOf = (effect: string, changes: Partial<Want> = {}): Want => ({ effect, ...changes });

/** A want that waits for a message. */
export const awaiting = (effect: string, since: Millis, limit: number): Want =>
  wantOf(effect, { until: endOf({ since, limit }), wait: { since, limit }, clock: 'host' });

export const event = (type: string, data: unknown = null): NewEvent => ({ type, data });

export const appended = (...events: readonly NewEvent[]): Command => ({ kind: 'append', events });

export const asked = (leg: Leg, question: Question & { readonly key?: string }): Command => ({
  kind: 'ask',
  leg,
  key: `${leg}:${question.key ?? question.op}`,
  question,
});

/** Asks a chain for the broadcast of a transaction of which nothing but its bytes is known. */
export const broadcastOf = (leg: Leg, tx: StoredTransaction, more: object = {}): Command => {
  const transaction = { ...tx, ...more } as never;
  return asked(leg, { op: 'broadcast', transaction, key: `broadcast:${tx.tx_hash}` });
};

/** What an effect proposes in a turn, and when that turn wakes. */
export function decided<T>(effect: (turn: Turn) => T, turn: Turn): readonly [proposal: T, wakesIn: number] {
  const proposal = effect(turn);
  return [proposal, turn.wakeAt - NOW];
}

const one =
  (type: string) =>
  (data: unknown = null) =>
    event(type, data);
const some = (type: string) => (data: unknown) => [event(type, data)];

/** The events of a side under the names that the effects have for them, each with what it was made of. */
export const SAID: Partial<SideEvents> = {
  ownSent: one('ownSent'),
  ownSendFailed: one('ownSendFailed'),
  otherReceived: some('otherReceived'),
  otherValidated: one('otherValidated'),
  otherInvalid: some('otherInvalid'),
  otherUnconfirmed: some('otherUnconfirmed'),
  claimed: some('claimed'),
  claimedByOther: some('claimedByOther'),
  claimFailed: some('claimFailed'),
  claimUnconfirmed: some('claimUnconfirmed'),
  claimConfirmed: one('claimConfirmed'),
  refundWaitStarted: one('refundWaitStarted'),
  refundStarted: one('refundStarted'),
  refunded: one('refunded'),
  refundedByOther: one('refundedByOther'),
};

/** The context of a taker that has negotiated, and what else its log tells. */
export function takerContext(changes: Partial<TakerSwapContext> = {}): TakerSwapContext {
  const started = { taker_coin: 'MARTY', maker_coin: 'DOC' } as never;
  const negotiated = { secret_hash: bytesToHex(hash160(hexToBytes(SECRET))) } as never;
  return { ...initialTakerSwapContext(), started, negotiated, ...changes };
}

/** The same of a maker, which knows its secret. */
export function makerContext(changes: Partial<MakerSwapContext> = {}): MakerSwapContext {
  const secret_hash = bytesToHex(hash160(hexToBytes(SECRET)));
  const started = { taker_coin: 'MARTY', maker_coin: 'DOC', secret: SECRET, secret_hash } as never;
  return { ...initialMakerSwapContext(), started, negotiated: {} as never, ...changes };
}
