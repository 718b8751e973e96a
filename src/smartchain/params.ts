/** First bytes of what a network writes in base58 and bech32. */
export type Prefixes = {
  /** One byte: addresses of keys, and of crypto-conditions. */
  readonly key: number;
  /** One byte: addresses of redeem scripts. */
  readonly script: number;
  /** One byte: private keys in the wallet import format. */
  readonly secret: number;
  /** Two bytes: Sprout payment addresses. */
  readonly sprout: readonly [number, number];
  /** Human-readable part of Sapling payment addresses. */
  readonly sapling: string;
};

export type Network = 'main' | 'test' | 'regtest';

/** Encodings by network; every smart chain writes as the main one does. Source: chain parameters of the smart-chain node. */
export const PREFIXES: Readonly<Record<Network, Prefixes>> = {
  main: { key: 60, script: 85, secret: 188, sprout: [22, 154], sapling: 'zs' },
  test: { key: 0, script: 5, secret: 128, sprout: [20, 81], sapling: 'ztestsapling' },
  regtest: { key: 60, script: 85, secret: 188, sprout: [22, 182], sapling: 'zregtestsapling' },
};

/** What all nodes of one chain must agree on. */
export type ChainParams = {
  /** 1 to 64 characters; the chain's ticker, upper case by custom. */
  readonly name: string;
  readonly prefixes: Prefixes;
  /** Satoshis that the block at height 1 creates beside its reward. */
  readonly supply: bigint;
  /** Satoshis that every other block creates. */
  readonly reward: bigint;
  /** Number of blocks after which the coins of a block can be spent. */
  readonly maturity: number;
  /** Height from which transactions have the Sapling form (version 4); undefined for never. */
  readonly saplingHeight: number | undefined;
  /** Target of every block in compact form. */
  readonly bits: number;
  /** Bytes. */
  readonly maxBlockSize: number;
  /** Whether crypto-condition outputs can be spent and tokens created. */
  readonly cryptoConditions: boolean;
  /**
   * Eval codes of other modules under which non-fungible tokens can move: the token rules alone then decide. No other code can be spent, as on a node
   * without that module. The real node has no such codes: there a token bound to one of them never moves.
   */
  readonly passiveEvals: readonly number[];
  /** Confirmations that count as notarized on a chain without notarization. */
  readonly notarizedDepth: number;
  /** Seconds since 1970 of the first block. */
  readonly genesisTime: number;
};

const COIN = 100_000_000n;

/** A private chain, mined on demand. Every member can be replaced. */
export const DEFAULT_PARAMS: ChainParams = {
  name: 'SWAP',
  prefixes: PREFIXES.main,
  supply: 1_000_000n * COIN,
  reward: 10_000n,
  maturity: 100,
  saplingHeight: 1,
  bits: 0x207f_ffff,
  maxBlockSize: 4_000_000,
  cryptoConditions: true,
  passiveEvals: [],
  notarizedDepth: 60,
  genesisTime: 1_700_000_000,
};
