import { hex2, hex8, hexAmount, hexNumber } from '../mix.ts';
import type { AccountDraft } from './codec.ts';
import type { AccountTransaction, Call } from './transaction.ts';

/** How many hex digits an address and the id of a payment have. */
export type Widths = { readonly address: number; readonly swap: number };

const KINDS: readonly Call['kind'][] = ['transfer', 'payment', 'claim', 'refund'];
const PRICE_DIGITS = 14;
const AMOUNT_DIGITS = 24;
const SECRET_DIGITS = 64;

/** A transaction without its signature: fields of fixed width one after the other, texts after their length. */
export function writeFields({ signer, nonce, price, gas, value, call }: AccountDraft, widths: Widths): string {
  const head =
    hex8(nonce) + hexNumber(price, PRICE_DIGITS) + hex8(gas) + signer.address + hexAmount(value, AMOUNT_DIGITS);
  const { kind, party, hash } = call;
  const body = hex2(KINDS.indexOf(kind)) + party;
  if (kind === 'transfer') return head + body;
  const swap = call.swap.padEnd(widths.swap, '0');
  if (kind === 'claim') return head + body + swap + hexAmount(call.amount, AMOUNT_DIGITS) + (call.secret ?? '');
  const named = body + swap + hex2(hash.length >> 1) + hash;
  return kind === 'payment'
    ? head + named + hex8(call.lockTime) + hex8(call.lockBlocks)
    : head + named + hexAmount(call.amount, AMOUNT_DIGITS);
}

export type Fields = Omit<AccountTransaction, 'id' | 'hex' | 'signed'>;

/** What {@link writeFields} wrote; null for any other text. */
export function readFields(text: string, widths: Widths): Fields | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  let at = 0;
  const take = (digits: number): string => {
    at += digits;
    return text.slice(at - digits, at);
  };
  const number = (digits: number): number => Number.parseInt(take(digits), 16);
  const amount = (): bigint => {
    const digits = take(AMOUNT_DIGITS);
    return digits.length === AMOUNT_DIGITS ? BigInt(`0x${digits}`) : 0n;
  };
  const nonce = number(8);
  const price = number(PRICE_DIGITS);
  const gas = number(8);
  const from = take(widths.address);
  const value = amount();
  const kind = KINDS[number(2)];
  const party = take(widths.address);
  if (kind === undefined) return null;
  const swap = kind === 'transfer' ? '' : take(widths.swap);
  const hash = kind === 'payment' || kind === 'refund' ? take(2 * number(2)) : '';
  const lockTime = kind === 'payment' ? number(8) : 0;
  const lockBlocks = kind === 'payment' ? number(8) : 0;
  const taken = kind === 'claim' || kind === 'refund' ? amount() : 0n;
  const secret = kind === 'claim' ? take(SECRET_DIGITS) : null;
  if (at !== text.length) return null;
  return {
    from,
    nonce,
    price,
    gas,
    value,
    call: { kind, swap, party, amount: taken, secret, hash, lockTime, lockBlocks },
  };
}
