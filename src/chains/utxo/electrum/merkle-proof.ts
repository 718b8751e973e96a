import { displayHash } from '../../../htlc/transaction.ts';
import { hash256 } from '../../../primitives/hash.ts';
import { hexToBytes } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';

/** Levels for a block of four billion transactions. */
const MOST_LEVELS = 32;

/**
 * The root to which a `blockchain.transaction.get_merkle` answer leads from a transaction; null for an answer that proves nothing: one without
 * hashes, or with a position that has no place under so many of them.
 *
 * @param txid in display order
 */
export function provenRoot(txid: string, answer: JsonValue): string | null {
  const { merkle, pos } = isJsonObject(answer) ? answer : {};
  const position = Number(numberText(pos) ?? Number.NaN);
  const branch: readonly JsonValue[] = Array.isArray(merkle) ? merkle : [null];
  if (branch.length > MOST_LEVELS || !branch.every(isHash)) return null;
  if (!Number.isSafeInteger(position) || position < 0 || position >= 2 ** branch.length) return null;
  let hash: Uint8Array = hexToBytes(txid).reverse();
  const both = new Uint8Array(64);
  for (const [level, sibling] of branch.entries()) {
    const isRight = Math.floor(position / 2 ** level) % 2 === 1;
    both.set(hash, isRight ? 32 : 0);
    both.set(hexToBytes(String(sibling)).reverse(), isRight ? 0 : 32);
    hash = hash256(both);
  }
  return displayHash(hash);
}

function isHash(value: JsonValue): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
