import { hash160, ripemd160 } from '../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';
import type { Role } from './catalog.ts';

/**
 * Something that serves one swap: a secret hash, a fee, a payment, or any other transaction of its own.
 *
 * - `key` is the same for the same thing, however a log spells it, in whichever role and for whatever purpose: a transaction that
 *   is the fee of one swap and the payment of another is one thing.
 */
export type Thing = { readonly kind: ThingKind; readonly key: string };

export type ThingKind = 'secretHash' | 'fee' | 'payment' | 'transaction';

const LONG_HASH_DIGITS = 64;
const SHORT_HASH_DIGITS = 40;

/**
 * The key of a secret by its hash, in hex: HASH160 of the secret, which the 32 bytes of SHA-256 lead to as well. Null for what is
 * no hash, and for zeros, with which a log hides one.
 */
export function secretHashKey(hash: string): string | null {
  if (!isHex(hash) || (hash.length !== SHORT_HASH_DIGITS && hash.length !== LONG_HASH_DIGITS) || isHidden(hash))
    return null;
  return `secret:${hash.length === SHORT_HASH_DIGITS ? hash.toLowerCase() : bytesToHex(ripemd160(hexToBytes(hash)))}`;
}

/** The key of a transaction by its id, in hex with or without `0x`. Null for an empty one: no transaction. */
export function transactionKey(hash: string): string | null {
  const lower = hash.toLowerCase();
  const digits = lower.startsWith('0x') ? lower.slice(2) : lower;
  return digits === '' || isHidden(digits) ? null : `tx:${digits}`;
}

function isHidden(digits: string): boolean {
  return /^0+$/.test(digits);
}

type Source = (data: Readonly<Record<string, unknown>>) => readonly (Thing | null)[];

const transactionOf =
  (kind: ThingKind): Source =>
  ({ tx_hash }) => [thing(kind, typeof tx_hash === 'string' ? transactionKey(tx_hash) : null)];
const fee = transactionOf('fee');
const payment = transactionOf('payment');
const transaction = transactionOf('transaction');
const prepared: Source = ({ tx }) => transaction(recordOf(tx));
const negotiatedHash: Source = ({ secret_hash }) => [hashThing(secret_hash)];
/** A maker's own secret; its hash where the log hides the secret. */
const ownSecret: Source = ({ secret, secret_hash }) => {
  const isWhole =
    typeof secret === 'string' && secret.length === LONG_HASH_DIGITS && isHex(secret) && !isHidden(secret);
  return [isWhole ? hashThing(bytesToHex(hash160(hexToBytes(secret)))) : hashThing(secret_hash)];
};
const offered: Source = ({ message }) => {
  const { kind, offer } = recordOf(message);
  return kind === 'negotiation' ? negotiatedHash(recordOf(offer)) : [];
};

/** By event type, what a swap takes for itself with it. What the other side does with its own coins is not listed. */
const SOURCES: Readonly<Record<Role, ReadonlyMap<string, Source>>> = {
  taker: new Map([
    ['MessageReceived', offered],
    ['Negotiated', negotiatedHash],
    ['TakerFeeSent', fee],
    ['MakerPaymentReceived', payment],
    ['TakerPaymentSent', payment],
    ['MakerPaymentSpent', transaction],
    ['MakerPaymentSpentByWatcher', transaction],
    ['TransactionPrepared', prepared],
  ]),
  maker: new Map([
    ['SwapRequested', ownSecret],
    ['Started', ownSecret],
    ['TakerFeeValidated', fee],
    ['MakerPaymentSent', payment],
    ['TakerPaymentReceived', payment],
    ['TakerPaymentSpent', transaction],
    ['TransactionPrepared', prepared],
  ]),
};

/** Types of the events that a swap takes something with, except for its own transactions: those are final once it is over. */
export const lastingTypes: readonly string[] = [
  ...new Set([...SOURCES.taker.keys(), ...SOURCES.maker.keys()].filter((type) => type !== 'TransactionPrepared')),
];

/** What a swap takes for itself with one event; a member that is absent or spelled wrongly is omitted. */
export function thingsOf(
  role: Role,
  { type, data }: { readonly type: string; readonly data: unknown },
): readonly Thing[] {
  const source = SOURCES[role].get(type);
  return source === undefined ? NOTHING : source(recordOf(data)).filter((found) => found !== null);
}

const NOTHING: readonly Thing[] = [];

/** Whether the own payment may be out once this event is in the log. */
export function isPaying(role: Role, { type, data }: { readonly type: string; readonly data: unknown }): boolean {
  if (type === 'BroadcastAttempted') return recordOf(data)['purpose'] === 'payment';
  return type === (role === 'taker' ? 'TakerPaymentSent' : 'MakerPaymentSent');
}

function thing(kind: ThingKind, key: string | null): Thing | null {
  return key === null ? null : { kind, key };
}

function hashThing(hash: unknown): Thing | null {
  return thing('secretHash', typeof hash === 'string' ? secretHashKey(hash) : null);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
