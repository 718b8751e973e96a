/**
 * A value with a type that its caller knows and the compiler cannot: a machine, kind or runner whose context only its
 * own functions read (TypeScript has no type for "of some context"), a part that replaces a whole of which only that
 * part is used, or what a test of refusals passes on purpose. Checks nothing; callers say why they know.
 */
export function knownAs<T>(value: unknown): T {
  return value as T;
}
