/** Gives equal values one small number. The first of several equal values stands for all of them. */
export type Interner<T> = {
  readonly id: (value: T) => number;
  readonly get: (id: number) => T;
  readonly size: () => number;
};

/** `keyOf` decides what is equal. */
export function createInterner<T>(keyOf: (value: T) => string): Interner<T> {
  const ids = new Map<string, number>();
  const values: T[] = [];
  return {
    id(value) {
      const key = keyOf(value);
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, values.length);
      values.push(value);
      return values.length - 1;
    },
    get: (id) => values[id] as T,
    size: () => values.length,
  };
}
