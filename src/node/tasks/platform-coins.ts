import type { ActiveCoin } from '../../ports/coin-wallet.ts';
import { ActivationFailure } from '../activation-failure.ts';
import type { CoinTable, Reservation } from '../coin-table.ts';

export type TokenInUse = {
  readonly ticker: string;
  /** Ticker of its chain's own coin. */
  readonly platform: string;
  /** By which its chain knows it: its contract, or its denomination. */
  readonly contract: string;
};

/** A chain's own coin that a task has made active in this process, with its tokens. */
export type Platform = {
  /** As swaps use them. */
  readonly coins: readonly ActiveCoin[];
  /** Lets go of connections. It is called once. */
  readonly close: () => void;
  readonly ticker: string;
  readonly tokens: readonly string[];
  /** What its chain knows its tokens by, by their tickers: contracts, or denominations. */
  readonly contracts: Readonly<Record<string, string>>;
  /** The task that activated it, as its stream. */
  readonly stream: string;
};

/**
 * The coins of chains with tokens that tasks have activated. They stand in the coin table of the node, like all others.
 *
 * - J16: a coin is active from the moment in which its task has succeeded, and no task succeeds for a coin that is active (specification §8).
 */
export class PlatformCoins {
  readonly #table: CoinTable | null;
  readonly #coins = new Map<string, Platform>();
  readonly #reserved = new Map<string, Reservation>();
  /** Those that were taken out while tokens that came with them stay. */
  readonly #leftOver = new Set<Platform>();
  /** Of tasks whose tokens are in use without the coin, by the streams of these tasks. */
  readonly #passive = new Map<string, Platform>();

  /** What a user has disabled in this process. */
  readonly #disabled = new Set<string>();

  /** @param table of the node. @defaultValue none: what is activated is known here alone */
  constructor(table: CoinTable | null = null) {
    this.#table = table;
  }

