import { type JsonValue, numberText } from '../../primitives/json.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

const AMOUNT = /^(-?)(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/;
const DECIMALS = 8;

/**
 * Satoshis of an amount of coins, given as a number or a text. Rounds nothing: refuses fractions of a satoshi.
 *
 * @throws RpcError -3
 */
export function satoshisOf(value: JsonValue | undefined, most: bigint): bigint {
  const text = typeof value === 'string' ? value : numberText(value);
  if (text === undefined) throw new RpcError(RPC_CODE.type, 'Amount is not a number or string');
  const satoshis = exactSatoshis(text);
  if (satoshis === undefined) throw new RpcError(RPC_CODE.type, 'Invalid amount');
  if (satoshis < 0n || satoshis > most) throw new RpcError(RPC_CODE.type, 'Amount out of range');
  return satoshis;
}

function exactSatoshis(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (match === null) return undefined;
  const [, sign = '', units = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(units + fraction);
  const shift = DECIMALS + Number(exponent) - fraction.length;
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % factor !== 0n) return undefined;
  const size = shift < 0 ? digits / factor : digits * factor;
  return sign === '-' ? -size : size;
}
