import { ActivationFailure } from './activation-failure.ts';
import type { ActiveCoin } from './active-coin.ts';

/** Who has to know of coins beside those who ask for them. */
export type CoinTableOptions = {
  /** Called in the moment in which a coin becomes active. */
  readonly onActive?: (coin: ActiveCoin) => void;
  /** Called when it was taken out, before its connections are let go; not when the table is closed. */
  readonly onGone?: (coin: ActiveCoin) => void;
};

/**
 * The coins of a node.
 *
 * - J1: a coin is activated once per session (specification §8): who asks while it is being activated, or when it is, is refused.
 * - J2: what fails leaves nothing; the coin can be activated anew at once.
 * - J3: once the table is closed no coin is active, also none that was being activated.
 */
export class CoinTable {
  readonly #coins = new Map<string, ActiveCoin | 'activating'>();
  readonly #options: CoinTableOptions;
  #closed = false;

  constructor(options: CoinTableOptions = {}) {
    this.#options = options;
  }

  /** Active coins, in the order of their activation. */
  active(): readonly ActiveCoin[] {
    return [...this.#coins.values()].filter((coin) => coin !== 'activating');
  }

  get(ticker: string): ActiveCoin | undefined {
    const coin = this.#coins.get(ticker);
    return coin === 'activating' ? undefined : coin;
  }

  /** @throws ActivationFailure alreadyActive, also while another activation of the coin is under way */
  requireInactive(ticker: string): void {
    if (!this.#coins.has(ticker)) return;
    throw new ActivationFailure('alreadyActive', `Coin ${ticker} already initialized`);
  }

  /** Activates a coin. @throws ActivationFailure alreadyActive, nodeStopping; what `create` throws */
  async activate(ticker: string, create: () => Promise<ActiveCoin>): Promise<ActiveCoin> {
    this.#requireOpen();
    this.requireInactive(ticker);
    this.#coins.set(ticker, 'activating');
    try {
      const coin = await create();
      if (this.#closed) coin.close();
      this.#requireOpen();
      this.#coins.set(ticker, coin);
      this.#options.onActive?.(coin);
      return coin;
    } catch (error) {
      this.#coins.delete(ticker);
      throw error;
    }
  }

  /** Takes a coin out and lets go of its connections; undefined when it is not active. */
  remove(ticker: string): ActiveCoin | undefined {
    const coin = this.get(ticker);
    if (coin === undefined) return undefined;
    this.#coins.delete(ticker);
    this.#options.onGone?.(coin);
    coin.close();
    return coin;
  }

  /** Lets go of all coins, for good. */
  close(): void {
    this.#closed = true;
    for (const coin of this.active()) coin.close();
    this.#coins.clear();
  }

  #requireOpen(): void {
    if (this.#closed) throw new ActivationFailure('nodeStopping', 'the node is being stopped');
  }
}
