import { z } from 'zod';
import type { SwapRequest } from '../../events/journal.ts';
import { BASE_LOCK_DURATION, lockDurations } from '../../htlc/lock-times.ts';
import type { Random } from '../../ports/clock.ts';
import { type DecimalText, fromBaseUnits, isDecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { bytesToHex, isHex } from '../../primitives/hex.ts';
import { parseUuid } from '../../primitives/ids.ts';
import { canonicalJson } from '../../primitives/json.ts';
import type { Seconds } from '../../primitives/time.ts';
import { requestInvalid } from '../errors.ts';

const ZERO_KEY = '0'.repeat(64);
const PRINTABLE = /^[^\p{Cc}\p{Cs}]+$/u;
const LONGEST_AMOUNT = 100;

export type CheckOptions = {
  /** Source of a maker's secret. */
  readonly random: Random;
  /** From which all lock durations derive. @defaultValue 7800 s (KDF) */
  readonly paymentLocktime?: Seconds;
};

/**
 * The request as it is stored: ids and hex in canonical spelling, and a new secret for a maker that names none. The
 * lock duration must follow KDF's rule for the two coins, because the other side computes its own.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID that names the member at fault.
 */
export function checkRequest(request: SwapRequest, options: CheckOptions): SwapRequest {
  const read = readShape(request);
  const uuid = parseUuid(read.uuid);
  if (uuid === undefined) throw requestInvalid('uuid', 'a UUID');
  if (read.maker_coin === read.taker_coin) throw requestInvalid('taker_coin', 'another coin than the maker coin');
  checkLockDuration(read, options.paymentLocktime);
  const counterparty = read.counterparty.toLowerCase();
  const my_persistent_pub = read.my_persistent_pub.toLowerCase();
  if (counterparty === ZERO_KEY) throw requestInvalid('counterparty', 'a key that is not zero');
  if (my_persistent_pub.slice(2) === ZERO_KEY) throw requestInvalid('my_persistent_pub', 'a key that is not zero');
  if (my_persistent_pub.slice(2) === counterparty) throw requestInvalid('counterparty', 'another key than the own one');
  return { ...read, uuid, counterparty, my_persistent_pub, secret: secretOf(read, options.random) };
}

const ticker = z.string().min(1).max(64).regex(PRINTABLE);
const amount = z.custom<DecimalText>(
  (value) =>
    typeof value === 'string' && value.length <= LONGEST_AMOUNT && isDecimalText(value) && toBigNumber(value).gt(0),
  'a decimal number above 0, as a text',
);
const count = z.number().int().nonnegative();
const hex = (bytes: number) =>
  z.string().refine((value) => value.length === bytes * 2 && isHex(value), `${bytes} bytes in hex`);

/** These members and no others, because a log keeps forever what it gets. */
const SHAPE = z.strictObject({
  role: z.enum(['maker', 'taker'], 'maker or taker'),
  uuid: z.string('a UUID').max(64, 'a UUID'),
  my_order_uuid: z.string('a UUID or null').max(64, 'a UUID or null').nullable(),
  maker_coin: ticker,
  taker_coin: ticker,
  maker_amount: amount,
  taker_amount: amount,
  counterparty: hex(32),
  my_persistent_pub: hex(33),
  lock_duration: z.number('whole seconds'),
  maker_payment_confirmations: count,
  maker_payment_requires_nota: z.boolean(),
  taker_payment_confirmations: count,
  taker_payment_requires_nota: z.boolean(),
  secret: hex(32).nullable(),
  use_watchers: z.boolean(),
});

function readShape(request: SwapRequest): SwapRequest {
  let read: z.ZodSafeParseResult<SwapRequest>;
  try {
    read = SHAPE.safeParse(request);
  } catch {
    throw requestInvalid('', 'an object whose members can be read');
  }
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') throw requestInvalid(String(issue.keys[0]).slice(0, 64), 'no such member');
  throw requestInvalid(String(issue?.path[0] ?? ''), issue?.message ?? 'a request');
}

/**
 * Refuses amounts that a chain cannot send: finer than its base unit, or below its minimum. An inactive coin is checked
 * once it is active.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID that names the member at fault.
 */
export function checkAmounts(
  request: SwapRequest,
  traitsOf: (coin: string) => { readonly decimals: number; readonly minTxAmount: bigint } | undefined,
): void {
  for (const leg of ['maker', 'taker'] as const) {
    const coin = request[`${leg}_coin`];
    const traits = traitsOf(coin);
    if (traits === undefined) continue;
    const value = toBigNumber(request[`${leg}_amount`]).shiftedBy(traits.decimals);
    if (!value.isInteger()) {
      throw requestInvalid(`${leg}_amount`, `at most ${traits.decimals} digits after the point, as ${coin} has`);
    }
    if (value.lt(traits.minTxAmount.toString())) {
      const least = fromBaseUnits(traits.minTxAmount, traits.decimals);
      throw requestInvalid(`${leg}_amount`, `at least ${least} ${coin}`);
    }
  }
}

function checkLockDuration(request: SwapRequest, base: Seconds = BASE_LOCK_DURATION): void {
  const { maker_coin, taker_coin, lock_duration } = request;
  const notarisationRequired = request.maker_payment_requires_nota || request.taker_payment_requires_nota;
  const allowed = lockDurations({ makerCoin: maker_coin, takerCoin: taker_coin, notarisationRequired, base });
  if (allowed.includes(lock_duration)) return;
  throw requestInvalid('lock_duration', `${allowed.join(' or ')} seconds for ${maker_coin} and ${taker_coin}`);
}

/**
 * Refuses to wait for what no one can see: that a payment on a chain is notarized.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID that names the member at fault.
 */
export function checkNotarisation(request: SwapRequest, canTell: (coin: string) => boolean): void {
  for (const leg of ['maker', 'taker'] as const) {
    const coin = request[`${leg}_coin`];
    if (!request[`${leg}_payment_requires_nota`] || canTell(coin)) continue;
    const next = `Nothing was written. Require more confirmations of ${coin} instead, or use an adapter that can tell.`;
    const expected = `false: the adapter of ${coin} cannot tell whether a payment is notarised`;
    throw requestInvalid(`${leg}_payment_requires_nota`, expected, { next });
  }
}

function secretOf({ role, secret }: SwapRequest, random: Random): string | null {
  if (role === 'taker') {
    if (secret !== null) throw requestInvalid('secret', 'null for a taker');
    return null;
  }
  if (secret === null) return bytesToHex(random.bytes(32));
  if (secret === ZERO_KEY) throw requestInvalid('secret', '32 bytes that nobody can guess');
  return secret.toLowerCase();
}

/** Whether a stored request equals the given one. A maker that named no secret got one. */
export function sameRequest(stored: SwapRequest, given: SwapRequest, named: SwapRequest): boolean {
  const wanted = named.secret === null ? { ...given, secret: stored.secret } : given;
  return canonicalJson(stored) === canonicalJson(wanted);
}