  /** Active coins, in the order of their activation. */
  active(): readonly Platform[] {
    return [...this.#coins.values()];
  }

  get(ticker: string): Platform | undefined {
    return this.#coins.get(ticker);
  }

  /** Whether a ticker is active, whatever activated it. */
  has(ticker: string): boolean {
    if (this.#table?.get(ticker) !== undefined) return true;
    return (
      this.#coins.has(ticker) || this.active().some(({ tokens }) => this.#table === null && tokens.includes(ticker))
    );
  }

  /** Notes that a user disables a ticker: what is still to come back from an earlier process comes back without it. */
  noteDisabled(ticker: string): void {
    this.#disabled.add(ticker);
  }

  /** Whether a user has disabled a ticker in this process, and nothing has activated it since. */
  isDisabled(ticker: string): boolean {
    return this.#disabled.has(ticker) && !this.has(ticker);
  }

  /** Whether a task is to bring a token into use no more: one that it has let go of, or that was to come back and that a user has disabled meanwhile. */
  isGone(
    token: string,
    { released, resumes }: { readonly released: readonly string[]; readonly resumes: boolean },
  ): boolean {
    return released.includes(token) || (resumes && this.isDisabled(token));
  }

  /** Tokens that tasks have activated and that are active, those among them whose chain's own coin was taken out. */
  tokensInUse(): readonly TokenInUse[] {
    return [...this.#coins.values(), ...this.#leftOver].flatMap((coin) =>
      Object.entries(coin.contracts).flatMap(([ticker, contract]) =>
        this.#hasActive(coin, ticker) ? [{ ticker, platform: coin.ticker, contract }] : [],
      ),
    );
  }

  /** Tasks that brought a token into use, or keep it there, as their streams. */
  streamsOf(token: string): readonly string[] {
    return [...this.#coins.values(), ...this.#passive.values()].flatMap(({ tokens, stream }) =>
      tokens.includes(token) ? [stream] : [],
    );
  }

  /** Tasks whose tokens are in use without this coin, as their streams. */
  passiveOf(ticker: string): readonly string[] {
    return [...this.#passive.values()].flatMap((coin) => (coin.ticker === ticker ? [coin.stream] : []));
  }

  /** Whether a task's coin is in use in this process, or its tokens are without it. */
  holds(stream: string): 'coin' | 'tokens' | null {
    if (this.#passive.has(stream)) return 'tokens';
    return this.active().some((coin) => coin.stream === stream) ? 'coin' : null;
  }

  /** Whether a token is active whose gas is paid in this coin. */
  hasToken(ticker: string, platform: string): boolean {
    return this.#table?.get(ticker)?.platform === platform;
  }

  /** What is active of a coin and of those whose fees are paid in it, whatever activated them. */
  together(platform: string): readonly ActiveCoin[] {
    const own = this.#table?.get(platform);
    return [...(own === undefined ? [] : [own]), ...(this.#table?.dependantsOf(platform) ?? [])];
  }

  /** Whether the coin of a ticker that came with this one is the one that is active; one that was activated anew since is another. */
  #hasActive({ coins }: Platform, ticker: string): boolean {
    const table = this.#table;
    return table === null || coins.some((coin) => coin.ticker === ticker && table.get(ticker) === coin);
  }

  /**
   * Takes the places of coins that are about to be activated for this one; they are made active by {@link add} or {@link addTokens}.
   *
   * @throws ActivationFailure alreadyActive, nodeStopping; none is taken then
   */
  reserve(platform: string, tickers: readonly string[]): Reservation | null {
    const place = this.#table?.reserve(tickers) ?? null;
    if (place === null) return null;
    this.#reserved.set(platform, place);
    return {
      ...place,
      release: () => {
        place.release();
        if (this.#reserved.get(platform) === place) this.#reserved.delete(platform);
      },
    };
  }

  /**
   * The coin of a token that is active for this platform, which stays as it is; undefined where the token is not active.
   *
   * @throws ActivationFailure alreadyActive for a ticker that something else has
   */
  kept(ticker: string, { platform, contract }: { readonly platform: string; readonly contract: string }) {
    const active = this.#table?.get(ticker);
    if (active === undefined) return undefined;
    const used = this.tokensInUse().find((other) => other.ticker === ticker);
    const isSame = used === undefined || used.contract.toLowerCase() === contract.toLowerCase();
    if (active.platform !== platform || !isSame)
      throw new ActivationFailure('alreadyActive', `Coin ${ticker} already initialized`);
    return active;
  }

  /** @throws RangeError for a coin that is active */
  add(coin: Platform): void {
    if (this.#coins.has(coin.ticker)) throw new RangeError(`${coin.ticker} is active`);
    this.#commit(coin);
    this.#coins.set(coin.ticker, coin);
  }

  /** The same of the tokens of a coin that is out of use, or that something else has brought into use. */
  addTokens(coin: Platform): void {
    this.#commit(coin);
    this.#table?.keepOut(coin.ticker);
    this.#passive.set(coin.stream, coin);
    this.#leftOver.add(coin);
    this.sweep();
  }

  #commit({ ticker, coins }: Platform): void {
    this.#reserved.get(ticker)?.commit(coins);
    this.#reserved.delete(ticker);
  }

  /** Forgets a coin, and lets go of its connections as soon as none of its tokens is active. Its task keeps those that are, until it is let go. */
  remove(ticker: string): Platform | undefined {
    const coin = this.#coins.get(ticker);
    if (coin === undefined) return undefined;
    this.#coins.delete(ticker);
    this.#passive.set(coin.stream, coin);
    this.#leftOver.add(coin);
    this.sweep();
    return coin;
  }

  /** Nothing of a task is in use any more. */
  letGoOf(stream: string): void {
    this.#passive.delete(stream);
  }

  /** Lets go of what was left for tokens that are gone. */
  sweep(): void {
    for (const coin of this.#leftOver) {
      if (this.#table !== null && coin.coins.some(({ ticker }) => this.#hasActive(coin, ticker))) continue;
      this.#leftOver.delete(coin);
      letGo(coin);
    }
  }

  /** Coins that are in a table are let go of with it: swaps may still need them. */
  close(): void {
    if (this.#table === null) this.finish();
  }

  /** Lets go of everything. */
  finish(): void {
    for (const coin of [...this.#coins.values(), ...this.#leftOver]) letGo(coin);
    this.#coins.clear();
    this.#leftOver.clear();
    this.#passive.clear();
  }
}

/** A connection that cannot be let go of keeps neither this coin in use nor another one open. */
function letGo(coin: Platform): void {
  try {
    coin.close();
  } catch {
    // Nobody is left who could do anything about it.
  }
}
