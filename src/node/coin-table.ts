import { ActivationFailure } from './activation-failure.ts';
import type { ActiveCoin } from './active-coin.ts';

/**
 * The coins of a node.
 *
 * - J1: a coin is activated once per session (specification §8): who asks while it is being activated, or when it is, is refused.
 * - J2: what fails leaves nothing; the coin can be activated anew at once.
 */
export class CoinTable {
  readonly #coins = new Map<string, ActiveCoin | 'activating'>();

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

  /** Activates a coin. @throws ActivationFailure alreadyActive; what `create` throws */
  async activate(ticker: string, create: () => Promise<ActiveCoin>): Promise<ActiveCoin> {
    this.requireInactive(ticker);
    this.#coins.set(ticker, 'activating');
    try {
      const coin = await create();
      this.#coins.set(ticker, coin);
      return coin;
    } catch (error) {
      this.#coins.delete(ticker);
      throw error;
    }
  }

  /** Takes a coin out; undefined when it is not active. */
  remove(ticker: string): ActiveCoin | undefined {
    const coin = this.get(ticker);
    if (coin !== undefined) this.#coins.delete(ticker);
    return coin;
  }
}
