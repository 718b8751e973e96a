import type { TendermintAccount } from './account.ts';
import type { TendermintCoin } from './coin.ts';

/** What the files of this adapter share. */
export type Parts = { readonly coin: TendermintCoin; readonly account: TendermintAccount };
