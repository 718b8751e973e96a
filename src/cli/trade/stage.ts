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
