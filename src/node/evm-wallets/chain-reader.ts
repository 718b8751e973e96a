import type { EvmNode } from '../../chains/evm/index.ts';
import type { EvmAdapter } from '../evm/adapter-module.ts';
import type { AccountsReader } from './reader.ts';

export type ChainReaderOptions = {
  readonly adapter: EvmAdapter;
  /** Nodes, in the order in which they are asked. */
  readonly urls: readonly string[];
  /** Ticker of the chain's own coin. */
  readonly coin: string;
  /** Tokens by their tickers; 0x and 40 hex digits. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
};

/** Asks the nodes of a request about many accounts at once. */
export type ChainReader = AccountsReader & {
  /** Lets go of the connections. */
  readonly close: () => void;
};

type Pair = { readonly batched: EvmNode; readonly single: EvmNode };

export function chainReader({ adapter, urls, coin, tokens, signal }: ChainReaderOptions): ChainReader {
  const singles = urls.map((url) => ({ url, single: adapter.connectNode({ url }) }));
  const nodes = singles.map(({ url, single }): Pair => {
    // A web socket carries calls one after the other as it is.
    const batched = /^https?:/i.test(url) ? adapter.connectBatches({ url, signal }) : single;
    return { batched, single };
  });
  const end = (): void => {
    for (const { single } of singles) single.close();
  };
  signal.addEventListener('abort', end, { once: true });
  const tickers = Object.keys(tokens);
  return {
    async states({ addresses, sent }) {
      const states = await adapter.accountStates(nodes, { accounts: addresses, tokens: Object.values(tokens), sent });
      return states.map((state) => {
        const held = tickers.map((ticker, place): [string, bigint] => [ticker, state.tokens[place] ?? 0n]);
        return { sent: state.sent, holds: { [coin]: state.coin, ...Object.fromEntries(held) } };
      });
    },
    close() {
      signal.removeEventListener('abort', end);
      end();
    },
  };
}
