import type { TransactionOutput } from '../../htlc/transaction.ts';
import { type FeeRate, feeAt, type UtxoCoin } from './coin.ts';
import { type Coin, sizeWith } from './sign-coins.ts';

/** More would make a transaction that is too large to be relayed. */
export const MOST_COINS = 500;

type Paying = {
  readonly outputs: readonly TransactionOutput[];
  readonly rate: FeeRate;
  /** Where what is left goes: an output script. */
  readonly change: Uint8Array;
};

/**
 * In which order coins are taken: first the smallest that is enough alone, then the largest. None that costs more than it brings. Anyone can send a
 * wallet thousands of small coins: taken in the order in which they came, they would make its transactions dear, and too large for any node.
 */
export function inOrder(free: readonly Coin[], { outputs, rate, change }: Paying, coin: UtxoCoin): readonly Coin[] {
  const all = [...outputs, { value: 0n, script: change }];
  const paid = outputs.reduce((total, { value }) => total + value, 0n);
  const needed = paid + feeAt(rate, sizeWith(1, all, coin)) + coin.dust;
  const worth = worthTaking(free, { rate, coin });
  const alone = worth.findLast(({ value }) => value >= needed);
  return alone === undefined ? worth : [alone, ...worth.filter((one) => one !== alone)];
}

/** Those that bring more than they cost, the largest first. */
export function worthTaking(
  free: readonly Coin[],
  { rate, coin }: { readonly rate: FeeRate; readonly coin: UtxoCoin },
): readonly Coin[] {
  const cost = costOf(coin, rate);
  const worth = free.filter(({ value }) => value > cost);
  return worth.toSorted((left, right) => (left.value > right.value ? -1 : Number(left.value < right.value)));
}

/** What taking one coin more costs, in base units. */
export function costOf(coin: UtxoCoin, rate: FeeRate): bigint {
  return feeAt(rate, sizeWith(2, [], coin) - sizeWith(1, [], coin));
}
