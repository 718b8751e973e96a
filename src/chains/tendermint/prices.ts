import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { type Fraction, fractionOfDecimal } from '../../primitives/fraction.ts';
import { MOST_STEPS, type TendermintNetwork } from './coin.ts';

/** What so much gas costs at a price for each unit, in base units: never less than it has to be. */
function costOf(gas: bigint, { numer, denom }: Fraction): bigint {
  return (gas * numer + denom - 1n) / denom;
}

/** The least fee for so much gas, in base units of the coin that pays it. */
export function leastFee({ gasPrice }: TendermintNetwork, gas: bigint): bigint {
  return costOf(gas, fractionOfDecimal(gasPrice));
}

const USUAL_CEILING = 10n;

/** The most that is ever paid for so much gas, however urgent. */
export function mostFee({ gasPrice, mostGasPrice }: TendermintNetwork, gas: bigint): bigint {
  if (mostGasPrice !== undefined) return costOf(gas, fractionOfDecimal(mostGasPrice));
  const { numer, denom } = fractionOfDecimal(gasPrice);
  return costOf(gas, { numer: numer * USUAL_CEILING, denom });
}

/** The fee that urgency asks for: a quarter of the price more for each step. */
export function feeAt(
  network: TendermintNetwork,
  { gas, urgency }: { readonly gas: bigint; readonly urgency: number },
): bigint {
  const { numer, denom } = fractionOfDecimal(network.gasPrice);
  const steps = BigInt(4 + Math.max(0, Math.min(urgency, MOST_STEPS)));
  return costOf(gas, { numer: numer * steps, denom: denom * 4n });
}

/** Base units of the coin that pays fees, in its coin units. */
export function feeText({ fees }: TendermintNetwork, units: bigint): DecimalText {
  return fromBaseUnits(units, fees.decimals);
}

/** The other way round; what is finer than a base unit counts for nothing. */
export function feeUnits({ fees }: TendermintNetwork, text: DecimalText): bigint {
  return toBaseUnits(text, fees.decimals);
}
