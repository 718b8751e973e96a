import type { SwapRequest } from '../events/journal.ts';
import { BASE_LOCK_DURATION, lockDurations } from '../htlc/lock-times.ts';
import type { Random } from '../ports/clock.ts';
import { isDecimalText, toBigNumber } from '../primitives/decimal.ts';
import { bytesToHex, isHex } from '../primitives/hex.ts';
import { parseUuid } from '../primitives/ids.ts';
import { canonicalJson } from '../primitives/json.ts';
import type { Seconds } from '../primitives/time.ts';
import { requestInvalid } from './errors.ts';

const ZERO_KEY = '0'.repeat(64);

export type CheckOptions = {
  /** Source of a maker's secret. */
  readonly random: Random;
  /** From which all lock durations derive. @defaultValue 7800 s (KDF) */
  readonly paymentLocktime?: Seconds;
};

/**
 * The request as it is stored: ids and hex in canonical spelling, and a secret of its own for a maker that names none. The lock
 * duration must be one that the rule of KDF gives for the two coins, because the other side works out its own.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID that names the member at fault.
 */
export function checkRequest(request: SwapRequest, options: CheckOptions): SwapRequest {
  const uuid = parseUuid(request.uuid);
  if (uuid === undefined) throw requestInvalid('uuid', 'a UUID');
  const { role, maker_coin, taker_coin } = request;
  if (role !== 'maker' && role !== 'taker') throw requestInvalid('role', 'maker or taker');
  if (typeof maker_coin !== 'string' || maker_coin === '') throw requestInvalid('maker_coin', 'a ticker');
  if (typeof taker_coin !== 'string' || taker_coin === '') throw requestInvalid('taker_coin', 'a ticker');
  if (maker_coin === taker_coin) throw requestInvalid('taker_coin', 'another coin than the maker coin');
  for (const member of ['maker_amount', 'taker_amount'] as const) {
    const amount = request[member];
    if (!isDecimalText(amount) || !toBigNumber(amount).gt(0)) throw requestInvalid(member, 'a decimal number above 0');
  }
  for (const member of ['maker_payment_confirmations', 'taker_payment_confirmations'] as const) {
    if (!isWhole(request[member])) throw requestInvalid(member, 'a whole number from 0');
  }
  checkLockDuration(request, options.paymentLocktime);
  const counterparty = hexOf(request.counterparty, { member: 'counterparty', bytes: 32 });
  if (counterparty === ZERO_KEY) throw requestInvalid('counterparty', 'a key that is not zero');
  const my_persistent_pub = hexOf(request.my_persistent_pub, { member: 'my_persistent_pub', bytes: 33 });
  return { ...request, uuid, counterparty, my_persistent_pub, secret: secretOf(request, options.random) };
}

function checkLockDuration(request: SwapRequest, base: Seconds = BASE_LOCK_DURATION): void {
  const { maker_coin, taker_coin, lock_duration } = request;
  const notarisationRequired = request.maker_payment_requires_nota || request.taker_payment_requires_nota;
  const allowed = lockDurations({ makerCoin: maker_coin, takerCoin: taker_coin, notarisationRequired, base });
  if (allowed.includes(lock_duration)) return;
  throw requestInvalid('lock_duration', `${allowed.join(' or ')} seconds for ${maker_coin} and ${taker_coin}`);
}

/**
 * Refuses to wait for what nobody can see: that a payment on a chain is notarised.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID that names the member at fault.
 */
export function checkNotarisation(request: SwapRequest, canTell: (coin: string) => boolean): void {
  for (const leg of ['maker', 'taker'] as const) {
    const coin = request[`${leg}_coin`];
    if (!request[`${leg}_payment_requires_nota`] || canTell(coin)) continue;
    const next = `Nothing was written. Ask for more confirmations of ${coin} instead, or use an adapter that can tell.`;
    const expected = `false: the adapter of ${coin} cannot tell whether a payment is notarised`;
    throw requestInvalid(`${leg}_payment_requires_nota`, expected, { next });
  }
}

function secretOf({ role, secret }: SwapRequest, random: Random): string | null {
  if (role === 'taker') {
    if (secret !== null) throw requestInvalid('secret', 'null for a taker');
    return null;
  }
  return secret === null ? bytesToHex(random.bytes(32)) : hexOf(secret, { member: 'secret', bytes: 32 });
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function hexOf(value: string, { member, bytes }: { readonly member: string; readonly bytes: number }): string {
  if (typeof value !== 'string' || value.length !== bytes * 2 || !isHex(value)) {
    throw requestInvalid(member, `${bytes} bytes in hex`);
  }
  return value.toLowerCase();
}

/** Whether a stored request is the given one. A maker that named no secret was given one. */
export function sameRequest(stored: SwapRequest, given: SwapRequest, named: SwapRequest): boolean {
  const wanted = named.secret === null ? { ...given, secret: stored.secret } : given;
  return canonicalJson(stored) === canonicalJson(wanted);
}
