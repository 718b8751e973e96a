import { isDecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { type JsonValue, numberText } from '../../primitives/json.ts';
import { atoll } from '../../smartchain/encoding/lenient.ts';
import type { Params } from './method.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

type TypeName = 'null' | 'bool' | 'object' | 'array' | 'string' | 'number';

/** The type of a JSON value in the node's words. */
export function typeName(value: JsonValue | undefined): TypeName {
  if (value === null || value === undefined) return 'null';
  if (numberText(value) !== undefined) return 'number';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'object';
}

/** A text. @throws RpcError -1 */
export function textAt(params: Params, index: number): string {
  const value = params[index];
  if (typeof value === 'string') return value;
  throw new RpcError(RPC_CODE.misc, 'JSON value is not a string as expected');
}

/** A text where it is given. @throws RpcError -1 for another value */
export function optionalTextAt(params: Params, index: number): string | undefined {
  return params[index] === undefined || params[index] === null ? undefined : textAt(params, index);
}

/**
 * A number given as a JSON number or as a text, as it was written: the specification sends numbers where the node wants
 * texts. @throws RpcError -1
 */
export function amountTextAt(params: Params, index: number): string {
  const value = params[index];
  return value === undefined ? textAt(params, index) : (numberText(value) ?? textAt(params, index));
}

/**
 * A count given as a JSON number or as a text. A number means what it says, `1e2` a hundred; a text is read as the node reads
 * it, which stops at the first character that is no digit. @throws RpcError -1 for a number with a fraction, or another type
 */
export function countAt(params: Params, index: number): bigint {
  const value = params[index];
  const number = value === undefined ? undefined : numberText(value);
  if (number === undefined) return atoll(textAt(params, index));
  const exact = isDecimalText(number) ? toBigNumber(number) : undefined;
  if (exact?.isInteger() === true && exact.abs().isLessThan(TWO_63)) return BigInt(exact.toFixed());
  throw new RpcError(RPC_CODE.misc, 'JSON value is not an integer as expected');
}

const TWO_63 = 2 ** 63;
const MOST_INT = 2_147_483_647;

/** A whole number of 32 bits. @throws RpcError -1 */
export function integerAt(params: Params, index: number): number {
  const value = params[index];
  const text = value === undefined ? undefined : numberText(value);
  if (text === undefined) throw new RpcError(RPC_CODE.misc, 'JSON value is not an integer as expected');
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number) || number > MOST_INT || number < -MOST_INT - 1) {
    throw new RpcError(RPC_CODE.misc, 'JSON integer out of range');
  }
  return number;
}

/**
 * A whole number of 32 bits, also as a text of digits: so the client of Bitcoin sends what it does not know to be a number.
 * @throws RpcError -1
 */
export function integerOrTextAt(params: Params, index: number): number {
  const value = params[index];
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : integerAt(params, index);
}

/** A truth value where it is given. @throws RpcError -1 */
export function optionalBooleanAt(params: Params, index: number): boolean | undefined {
  const value = params[index];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw new RpcError(RPC_CODE.misc, 'JSON value is not a boolean as expected');
}

/** A list. @throws RpcError -1 */
export function listAt(params: Params, index: number): readonly JsonValue[] {
  const value = params[index];
  if (Array.isArray(value)) return value;
  throw new RpcError(RPC_CODE.misc, 'JSON value is not an array as expected');
}

/** Refuses a value of another type, in the words of the node's own check. @throws RpcError -3 */
export function requireType(params: Params, index: number, type: TypeName): void {
  const got = typeName(params[index]);
  if (got !== type) throw new RpcError(RPC_CODE.type, `Expected type ${type}, got ${got}`);
}
