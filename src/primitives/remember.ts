/** Answers kept by default. */
const REMEMBERED = 512;

/** A function that keeps its last answers: for what depends on nothing else and is asked for again and again. */
export function remembering<Key, Value>(compute: (key: Key) => Value, most = REMEMBERED): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (known.size >= most) known.clear();
    known.set(key, value);
    return value;
  };
}
