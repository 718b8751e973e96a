import type { Random } from '../../ports/clock.ts';

/** The same members in an unpredictable order. */
export function shuffled<T>(members: readonly T[], random: Random): readonly T[] {
  const drawn = [...members];
  for (let index = drawn.length - 1; index > 0; index--) {
    const other = below(index + 1, random);
    [drawn[index], drawn[other]] = [drawn[other] as T, drawn[index] as T];
  }
  return drawn;
}

function below(bound: number, random: Random): number {
  const number = random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
  return number % bound;
}
