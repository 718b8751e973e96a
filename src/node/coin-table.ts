import { ActivationFailure } from './activation-failure.ts';
import type { ActiveCoin } from './active-coin.ts';
import type { Compatibility } from './compatibility.ts';

/** Who has to know of coins beside those who ask for them. */
export type CoinTableOptions = {
  /** Called in the moment in which a coin becomes active. */
  readonly onActive?: (coin: ActiveCoin) => void;
  /** Called when it was taken out, before its connections are let go; not when the table is closed. */
  readonly onGone?: (coin: ActiveCoin) => void;
  /** In whose words a coin is refused that another request is activating. @defaultValue 'specification' */
  readonly compatibility?: Compatibility;
};

/** Places of coins that are being activated. */
export type Reservation = {
  /**
   * Makes them active, in this moment and all of them. What was reserved and is not among them is free again.
   *
   * @throws ActivationFailure nodeStopping: none is active then
   */
  readonly commit: (coins: readonly ActiveCoin[]) => void;
  /** Lets go of the places. After a commit it changes nothing. */
  readonly release: () => void;
};

/**
 * The coins of a node.
 *
 * - J1: a coin is activated once per session (specification §8): who asks while it is being activated, or when it is, is refused.
 * - J2: what fails leaves nothing; the coin can be activated anew at once.
 * - J3: once the table is closed no coin is active, also none that was being activated.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { bytesToHex } from 'swapfold/htlc';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { type CoinTable, coinsOf, createNode, walletOfPassphrase } from 'swapfold/node';
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const signer = walletOfPassphrase(new Secret('a phrase that no one else knows'));
 * const peers = createInProcessNetwork().peer(bytesToHex(signer.coins.key.subarray(1)));
 * const coins = coinsOf([{ coin: 'KMD', protocol: { type: 'UTXO' } }], 'these coins');
 * const node = createNode({ coins, signer, log: createMemoryLog(), peers, clock });
 * const table: CoinTable = node.coins;
 * [table.active(), table.get('KMD')]; // → [[], undefined]
 * await node.close();
 * table.reserve(['KMD']); // throws ActivationFailure
 * ```
 */
export class CoinTable {
  readonly #coins = new Map<string, ActiveCoin | 'activating'>();
  /** Coins that were taken out while their tokens stayed. */
  readonly #passive = new Set<string>();
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

  /** Active coins whose fees are paid in this one. */
  dependantsOf(ticker: string): readonly ActiveCoin[] {
    return this.active().filter(({ platform }) => platform === ticker);
  }

  /** Whether it was taken out and tokens of it stayed. */
  isPassive(ticker: string): boolean {
    return this.#passive.has(ticker) && this.dependantsOf(ticker).length > 0;
  }

  /**
   * A coin that was taken out while its tokens stayed counts as active here, as with the real node.
   *
   * @throws ActivationFailure alreadyActive, or underWay while another activation of the coin is
   */
  requireInactive(ticker: string): void {
    if (this.#coins.has(ticker) || this.isPassive(ticker)) throw this.#occupied(ticker);
  }

  #occupied(ticker: string): ActivationFailure {
    const isUnderWay = this.#coins.get(ticker) === 'activating';
    const text =
      isUnderWay && this.#options.compatibility !== 'kdf' ? underWay(ticker) : `Coin ${ticker} already initialized`;
    return new ActivationFailure(isUnderWay ? 'underWay' : 'alreadyActive', text);
  }

  /** Takes the places of coins that are about to be activated. @throws ActivationFailure alreadyActive, underWay, nodeStopping; none is taken then */
  reserve(tickers: readonly string[]): Reservation {
    this.#requireOpen();
    const taken = tickers.find((ticker) => this.#coins.has(ticker));
    if (taken !== undefined) throw this.#occupied(taken);
    for (const ticker of tickers) this.#coins.set(ticker, 'activating');
    let isOver = false;
    const release = (): void => {
      if (isOver) return;
      isOver = true;
      for (const ticker of tickers) if (this.#coins.get(ticker) === 'activating') this.#coins.delete(ticker);
    };
    return {
      release,
      commit: (coins) => {
        release();
        this.#requireOpen();
        for (const coin of coins) {
          this.#passive.delete(coin.ticker);
          this.#coins.set(coin.ticker, coin);
          this.#options.onActive?.(coin);
        }
      },
    };
  }

  /** Activates a coin. @throws ActivationFailure alreadyActive, underWay, nodeStopping; what `create` throws */
  async activate(ticker: string, create: () => Promise<ActiveCoin>): Promise<ActiveCoin> {
    this.#requireOpen();
    this.requireInactive(ticker);
    const place = this.reserve([ticker]);
    try {
      const coin = await create();
      if (this.#closed) coin.close();
      place.commit([coin]);
      return coin;
    } catch (error) {
      place.release();
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

  /** The same of a coin whose tokens stay: until they are gone, or it is activated with tokens again, it is not activated by itself. */
  passivate(ticker: string): ActiveCoin | undefined {
    const coin = this.remove(ticker);
    if (coin !== undefined) this.#passive.add(ticker);
    return coin;
  }

  /** A coin that was taken out in an earlier process is out still, though tokens of it are active. It changes nothing for one that is active. */
  keepOut(ticker: string): void {
    if (this.get(ticker) === undefined) this.#passive.add(ticker);
  }

  /** Lets go of all coins, for good. */
  close(): void {
    this.#closed = true;
    for (const coin of this.active()) coin.close();
    this.#coins.clear();
  }

  #requireOpen(): void {
    if (this.#closed) throw new ActivationFailure('nodeStopping', 'the node is stopping');
  }
}

/** It may yet come to nothing, so it is called active by nobody. */
function underWay(ticker: string): string {
  return (
    `Coin ${ticker} is already being activated by another request, and is not active yet: wait for that request to ` +
    'end; for a task, see its status, or cancel it'
  );
}
