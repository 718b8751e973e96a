import type { ChainTraits } from '../ports/chain.ts';

/** Stands for an absent chain: nothing counts as final on it, and it can do nothing for others. */
export function absentTraits(coin: string | null): ChainTraits {
  return {
    coin: coin ?? '',
    decimals: 8,
    minTxAmount: 0n,
    refund: 'transaction',
    watchers: false,
    finality: Number.MAX_SAFE_INTEGER,
    contract: null,
    secretHashBytes: 20,
  };
}
