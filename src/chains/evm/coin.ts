import type { Seconds } from '../../primitives/time.ts';

/** One coin of an EVM chain: its own, or a token. Accounts and contracts are 40 lower-case hex digits without 0x. */
export type EvmCoin = {
  /** Ticker. */
  readonly coin: string;
  /** Digits after the point of one coin unit: 18 for the chain's own. */
  readonly decimals: number;
  /** The swap contract. */
  readonly contract: string;
  /** Another accepted swap contract. @defaultValue null */
  readonly fallbackContract?: string | null;
  /** Whether watchers act on it: all of its swap contracts have the functions that pay them. @defaultValue false */
  readonly rewards?: boolean;
  /** The token, and the ticker of the chain's own coin, which pays its fees. @defaultValue the chain's own coin */
  readonly token?: { readonly address: string; readonly platform: string };
  /** Depth from which a spend counts as final. */
  readonly finality: number;
  /**
   * Whether it must also be at or below the block that nodes call finalized; `ifKnown`: if they know one, by what they say each time. @defaultValue
   * false: the depth alone decides
   */
  readonly finalizedTag?: boolean | 'ifKnown';
  /** Nominal time between two blocks. */
  readonly blockTime: Seconds;
  /** Who receives trading fees. @defaultValue the framework's account */
  readonly feeAccount?: string;
  /** How many blocks to ask a node for at once in a search for events. @defaultValue 1000 */
  readonly logsBlockRange?: number;
  /** Most gas that calls may use. @defaultValue the framework's */
  readonly gas?: Partial<EvmGasLimits>;
};

/** Most gas that each kind of call may use at urgency 0. */
export type EvmGasLimits = {
  readonly transfer: bigint;
  readonly payment: bigint;
  readonly claim: bigint;
  readonly refund: bigint;
  /** Of one approval; a payment of tokens may take two. */
  readonly approval: bigint;
};

/** A bare transfer, such as one that fills a nonce. */
export const BARE_TRANSFER = 21_000n;

/** The limits that the framework sets. */
const OF_COIN: EvmGasLimits = {
  transfer: BARE_TRANSFER,
  payment: 65_000n,
  claim: 65_000n,
  refund: 100_000n,
  approval: 0n,
};
const OF_TOKEN: EvmGasLimits = {
  transfer: 210_000n,
  payment: 150_000n,
  claim: 150_000n,
  refund: 150_000n,
  approval: 60_000n,
};

export function gasLimits({ token, gas }: Pick<EvmCoin, 'token' | 'gas'>): EvmGasLimits {
  return { ...(token === undefined ? OF_COIN : OF_TOKEN), ...gas };
}

/** Steps of urgency that give more gas. */
export const MOST_GAS_STEPS = 4;

/** Half of the limit more for each step of urgency: a call that ran out of gas is repeated with more gas at a higher price. */
export function gasAt(limit: bigint, urgency: number): bigint {
  return (limit * BigInt(2 + Math.max(0, Math.min(urgency, MOST_GAS_STEPS)))) / 2n;
}
