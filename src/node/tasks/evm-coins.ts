import type { ActivatedEvm, EvmActivationResult, EvmActivator, EvmTokenOrder } from '../../ports/evm-activator.ts';
import { ActivationFailure, type ActivationFailureKind } from '../activation-failure.ts';
import type { CoinTable, Reservation } from '../coin-table.ts';
import type { TokenInUse } from './eth-order.ts';

/** A coin of an EVM chain that a task has made active in this process, with its tokens. */
export type EvmPlatform = ActivatedEvm & {
  readonly ticker: string;
  readonly tokens: readonly string[];
  /** Contracts of its tokens by their tickers; 0x and 40 hex digits. */
  readonly contracts: Readonly<Record<string, string>>;
  /** The task that activated it, as its stream. */
  readonly stream: string;
};

/**
 * The coins of EVM chains that tasks have activated. They stand in the coin table of the node, like all others.
 *
 * - J16: a coin is active from the moment in which its task has succeeded, and no task succeeds for a coin that is active (specification §8).
 */
export class EvmCoins {
  readonly #table: CoinTable | null;
  readonly #coins = new Map<string, EvmPlatform>();
  readonly #reserved = new Map<string, Reservation>();
  /** Those that were taken out while tokens that came with them stay. */
  readonly #leftOver = new Set<EvmPlatform>();
  /** Of tasks whose tokens are in use without the coin, by the streams of these tasks. */
  readonly #passive = new Map<string, EvmPlatform>();

  /** @param table of the node. @defaultValue none: what is activated is known here alone */
  constructor(table: CoinTable | null = null) {
    this.#table = table;
  }

  /** Active coins, in the order of their activation. */
  active(): readonly EvmPlatform[] {
    return [...this.#coins.values()];
  }

  get(ticker: string): EvmPlatform | undefined {
    return this.#coins.get(ticker);
  }

  /** Whether a ticker is active, whatever activated it. */
  has(ticker: string): boolean {
    if (this.#table?.get(ticker) !== undefined) return true;
    return (
      this.#coins.has(ticker) || this.active().some(({ tokens }) => this.#table === null && tokens.includes(ticker))
    );
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

  /** Whether the coin of a ticker that came with this one is the one that is active; one that was activated anew since is another. */
  #hasActive({ coins }: EvmPlatform, ticker: string): boolean {
    const table = this.#table;
    return table === null || coins.some((coin) => coin.ticker === ticker && table.get(ticker) === coin);
  }

  /** The same activator, which keeps others from a coin while it activates it; tokens that are active already stay as they are. */
  reserving(activator: EvmActivator): EvmActivator {
    const table = this.#table;
    if (table === null) return activator;
    return {
      activate: async (order, talk) => {
        let tokens: readonly EvmTokenOrder[];
        let place: Reservation;
        try {
          tokens = order.tokens.map((token) => this.#orKept(token, { platform: order.ticker, table }));
          const added = tokens.filter(({ kept }) => kept === undefined);
          const own = order.passive ? [] : [order.ticker];
          place = table.reserve([...own, ...added.map(({ ticker }) => ticker)]);
        } catch (error) {
          if (!(error instanceof ActivationFailure)) throw error;
          return refused(order.ticker, { error, isActive: table.get(order.ticker) !== undefined });
        }
        try {
          const result = await activator.activate({ ...order, tokens }, talk);
          if (!result.ok) {
            place.release();
            return result;
          }
          this.#reserved.set(order.ticker, place);
          return { ok: true, value: this.#letGo(order.ticker, { place, made: result.value }) };
        } catch (error) {
          place.release();
          throw error;
        }
      },
    };
  }

  /** The same token, as one to keep where it is active. @throws ActivationFailure alreadyActive for a ticker that something else has */
  #orKept(token: EvmTokenOrder, { platform, table }: { platform: string; table: CoinTable }): EvmTokenOrder {
    const { ticker, contract } = token;
    const active = table.get(ticker);
    if (active === undefined) return token;
    const used = this.tokensInUse().find((other) => other.ticker === ticker);
    const isSame = used === undefined || used.contract.toLowerCase() === contract.toLowerCase();
    if (active.platform !== platform || !isSame)
      throw new ActivationFailure('alreadyActive', `Coin ${ticker} already initialized`);
    return { ...token, kept: { decimals: active.chain.traits.decimals, address: active.address } };
  }

  /** @throws RangeError for a coin that is active */
  add(coin: EvmPlatform): void {
    if (this.#coins.has(coin.ticker)) throw new RangeError(`${coin.ticker} is active`);
    this.#commit(coin);
    this.#coins.set(coin.ticker, coin);
  }

  /** The same of the tokens of a coin that is out of use, or that something else has brought into use. */
  addTokens(coin: EvmPlatform): void {
    this.#commit(coin);
    this.#table?.keepOut(coin.ticker);
    this.#passive.set(coin.stream, coin);
    this.#leftOver.add(coin);
    this.sweep();
  }

  #commit({ ticker, coins }: EvmPlatform): void {
    this.#reserved.get(ticker)?.commit(coins);
    this.#reserved.delete(ticker);
  }

  /** Forgets a coin, and lets go of its connections as soon as none of its tokens is active. Its task keeps those that are, until it is let go. */
  remove(ticker: string): EvmPlatform | undefined {
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

  /** What is not used gives its place back. */
  #letGo(ticker: string, { place, made }: { readonly place: Reservation; readonly made: ActivatedEvm }): ActivatedEvm {
    return {
      ...made,
      close: () => {
        place.release();
        if (this.#reserved.get(ticker) === place) this.#reserved.delete(ticker);
        made.close();
      },
    };
  }
}

/** A connection that cannot be let go of keeps neither this coin in use nor another one open. */
function letGo(coin: EvmPlatform): void {
  try {
    coin.close();
  } catch {
    // Nobody is left who could do anything about it.
  }
}

type Refused = { readonly error: ActivationFailure; readonly isActive: boolean };

/** What somebody else is about to activate may come to nothing. */
function refused(ticker: string, { error: { kind, message }, isActive }: Refused): EvmActivationResult {
  const isOwn = OCCUPIED.has(kind) && message.startsWith(`Coin ${ticker} `);
  const own = { type: 'PlatformIsAlreadyActivated', data: ticker } as const;
  const named = isOwn ? { ...own, ...(kind === 'underWay' ? { text: message } : {}) } : null;
  const fault = named ?? ({ type: 'Internal', data: message } as const);
  return { ok: false, fault: isActive ? fault : { ...fault, passing: true } };
}

const OCCUPIED: ReadonlySet<ActivationFailureKind> = new Set(['alreadyActive', 'underWay']);
