import { type Amounts, amountsOf } from '../../primitives/amounts.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Rng } from '../xorshift.ts';
import type { Fidelity, SimChainOptions } from './types.ts';

/** The options of a chain with every default filled in. */
export type Settings = {
  readonly coin: string;
  readonly fidelity: Fidelity;
  readonly now: () => UnixSeconds;
  readonly rng: Rng;
  readonly startHeight: number;
  readonly blockTime: Seconds;
  readonly decimals: number;
  readonly minTxAmount: bigint;
  readonly finality: number;
  readonly feeRate: number;
  /** Null for a chain that is not notarized. */
  readonly notariseEvery: number | null;
  readonly amounts: Amounts;
};

export type SettingsDefaults = { readonly minTxAmount: bigint; readonly feeRate: number; readonly finality: number };

/** @throws RangeError if a number is out of bounds. */
export function settingsOf(options: SimChainOptions, defaults: SettingsDefaults): Settings {
  const { startHeight = 1000, blockTime = 60, decimals = 8, feeRate = defaults.feeRate } = options;
  if (!Number.isSafeInteger(startHeight) || startHeight < 11)
    throw new RangeError(`not a start height: ${startHeight}`);
  if (!Number.isSafeInteger(blockTime) || blockTime < 1) throw new RangeError(`not a block time: ${blockTime} s`);
  if (!Number.isSafeInteger(decimals) || decimals < 0 || decimals > 18) {
    throw new RangeError(`not a count of decimals: ${decimals}`);
  }
  const { notariseEvery = null } = options;
  if (notariseEvery !== null && !(Number.isSafeInteger(notariseEvery) && notariseEvery > 0)) {
    throw new RangeError(`not a distance of notarized blocks: ${notariseEvery}`);
  }
  if (!(feeRate > 0 && feeRate <= MAX_FEE_RATE)) throw new RangeError(`not a fee rate: ${feeRate}`);
  return {
    coin: options.coin,
    fidelity: options.fidelity ?? 'compact',
    now: options.now,
    rng: options.rng,
    startHeight,
    blockTime,
    decimals,
    minTxAmount: options.minTxAmount ?? defaults.minTxAmount,
    finality: options.finality ?? defaults.finality,
    feeRate,
    notariseEvery,
    amounts: amountsOf(decimals),
  };
}

/** Highest price of one byte or one unit of gas that a wallet offers, in base units. */
export const MAX_FEE_RATE = 1e12;

const STEP_OF_URGENCY = 1.5;

/** Price of one byte or one unit of gas that a wallet offers: half as much more for each step of urgency. */
export function rateOf({ feeRate }: Settings, urgency: number): number {
  return Math.min(MAX_FEE_RATE, feeRate * STEP_OF_URGENCY ** Math.max(0, urgency));
}
