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
