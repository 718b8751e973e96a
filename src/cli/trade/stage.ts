import type { JsonObject } from '../../primitives/json.ts';
import type { DaemonAccess } from './calls.ts';
import type { Cast } from './processes.ts';

/** A call of a node over HTTP. */
export type Call = (request: JsonObject) => Promise<JsonObject>;

/** A chain of the play, and how nodes reach it. */
export type PlayChain = {
  readonly ticker: string;
  /** Over what a node activates it. */
  readonly way: string;
  /** As it stands in a coins file. */
  readonly entry: JsonObject;
  /** What of it everybody needs who calls its contract; null where a claim pays for itself. */
  readonly gas: string | null;
  readonly activate: (call: Call) => Promise<void>;
  readonly mine: () => Promise<void>;
  /** Pays coins that nobody has earned. */
  readonly pay: (address: string, amount: string) => Promise<void>;
  /** Of the last block. */
  readonly height: () => Promise<number>;
  /** Of the last block that nodes are told of. */
  readonly told: () => Promise<number>;
  /** How many payments of swaps the blocks from this height on hold, by the chain's own word. */
  readonly payments: (from: number) => Promise<number>;
};

/** A chain of outputs with its daemon. */
export type DaemonChain = Pick<PlayChain, 'ticker' | 'entry' | 'mine' | 'pay'> & {
  readonly access: DaemonAccess;
  /** Its conf file, by which nodes and servers find the daemon. */
  readonly conf: string;
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
