import { type DecimalText, isDecimalText, toPlainDecimal } from '../../primitives/decimal.ts';
import { hexToBytes, isHex } from '../../primitives/hex.ts';
import { isJsonObject, numberText } from '../../primitives/json.ts';

// Stored payloads are read loosely here: programs that store swaps again fill members that do not belong to an event with
// empty texts and zeros, and an audit must not stumble over any of it. An empty text counts as absent.

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/** Members of a stored object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : NONE;
}

export function textField(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function bytesField(fields: Fields, name: string): Uint8Array | undefined {
  const text = textField(fields, name);
  return text !== undefined && isHex(text) ? hexToBytes(text) : undefined;
}

/** A whole number from 0 to 2^53 - 1. */
export function wholeField(fields: Fields, name: string): number | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** An amount given as text or as a JSON number, in plain notation. */
export function decimalField(fields: Fields, name: string): DecimalText | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const text = typeof value === 'string' ? value : numberText(value);
  return text !== undefined && isDecimalText(text) ? toPlainDecimal(text) : undefined;
}

/** True for a text of zeros alone: how the real node hides a key or a secret. */
export function isZeroHex(text: string): boolean {
  return /^0+$/.test(text);
}
