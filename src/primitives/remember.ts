const REMEMBERED = 512;

/**
 * A function that keeps its answers: for what follows from the key alone and is asked for again and again. When it holds as many
 * as it may it forgets them all and begins anew. Of a key whose answer is undefined it keeps nothing.
 *
 * @param most How many answers are kept. @defaultValue 512
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
