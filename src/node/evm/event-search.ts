import { voicesOf } from '../voices.ts';
import type { EvmAdapter } from './adapter-module.ts';
import { EvmFailure } from './failure.ts';
import type { NamedNode } from './nodes.ts';
import type { EvmParts } from './parts.ts';

type Searching = Pick<EvmParts, 'logger' | 'births'> & { readonly adapter: Pick<EvmAdapter, 'whyNoEvents'> };

type Searched = {
  readonly nodes: readonly NamedNode[];
  readonly chainId: number;
  /** The swap contract, and a block that the nodes have. */
  readonly contract: string;
  readonly block: number;
  /** Of what is to be in use. */
  readonly tickers: readonly string[];
};

/** Of several, two have to say the same. */
const MOST_NEEDED = 2;

/**
 * Requires nodes that search the events of the swap contract: in these a taker finds the secret of the maker's claim. Each that does not is reported by its
 * name, and it is a failure where too few are left; but none that keeps a swap that runs from its coin: what it has paid it may get back without them. Who is
 * silent may search later, and whoever limits how much is searched at once is asked for less.
 *
 * @throws EvmFailure asked
 */
export async function requireEvents(
  { adapter, logger, births }: Searching,
  { nodes, chainId, contract, block, tickers }: Searched,
): Promise<void> {
  const reasons = await Promise.all(nodes.map(({ merged }) => adapter.whyNoEvents(merged, { contract, block })));
  const refusing = reasons.filter((reason) => reason !== null);
  for (const reason of refusing)
    logger.warn('a node of an EVM chain does not search the events that swaps need', { chain: chainId, reason });
  const voices = voicesOf(nodes.map(({ name }) => name));
  const searching = new Set(voices.filter((_, place) => reasons[place] === null));
  const need = Math.min(MOST_NEEDED, new Set(voices).size);
  if (searching.size >= need || tickers.some((ticker) => births.keysOf(ticker).size > 0)) return;
  const found = `of the nodes that search events ${need} must agree, and there ${searching.size === 1 ? 'is 1' : 'are 0'}`;
  throw new EvmFailure('asked', `Swaps need eth_getLogs: ${found}: ${refusing.join('; ')}`);
}
