import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';

/** An output that can be spent now. */
export type SpendableCoin = OutPoint & { readonly output: TransactionOutput };

export type CoinChoice = {
  /** Satoshis that are needed. */
  readonly total: bigint;
  /** Maximum number of coins. */
  readonly most: number;
};

/**
 * Coins for the inputs of a module's transaction, chosen as the smart-chain node does, so that equal coins give equal transactions. Skips coins below
 * `total / most`. Collects candidates in the given order until they suffice; of these each step takes one of exactly the missing amount, otherwise
 * the smallest above it, otherwise the largest below. Undefined if they do not suffice.
 */
export function chooseCoins(
  coins: Iterable<SpendableCoin>,
  { total, most }: CoinChoice,
): readonly SpendableCoin[] | undefined {
  const candidates = gather(coins, { total, most });
  const chosen: SpendableCoin[] = [];
  let left = total;
  while (left > 0n && chosen.length < most) {
    const index = bestFit(candidates, left);
    const coin = candidates[index];
    if (coin === undefined) break;
    chosen.push(coin);
    left -= coin.output.value;
    const last = candidates.pop() as SpendableCoin;
    if (index < candidates.length) candidates[index] = last;
  }
  return left > 0n ? undefined : chosen;
}

function gather(coins: Iterable<SpendableCoin>, { total, most }: CoinChoice): SpendableCoin[] {
  const threshold = total / BigInt(most);
  const candidates: SpendableCoin[] = [];
  let sum = 0n;
  for (const coin of coins) {
    if (coin.output.value < threshold) continue;
    candidates.push(coin);
    sum += coin.output.value;
    if (candidates.length >= most || sum >= total) break;
  }
  return candidates;
}

function bestFit(candidates: readonly SpendableCoin[], wanted: bigint): number {
  let above = -1;
  let below = -1;
  const valueAt = (index: number) => candidates[index]?.output.value ?? 0n;
  for (const [index, { output }] of candidates.entries()) {
    if (output.value === wanted) return index;
    if (output.value > wanted && (above === -1 || output.value < valueAt(above))) above = index;
    if (output.value < wanted && (below === -1 || output.value > valueAt(below))) below = index;
  }
  return above === -1 ? below : above;
}
