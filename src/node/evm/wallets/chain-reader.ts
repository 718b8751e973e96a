import type { EvmLook, EvmReader } from '../../../chains/evm/index.ts';
import type { EvmAdapter } from '../adapter-module.ts';
import type { AccountsReader } from './reader.ts';

export type ChainReaderOptions = {
  readonly adapter: EvmAdapter;
  /** Over all nodes of the request. */
  readonly reader: EvmReader;
  /** Ticker of the chain's own coin. */
  readonly coin: string;
  /** Tokens by their tickers; 0x and 40 hex digits. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Ends what is in progress. */
  readonly signal: AbortSignal;
};

/**
 * Asks about many accounts at once. What nodes say is shown as they agree on it that answer; which addresses are used, which is kept for good, is asked
 * of as many as settle what money depends on.
 */
export function chainReader({ adapter, reader, coin, tokens, signal }: ChainReaderOptions): AccountsReader {
  const tickers = Object.keys(tokens);
  const contracts = Object.values(tokens).map(bare);
  return {
    async states({ addresses, sent }) {
      const ask = async () => {
        const look: EvmLook = await reader.look(!sent);
        return adapter.accountStates(look, { accounts: addresses.map(bare), tokens: contracts, sent });
      };
      const states = await unlessEnded(signal, ask());
      return states.map((state) => {
        const held = tickers.map((ticker, place): [string, bigint] => [ticker, state.tokens[place] ?? 0n]);
        return { sent: state.sent, holds: { [coin]: state.coin, ...Object.fromEntries(held) } };
      });
    },
  };
}

function bare(address: string): string {
  return address.slice(2).toLowerCase();
}

/** Nothing that is asked changes anything: it may go on without anyone who waits for it. */
async function unlessEnded<T>(signal: AbortSignal, asked: Promise<T>): Promise<T> {
  let end = (): void => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
  });
  asked.catch(() => {});
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asked, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
