import type { NftChain } from '../../../ports/nft-provider.ts';

const CHAINS: ReadonlyMap<string, NftChain> = new Map([
  ['AVAX', 'AVALANCHE'],
  ['BNB', 'BSC'],
  ['ETH', 'ETH'],
  ['FTM', 'FANTOM'],
  ['MATIC', 'POLYGON'],
]);

/** The providers’ name for the chain of a coin, by the ticker of the coin (as in the real node); undefined for an unknown one. */
export function nftChainOf(ticker: string): NftChain | undefined {
  return CHAINS.get(ticker);
}
