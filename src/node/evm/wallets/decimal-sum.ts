import { type DecimalText, decimalOf } from '../../../primitives/decimal.ts';

/**
 * The sum of two amounts in plain notation, with as many digits after the point as the one that has more of them: 0.5 and 0.5 are 1.0, as the real
 * node writes sums.
 */
export function decimalSum(left: DecimalText, right: DecimalText): DecimalText {
  const scale = Math.max(scaleOf(left), scaleOf(right));
  const units = unitsOf(left, scale) + unitsOf(right, scale);
  const digits = units.toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return decimalOf(scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`);
}

const PLAIN = /^\d+(?:\.(\d+))?$/;

function scaleOf(text: DecimalText): number {
  const plain = PLAIN.exec(text);
  if (plain === null) throw new RangeError('only amounts in plain notation can be added');
  return plain[1]?.length ?? 0;
}

function unitsOf(text: DecimalText, scale: number): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(scale, '0'));
}
