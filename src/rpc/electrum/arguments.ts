import { type JsonValue, numberText } from '../../primitives/json.ts';
import { bad } from './rpc-error.ts';

const HASH = /^[0-9a-fA-F]{64}$/;
const HEX = /^(?:[0-9a-fA-F]{2})+$/;

/** A hash in display order, in lower case. @throws ElectrumRpcError */
export function hashArgument(value: JsonValue | undefined, what: string): string {
  if (typeof value === 'string' && HASH.test(value)) return value.toLowerCase();
  throw bad(`${shown(value)} should be ${what}`);
}

/** @throws ElectrumRpcError */
export function hexArgument(value: JsonValue | undefined, what: string): string {
  if (typeof value === 'string' && HEX.test(value)) return value;
  throw bad(`${what} should be hex digits`);
}

/** A whole number that is not below 0; the default where none is given. @throws ElectrumRpcError */
export function countArgument(
  value: JsonValue | undefined,
  { name, absent }: { readonly name: string; readonly absent?: number },
): number {
  if (value === undefined && absent !== undefined) return absent;
  const number = Number(numberText(value) ?? Number.NaN);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw bad(`${name}: ${shown(value)} should be a non-negative integer`);
}

/** @throws ElectrumRpcError */
export function truthArgument(value: JsonValue | undefined, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw bad(`${name}: ${shown(value)} should be true or false`);
}

const LONGEST = 80;

/** A value as an error quotes it. */
function shown(value: JsonValue | undefined): string {
  const text = numberText(value) ?? JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
