import { base64 } from '@scure/base';
import { bytesToHex } from '../../primitives/hex.ts';
import { type UnixSeconds, unixSecondsOf } from '../../primitives/time.ts';
import { nonsense } from '../accounts/json.ts';

// Answers of nodes: JSON with counts as decimal texts. Anything of another form is no answer.

/** @throws BackendSilent */
export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw nonsense(what);
  return value;
}

const COUNT = /^(?:0|[1-9][0-9]{0,15})$/;

/** A count from 0 on, as a number or a decimal text. @throws BackendSilent */
export function countOf(value: unknown, what: string): number {
  const count = typeof value === 'string' && COUNT.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) throw nonsense(what);
  return count;
}

const HASH = /^[0-9a-fA-F]{64}$/;

/** A hash in lower case. @throws BackendSilent */
export function hashOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw nonsense(what);
  return value.toLowerCase();
}

const MOST_TEXT = 2_000_000;

/** Bytes in base64; none where they are absent. @throws BackendSilent */
export function bytesOf(value: unknown, what: string): Uint8Array {
  if (value === null || value === undefined || value === '') return new Uint8Array(0);
  if (typeof value !== 'string' || value.length > MOST_TEXT) throw nonsense(what);
  try {
    return base64.decode(value);
  } catch {
    throw nonsense(what);
  }
}

/** The same as hex. @throws BackendSilent */
export function hexOf(value: unknown, what: string): string {
  return bytesToHex(bytesOf(value, what));
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A moment, in whole seconds that have passed. @throws BackendSilent */
export function timeOf(value: unknown, what: string): UnixSeconds {
  const millis = typeof value === 'string' && TIME.test(value) ? Date.parse(value.replace(/\.\d+Z$/, 'Z')) : Number.NaN;
  if (!Number.isSafeInteger(millis) || millis < 0) throw nonsense(what);
  return unixSecondsOf(millis / 1000);
}
