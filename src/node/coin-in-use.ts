/** A coin is not taken out while swaps use it. It ends in an answer and is no fault of the program. */
export class CoinInUse extends Error {
  readonly coin: string;
  /** Uuids of the swaps. */
  readonly swaps: readonly string[];

  constructor(coin: string, swaps: readonly string[]) {
    super(`${coin} is used by swaps that are under way`);
    this.name = 'CoinInUse';
    this.coin = coin;
    this.swaps = swaps;
  }
}
