import type { JsonObject } from '../../primitives/json.ts';
import type { DaemonAccess } from './calls.ts';
import type { Cast } from './processes.ts';

/** A chain of the play, with its daemon. */
export type PlayChain = {
  readonly ticker: string;
  readonly access: DaemonAccess;
  /** Its conf file, by which nodes and servers find the daemon. */
  readonly conf: string;
  /** As it stands in a coins file. */
  readonly entry: JsonObject;
  readonly mine: () => Promise<void>;
  /** Pays coins out of the chain's first block. */
  readonly pay: (address: string, amount: string) => Promise<void>;
};

export type Staging = { readonly cast: Cast; readonly folder: string };

export const TICKERS = ['RED', 'BLU'] as const;

/** What a swap of the play asks of its payments. */
export const CONFIRMATIONS: Readonly<Record<string, number>> = { RED: 2, BLU: 1 };

/** Milliseconds between two blocks. */
export const BLOCK_MS: Readonly<Record<string, number>> = { RED: 1000, BLU: 1300 };

/** What alice asks for one RED, and how many bob buys. */
export const PRICE = '2.5';
export const OFFERED = '4';
export const BOUGHT = '1.2';
export const FUNDS: Readonly<Record<string, readonly string[]>> = {
  RED: ['3.1', '2.9', '4.7'],
  BLU: ['5.3', '6.1', '0.9'],
};
