import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import type { EvmAccess } from './evm-node.ts';
import type { LedgerPayment, LegLedger } from './ledger.ts';
import type { Answering } from './quick-fetch.ts';

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
  /** On a chain with accounts. */
  readonly call?: AccountCall;
};

/** What an account has a chain do; addresses and data in hex, wei for amounts. */
export type AccountCall = {
  readonly from: string;
  /** Empty where it makes a contract. */
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly nonce: number;
  /** Null while it waits. */
  readonly succeeded: boolean | null;
  /** What it left to miners. */
  readonly cost: bigint;
};

export type ToldBlock = {
  readonly height: number;
  readonly hash: string;
  /** Without the reward. */
  readonly transactions: readonly ToldTransaction[];
};

/** What one transaction may cost, in base units of the coin that pays for it. */
export type Costs = {
  /** Where nothing has to be hurried, where fees are usual, and on a dear day. */
  readonly calm: bigint;
  readonly usual: bigint;
  readonly dear: bigint;
  /** How many a wallet makes for one swap at most. */
  readonly transactions: number;
};

/** Of which part of a chain something is told. */
export type Above = {
  /** Its blocks are above this height. */
  readonly from: number;
  /** What accounts have by the node itself, which the blocks of a run do not tell. */
  readonly balances: ReadonlyMap<string, bigint>;
};

/** How transactions of a chain are read: by what its blocks hold alone. */
export type Books = {
  /** Payments, fees and costs. */
  readonly ledger: (blocks: readonly ToldBlock[], above: Above) => LegLedger;
  readonly isPayment: (told: ToldTransaction) => boolean;
  readonly isTradingFee: (told: ToldTransaction) => boolean;
  /** Whether it claims or refunds one of these, by what it says. */
  readonly spends: (told: ToldTransaction, payments: readonly LedgerPayment[]) => boolean;
  /** A secret that a transaction shows, in hex, whatever else becomes of it; null for none. */
  readonly shown: (told: ToldTransaction) => string | null;
  /** How a payment names the owner of a key. */
  readonly partyOf: (key: Uint8Array) => string;
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

export type LegKeys = Readonly<Record<Leg, Uint8Array>>;

/** A payment whose secret is out. */
export type Snatched = Pick<LedgerPayment, 'id' | 'value'> & { readonly secret: string };

export type Troubles = {
  /** All calls of the swap contract fail; null: they do no longer. */
  readonly break: (by: 'refusal' | 'gas' | null) => Promise<void>;
  /** The token moves nothing, or keeps a part of what it moves; null: neither any more. Nothing where the chain’s own coin is traded. */
  readonly spoil: (by: 'pause' | 'tax' | null) => Promise<void>;
  /** Sends from a wallet, with the nonce of what waits first. */
  readonly steal: (key: Uint8Array) => Promise<void>;
  /** Takes the swap contract's allowance for a wallet's tokens away. */
  readonly disallow: (key: Uint8Array) => Promise<void>;
  /** Claims a payment of the maker with the taker’s key, past its node. */
  readonly snatch: (payment: Snatched, keys: LegKeys) => Promise<void>;
};

/** A chain with its one real node, whose clock, blocks and faults a test has in its hand. */
export type MatrixChain = {
  /** What a coins file says of it, but for its ticker and where its node is. */
  readonly entry: JsonObject;
  /** A conf file of the node. */
  readonly conf: string;
  readonly url: string;
  /** Answers what is posted to the url, where the node is in this process. */
  readonly answer?: Answering;
  /** Asks the node, past all that stands between it and a party; null where it is no daemon of Bitcoin's family. */
  readonly client: DaemonClient | null;
  /** How a party's node finds its way about the chain; absent where it is one of outputs. */
  readonly evm?: EvmAccess;
  /** Whether it is the same chain as the other one of a pair, which then has the blocks and faults of both in its hand. @defaultValue false */
  readonly isOver?: boolean;
  readonly books: Books;
  /** @defaultValue those of chains of outputs */
  readonly costs?: Costs;
  /** Digits of what is traded on it. */
  readonly decimals: number;
  /** Seconds between two blocks. */
  readonly blockTime: number;
  /** Whether the node can replace what waits. */
  readonly replaces: boolean;
  readonly height: () => Promise<number>;
  /** Time of the last block, in seconds since 1970. */
  readonly time: () => Promise<number>;
  /** Sets the node's clock and adds a block. */
  readonly mine: (at: number, least?: LeastRate) => Promise<void>;
  /** Gives the last blocks up; what they held waits again, but for a chain with accounts, where nothing waits then. */
  readonly takeBack: (blocks: number) => Promise<void>;
  /** Takes back all that was done since its start, where blocks that are left behind make it slow. @defaultValue they do not */
  readonly anew?: () => Promise<void>;
  /** Another process of the node over the same blocks, in which nothing waits. */
  readonly restart: (at: number, terms?: NodeTerms) => Promise<void>;
  /** Pays so many coins of this many base units to the wallet of a key, in a block. */
  readonly fund: (key: Uint8Array, coins: { readonly count: number; readonly value: bigint }) => Promise<void>;
  /** Gives a wallet that claims here what its transactions cost; absent where claims pay for themselves. */
  readonly fuel?: (key: Uint8Array) => Promise<void>;
  /** What goes wrong on chains with accounts alone. */
  readonly troubles?: Troubles;
  /** The output script of a key's wallet, or its account, in hex. */
  readonly scriptOf: (key: Uint8Array) => string;
  /** Blocks above a height. */
  readonly blocksAbove: (height: number) => Promise<readonly ToldBlock[]>;
  readonly waiting: () => Promise<readonly ToldTransaction[]>;
  /** What an output script has in blocks, as the node counts it; null where the node has no such count. */
  readonly counted: (script: string) => Promise<bigint | null>;
  readonly stop: () => Promise<void>;
};
