import { numberText } from '../primitives/json.ts';
import type { Runtime } from '../runtime/operate/supervisor.ts';
import type { CoinsFile } from './coins-file.ts';
import { readProtocol } from './protocol.ts';
import { unfinished } from './running-swaps.ts';

export type Awaiting = {
  readonly runtime: Pick<Runtime, 'list'>;
  readonly coins: CoinsFile;
  readonly isActive: (ticker: string) => boolean;
};

/**
 * Tickers of an EVM chain, in alphabetical order, that unfinished swaps of this node need and that are not active: what they hold of their account nobody
 * has told, as after a restart. One that the coins file does not have, such as a token of a request, may be of any chain.
 */
export async function awaitedOn(chainId: number, { runtime, coins, isActive }: Awaiting): Promise<readonly string[]> {
  const own = (await unfinished(runtime)).filter(({ role }) => role === 'maker' || role === 'taker');
  const needed = own.flatMap((swap) => [swap.coins.maker, swap.coins.taker]).filter((coin) => coin !== null);
  const awaited = needed.filter((coin) => !isActive(coin) && mayBeOn(coin, { chainId, coins }));
  return [...new Set(awaited)].sort();
}

type Place = { readonly chainId: number; readonly coins: CoinsFile };

function mayBeOn(ticker: string, { chainId, coins }: Place): boolean {
  const entry = coins.entryOf(ticker);
  if (entry === undefined) return true;
  const read = readProtocol(entry['protocol']);
  if (!read.ok) return false;
  const { type, data } = read.value;
  if (type === 'ETH') return Number(numberText(data['chain_id']) ?? Number.NaN) === chainId;
  const { platform } = data;
  return (
    type === 'ERC20' && typeof platform === 'string' && platform !== ticker && mayBeOn(platform, { chainId, coins })
  );
}
