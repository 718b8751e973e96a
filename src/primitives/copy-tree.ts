/**
 * A deep copy of plain objects and arrays, which may be changed. Strings and class instances are shared, because
 * nothing changes them.
 */
export function copyTree<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copyArray(value) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = { ...(value as Record<string, unknown>) };
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === 'object' && member !== null) copy[key] = copyTree(member);
  }
  return copy as T;
}

function copyArray(value: readonly unknown[]): unknown[] {
  const copy = value.slice();
  for (let index = 0; index < copy.length; index++) {
    const member = copy[index];
    if (typeof member === 'object' && member !== null) copy[index] = copyTree(member);
  }
  return copy;
}
