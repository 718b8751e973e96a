import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { type Fraction, fractionOfDecimal } from '../../primitives/fraction.ts';
import { MOST_STEPS, type TendermintNetwork } from './coin.ts';

/** The cost of gas at a price per unit, in base units, rounded up. */
function costOf(gas: bigint, { numer, denom }: Fraction): bigint {
  return (gas * numer + denom - 1n) / denom;
}

/** The least fee for an amount of gas, in base units of the fee's coin. */
export function leastFee({ gasPrice }: TendermintNetwork, gas: bigint): bigint {
  return costOf(gas, fractionOfDecimal(gasPrice));
}

const USUAL_CEILING = 10n;

/** The most ever paid for an amount of gas, however urgent. */
export function mostFee({ gasPrice, mostGasPrice }: TendermintNetwork, gas: bigint): bigint {
  if (mostGasPrice !== undefined) return costOf(gas, fractionOfDecimal(mostGasPrice));
  const { numer, denom } = fractionOfDecimal(gasPrice);
  return costOf(gas, { numer: numer * USUAL_CEILING, denom });
}

/** The fee for an urgency: a quarter of the price more for each step. */
export function feeAt(
  network: TendermintNetwork,
  { gas, urgency }: { readonly gas: bigint; readonly urgency: number },
): bigint {
  const { numer, denom } = fractionOfDecimal(network.gasPrice);
  const steps = BigInt(4 + Math.max(0, Math.min(urgency, MOST_STEPS)));
  return costOf(gas, { numer: numer * steps, denom: denom * 4n });
}

/** Converts base units of the fee's coin to its coin units. */
export function feeText({ fees }: TendermintNetwork, units: bigint): DecimalText {
  return fromBaseUnits(units, fees.decimals);
}

/** The reverse; drops fractions of a base unit. */
export function feeUnits({ fees }: TendermintNetwork, text: DecimalText): bigint {
  return toBaseUnits(text, fees.decimals);
}
