import type { SwapRequest } from '../events/journal.ts';
import type { Random } from '../ports/clock.ts';
import { isDecimalText, toBigNumber } from '../primitives/decimal.ts';
import { bytesToHex, isHex } from '../primitives/hex.ts';
import { parseUuid } from '../primitives/ids.ts';
import { canonicalJson } from '../primitives/json.ts';
import { requestInvalid } from './errors.ts';

const ZERO_KEY = '0'.repeat(64);

/**
 * The request as it is stored: ids and hex in canonical spelling, and a secret of its own for a maker that names none.
 *
 * @throws RuntimeError SWAP_REQUEST_INVALID that names the member at fault.
 */
export function checkRequest(request: SwapRequest, random: Random): SwapRequest {
  const uuid = parseUuid(request.uuid);
  if (uuid === undefined) throw requestInvalid('uuid', 'a UUID');
  const { role, maker_coin, taker_coin, lock_duration } = request;
  if (role !== 'maker' && role !== 'taker') throw requestInvalid('role', 'maker or taker');
  if (maker_coin === '') throw requestInvalid('maker_coin', 'a ticker');
  if (taker_coin === '') throw requestInvalid('taker_coin', 'a ticker');
  if (maker_coin === taker_coin) throw requestInvalid('taker_coin', 'another coin than the maker coin');
  for (const member of ['maker_amount', 'taker_amount'] as const) {
    const amount = request[member];
    if (!isDecimalText(amount) || !toBigNumber(amount).gt(0)) throw requestInvalid(member, 'a decimal number above 0');
  }
  for (const member of ['maker_payment_confirmations', 'taker_payment_confirmations'] as const) {
    if (!isWhole(request[member])) throw requestInvalid(member, 'a whole number from 0');
  }
  if (!isWhole(lock_duration) || lock_duration === 0) throw requestInvalid('lock_duration', 'whole seconds above 0');
  const counterparty = hexOf(request.counterparty, { member: 'counterparty', bytes: 32 });
  if (counterparty === ZERO_KEY) throw requestInvalid('counterparty', 'a key that is not zero');
  const my_persistent_pub = hexOf(request.my_persistent_pub, { member: 'my_persistent_pub', bytes: 33 });
  return { ...request, uuid, counterparty, my_persistent_pub, secret: secretOf(request, random) };
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
