import { sameBytes } from './hex.ts';

const REMEMBERED = 512;

/**
 * A function that caches its results, for results that depend on the key alone and are requested repeatedly. When the
 * cache is full it is cleared. Does not cache undefined.
 *
 * @param most Maximum number of cached results. @defaultValue 512
 */
export function remembering<Key, Value>(compute: (key: Key) => Value, most = REMEMBERED): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (value === undefined) return value;
    if (known.size >= most) known.clear();
    known.set(key, value);
    return value;
  };
}

/**
 * The same for keys of bytes, without a text of each.
 *
 * @param compute Gets a copy of the key, which may be part of what it returns.
 */
export function rememberingBytes<Value>(
  compute: (bytes: Uint8Array) => Value,
  most = REMEMBERED,
): (bytes: Uint8Array) => Value {
  const recall = recallingBytes<Value>(most);
  return (bytes) => recall(bytes, compute);
}

/**
 * A cache by keys of bytes, which computes what it does not hold. Keys are told apart byte by byte; of two with the same
 * digest the later one is kept.
 */
export function recallingBytes<Value>(
  most = REMEMBERED,
): (bytes: Uint8Array, compute: (own: Uint8Array) => Value) => Value {
  const known = new Map<number, { readonly bytes: Uint8Array; readonly value: Value }>();
  return (bytes, compute) => {
    const digest = digestOf(bytes);
    const found = known.get(digest);
    if (found !== undefined && sameBytes(found.bytes, bytes)) return found.value;
    const own = Uint8Array.from(bytes);
    const value = compute(own);
    if (value === undefined) return value;
    if (known.size >= most) known.clear();
    known.set(digest, { bytes: own, value });
    return value;
  };
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 30 bits of FNV-1a: more would not fit the small numbers of engines, which are the cheapest keys of a map. */
function digestOf(bytes: Uint8Array): number {
  let digest = FNV_START;
  for (let index = 0; index < bytes.length; index++) digest = Math.imul(digest ^ (bytes[index] as number), FNV_PRIME);
  return (digest ^ (digest >>> 30)) & 0x3fff_ffff;
}
