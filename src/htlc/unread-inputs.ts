import { byteReader } from './byte-reader.ts';
import { EXTENSION_FLAG, OVERWINTERED, readInputs, readSegwitParts, type TransactionInput } from './transaction.ts';

/** Zcash's fifth version with its version group, branch, lock time and expiry (ZIP 225). */
const VERSION_5 = OVERWINTERED + 5;
const VERSION_5_HEAD = 20;

/**
 * What a transaction takes in a form that `decodeTransaction` does not read: Zcash's fifth version (ZIP 225), and one with parts of
 * Litecoin's extension block. Nothing here shows that the bytes are those of some id. Null for bytes of another form.
 */
export function inputsOfUnread(raw: Uint8Array): readonly TransactionInput[] | null {
  if (raw.length < VERSION_5_HEAD) return null;
  const head = new DataView(raw.buffer, raw.byteOffset, raw.length);
  if (head.getUint32(0, true) === VERSION_5) {
    const reader = byteReader(raw, VERSION_5_HEAD);
    const inputs = readInputs(reader);
    return reader.problem === undefined ? inputs : null;
  }
  const flag = raw[5] ?? 0;
  if (raw[4] !== 0 || (flag & EXTENSION_FLAG) === 0) return null;
  const reader = byteReader(raw, 6);
  const { inputs } = readSegwitParts(reader, { hasWitness: (flag & 1) === 1 });
  return reader.problem === undefined ? inputs : null;
}
