import { hex2, hex8, hexAmount, hexNumber } from '../mix.ts';
import type { AccountDraft } from './codec.ts';
import type { AccountTransaction, Call } from './transaction.ts';

/** How many hex digits an address and the id of a payment have. */
export type Widths = { readonly address: number; readonly swap: number };

const KINDS: readonly Call['kind'][] = ['transfer', 'payment', 'claim', 'refund'];
/** Added to the number of a kind if a reward follows. */
const REWARDED = 4;
const PRICE_DIGITS = 14;
const AMOUNT_DIGITS = 24;
const SECRET_DIGITS = 64;

/** A transaction without its signature: fields of fixed width one after the other, texts after their length. */
export function writeFields({ signer, nonce, price, gas, value, call }: AccountDraft, widths: Widths): string {
  const head =
    hex8(nonce) + hexNumber(price, PRICE_DIGITS) + hex8(gas) + signer.address + hexAmount(value, AMOUNT_DIGITS);
  const { kind, party, reward } = call;
  const body = hex2(KINDS.indexOf(kind) + (reward === undefined ? 0 : REWARDED)) + party;
  return head + body + restOf(call, widths) + rewardText(call, widths);
}

function restOf(call: Call, widths: Widths): string {
  const { kind, hash } = call;
  if (kind === 'transfer') return '';
  const swap = call.swap.padEnd(widths.swap, '0');
  if (kind === 'claim') return swap + hexAmount(call.amount, AMOUNT_DIGITS) + (call.secret ?? '');
  const named = swap + hex2(hash.length >> 1) + hash;
  return kind === 'payment'
    ? named + hex8(call.lockTime) + hex8(call.lockBlocks)
    : named + hexAmount(call.amount, AMOUNT_DIGITS);
}

function rewardText({ reward }: Call, widths: Widths): string {
  if (reward === undefined) return '';
  const { target, onClaim, amount, owner } = reward;
  return hex2(target) + hex2(onClaim ? 1 : 0) + hexAmount(amount, AMOUNT_DIGITS) + owner.padStart(widths.address, '0');
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
  const code = number(2);
  const kind = KINDS[code % REWARDED];
  const party = take(widths.address);
  if (kind === undefined) return null;
  const swap = kind === 'transfer' ? '' : take(widths.swap);
  const hash = kind === 'payment' || kind === 'refund' ? take(2 * number(2)) : '';
  const lockTime = kind === 'payment' ? number(8) : 0;
  const lockBlocks = kind === 'payment' ? number(8) : 0;
  const taken = kind === 'claim' || kind === 'refund' ? amount() : 0n;
  const secret = kind === 'claim' ? take(SECRET_DIGITS) : null;
  const rewarded = code >= REWARDED && code < 2 * REWARDED && kind !== 'transfer';
  if (code >= REWARDED && !rewarded) return null;
  const reward = rewarded
    ? { target: number(2), onClaim: number(2) === 1, amount: amount(), owner: take(widths.address) }
    : null;
  if (at !== text.length) return null;
  return {
    from,
    nonce,
    price,
    gas,
    value,
    call: {
      ...{ kind, swap, party, amount: taken, secret, hash, lockTime, lockBlocks },
      ...(reward === null ? {} : { reward: { ...reward, owner: kind === 'payment' ? '' : reward.owner } }),
    },
  };
}
