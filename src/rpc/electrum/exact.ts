import { LosslessNumber } from '../../primitives/json.ts';

/** Base units as a JSON number, exact however many. */
export function unitsNumber(units: bigint): number | LosslessNumber {
  const number = Number(units);
  return Number.isSafeInteger(number) ? number : new LosslessNumber(units.toString());
}
