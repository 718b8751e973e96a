import { type DecimalText, fromBaseUnits } from '../../primitives/decimal.ts';
import type { EvmAccount } from './account.ts';
import type { EvmCoin } from './coin.ts';
import type { EventFinder } from './events.ts';
import type { GasOfCalls } from './token-gas.ts';

/** What the files of this adapter share. */
export type Parts = {
  readonly coin: EvmCoin;
  readonly account: EvmAccount;
  readonly events: EventFinder;
  /** No block below this height matters. */
  readonly birth: number;
  /** Measured gas of calls in the last quote; null before the first one. */
  readonly calls: { measured: GasOfCalls | null };
};

/** Digits after the point of the coin in which gas is paid. */
export const WEI_DIGITS = 18;

export function weiText(wei: bigint): DecimalText {
  return fromBaseUnits(wei, WEI_DIGITS);
}
