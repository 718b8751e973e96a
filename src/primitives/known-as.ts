/**
 * A value, taken for what its caller knows it to be and the compiler cannot: a machine, kind or runner whose context only its own functions look into
 * (TypeScript has no type for "of some context"), a part that stands in for a whole where no more than the part is used, and what a test of refusals
 * hands in on purpose. Says nothing about the value; callers say why they know.
 */
export function knownAs<T>(value: unknown): T {
  return value as T;
}
