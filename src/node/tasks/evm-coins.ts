import type { ActivatedEvm } from '../../ports/evm-activator.ts';

/** A coin of an EVM chain that is active in this process, with its tokens. */
export type EvmPlatform = ActivatedEvm & {
  readonly ticker: string;
  readonly tokens: readonly string[];
  /** The task that activated it, as its stream. */
  readonly stream: string;
};

/**
 * The active coins of EVM chains.
 *
 * - J16: a coin is active from the moment in which its task has succeeded, and no task succeeds for a coin that is active (specification §8).
 */
export class EvmCoins {
  readonly #coins = new Map<string, EvmPlatform>();

  /** Active coins, in the order of their activation. */
  active(): readonly EvmPlatform[] {
    return [...this.#coins.values()];
  }

  get(ticker: string): EvmPlatform | undefined {
    return this.#coins.get(ticker);
  }

  /** Whether a ticker is active: a coin of a chain, or a token of one. */
  has(ticker: string): boolean {
    return this.#coins.has(ticker) || this.active().some(({ tokens }) => tokens.includes(ticker));
  }

  /** @throws RangeError for a coin that is active */
  add(coin: EvmPlatform): void {
    if (this.#coins.has(coin.ticker)) throw new RangeError(`${coin.ticker} is active`);
    this.#coins.set(coin.ticker, coin);
  }

  /** Takes a coin out and lets go of its connections. */
  remove(ticker: string): EvmPlatform | undefined {
    const coin = this.#coins.get(ticker);
    this.#coins.delete(ticker);
    try {
      coin?.close();
    } catch {
      // A connection that cannot be let go of keeps neither this coin in use nor another one open.
    }
    return coin;
  }

  close(): void {
    for (const { ticker } of this.active()) this.remove(ticker);
  }
}
