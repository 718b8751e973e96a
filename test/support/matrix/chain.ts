import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';

export type Leg = 'maker' | 'taker';

/** A transaction as its chain tells it; amounts in base units, bytes in hex. */
export type ToldTransaction = {
  readonly txid: string;
  readonly inputs: readonly {
    readonly txid: string;
    readonly vout: number;
    readonly scriptSig: string;
    readonly witness: readonly string[];
  }[];
  readonly outputs: readonly { readonly value: bigint; readonly script: string }[];
};

export type ToldBlock = {
  readonly height: number;
  readonly hash: string;
  /** Without the reward. */
  readonly transactions: readonly ToldTransaction[];
};

/** What a miner takes of what waits, by base units for each virtual byte. @defaultValue all that pays what the node relays */
export type LeastRate = number;

/** What a node is started with, beside its chain. */
export type NodeTerms = {
  /** Whether what waits gives way to what pays more. */
  readonly replaces: boolean;
  /** Base units for each virtual byte below which nothing is relayed; null for what the node has by itself. */
  readonly relays: number | null;
};

export const USUAL_TERMS: NodeTerms = { replaces: true, relays: null };

/** A chain with its one real node, whose clock, blocks and faults a test has in its hand. */
export type MatrixChain = {
  /** What a coins file says of it, but for its ticker and where its node is. */
  readonly entry: JsonObject;
  /** A conf file of the node. */
  readonly conf: string;
  readonly url: string;
  /** Asks the node, past all that stands between it and a party. */
  readonly client: DaemonClient;
  /** Seconds between two blocks. */
  readonly blockTime: number;
  /** Whether the node can replace what waits. */
  readonly replaces: boolean;
  readonly height: () => Promise<number>;
  /** Time of the last block, in seconds since 1970. */
  readonly time: () => Promise<number>;
  /** Sets the node's clock and adds a block. */
  readonly mine: (at: number, least?: LeastRate) => Promise<void>;
  /** Gives the last blocks up; what they held waits again. */
  readonly takeBack: (blocks: number) => Promise<void>;
  /** Another process of the node over the same blocks, in which nothing waits. */
  readonly restart: (at: number, terms?: NodeTerms) => Promise<void>;
  /** Pays so many coins of this many base units to the wallet of a key, in a block. */
  readonly fund: (key: Uint8Array, coins: { readonly count: number; readonly value: bigint }) => Promise<void>;
  /** The output script of a key's wallet, in hex. */
  readonly scriptOf: (key: Uint8Array) => string;
  /** Blocks above a height. */
  readonly blocksAbove: (height: number) => Promise<readonly ToldBlock[]>;
  readonly waiting: () => Promise<readonly ToldTransaction[]>;
  /** What an output script has in blocks, as the node counts it; null where the node has no such count. */
  readonly counted: (script: string) => Promise<bigint | null>;
  readonly stop: () => Promise<void>;
};
