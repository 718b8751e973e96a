import type { HtlcModule } from '../../htlc/tendermint-messages.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';

/** What all coins of one chain have in common. */
export type TendermintNetwork = {
  readonly chainId: string;
  /** Prefix of its addresses. */
  readonly prefix: string;
  /** The module with payments under locks; null on a chain without one, whose coins can be held and sent. */
  readonly module: HtlcModule | null;
  /** Denomination in which fees are paid, with the digits after the point of its coin, and its ticker. */
  readonly fees: { readonly denom: string; readonly decimals: number; readonly coin: string };
  /** Base units of it per unit of gas at urgency 0, and the most. */
  readonly gasPrice: DecimalText;
  /** @defaultValue ten times the price */
  readonly mostGasPrice?: DecimalText;
  /** Gas of transactions if no node says what they would use. @defaultValue the framework's, 125 000 each */
  readonly gas?: Partial<TendermintGasLimits>;
};

/** One coin of a Tendermint chain: its own, or an asset that came from another one. */
export type TendermintCoin = {
  /** Ticker. */
  readonly coin: string;
  /** Digits after the point of one coin unit. */
  readonly decimals: number;
  /** Denomination of its base unit, such as `uiris`, or `ibc/` and a hash. */
  readonly denom: string;
  /** Depth from which a spend counts as final; a block of these chains is final at once. */
  readonly finality: number;
  /** Nominal time between two blocks, by which locks count. */
  readonly blockTime: Seconds;
  /**
   * How long a maker's own payment is locked: until the agreed moment, two lock durations from the start; or for one duration, which nodes of the
   * framework require to the block and which leaves a taker no margin. A taker's is locked for one either way. @defaultValue 'agreed'
   */
  readonly makerLocks?: 'agreed' | 'framework';
  /** Who receives trading fees, 40 hex digits. @defaultValue the account of the framework's key */
  readonly feeAccount?: string;
};

/** Gas at urgency 0. */
export type TendermintGasLimits = { readonly transfer: bigint; readonly payment: bigint; readonly claim: bigint };

export type GasKind = keyof TendermintGasLimits;

const USUAL = 125_000n;

export function gasLimits({ gas }: TendermintNetwork): TendermintGasLimits {
  return { transfer: USUAL, payment: USUAL, claim: USUAL, ...gas };
}

/** Steps of urgency that raise the gas limit and the price of gas. */
export const MOST_STEPS = 8;

/** A quarter more of the limit for each step of urgency, for a transaction that ran out of gas. */
export function gasAt(limit: bigint, urgency: number): bigint {
  return (limit * BigInt(4 + Math.max(0, Math.min(urgency, MOST_STEPS)))) / 4n;
}
