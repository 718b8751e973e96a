import { nonsense } from '../accounts/json.ts';

// Answers of nodes, as JSON with numbers in hex. Anything in another form is not an answer.

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

/** A number of at most 32 bytes. @throws BackendSilent */
export function quantityOf(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw nonsense(what);
  return BigInt(value);
}

/** @throws BackendSilent */
export function countOf(value: unknown, what: string): number {
  const count = Number(quantityOf(value, what));
  if (!Number.isSafeInteger(count)) throw nonsense(what);
  return count;
}

/** Bytes as hex without 0x, in lower case; of exactly this length if one is given. @throws BackendSilent */
export function bytesOf(value: unknown, { what, bytes }: { readonly what: string; readonly bytes?: number }): string {
  if (typeof value !== 'string' || !BYTES.test(value)) throw nonsense(what);
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw nonsense(what);
  return value.slice(2).toLowerCase();
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
