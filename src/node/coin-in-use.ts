/**
 * A coin is not taken out while swaps use it. It ends in an answer and is no fault of the program.
 *
 * @example
 * ```ts
 * import { CoinInUse } from 'swapfold/node';
 *
 * const told = (error: unknown) => (error instanceof CoinInUse ? `wait for ${error.swaps}` : 'a bug');
 * const swaps = ['5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a99'];
 * told(new CoinInUse('KMD', swaps)); // → 'wait for 5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a99'
 * ```
 */
export class CoinInUse extends Error {
  readonly coin: string;
  /** Uuids of the swaps. */
  readonly swaps: readonly string[];

  constructor(coin: string, swaps: readonly string[]) {
    super(`running swaps use ${coin}`);
    this.name = 'CoinInUse';
    this.coin = coin;
    this.swaps = swaps;
  }
}
