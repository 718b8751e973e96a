/** A small, fast number generator for fuzzing. Not for secrets. */
export type Rng = {
  /** The next whole number from 0 to 2^32 - 1. */
  readonly next: () => number;
  /** The next whole number from 0 to `limit - 1`; 0 for a limit of 0 or 1. */
  readonly below: (limit: number) => number;
};

const SUBSTITUTE_FOR_ZERO = 0x9e37_79b9;

/**
 * Marsaglia's xorshift32: equal seeds give equal numbers. The seed is taken modulo 2^32.
 *
 * @example
 * ```ts
 * import { xorshift32 } from 'swapfold/testing';
 *
 * const [one, again] = [xorshift32(7), xorshift32(7)];
 * one.next() === again.next(); // → true
 * Array.from({ length: 100 }, () => one.below(6)).every((number) => number < 6); // → true
 * one.below(0); // → 0
 * ```
 */
export function xorshift32(seed: number): Rng {
  // Neighbouring seeds are spread first; the state must never be zero.
  let state = Math.imul(seed | 0, 0x85eb_ca6b) ^ SUBSTITUTE_FOR_ZERO || SUBSTITUTE_FOR_ZERO;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return { next, below: (limit) => (limit < 2 ? 0 : next() % limit) };
}

/** One of a list, each as likely as the others. */
export function pick<T>(rng: Rng, from: readonly T[]): T {
  return from[rng.below(from.length)] as T;
}
