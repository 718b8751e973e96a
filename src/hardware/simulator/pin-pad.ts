import type { Random } from '../../ports/clock.ts';

/** The digits 1 to 9 as the device shows them: three rows, the upper one first. */
export type PinGrid = readonly [string, string, string];

/** Positions of the grid, numbered like a number pad, in the order in which the rows show them. */
const PLACES = '789456123';

/** A grid in an unpredictable order. */
export function shuffledGrid(random: Random): PinGrid {
  const digits = [...'123456789'];
  for (let last = digits.length - 1; last > 0; last--) {
    const other = below(last + 1, random);
    const moved = digits[last] ?? '';
    digits[last] = digits[other] ?? '';
    digits[other] = moved;
  }
  const text = digits.join('');
  return [text.slice(0, 3), text.slice(3, 6), text.slice(6)];
}

/** A uniform random number from 0 to `count` - 1. */
function below(count: number, random: Random): number {
  const most = 256 - (256 % count);
  for (;;) {
    const [byte = 0] = random.bytes(1);
    if (byte < most) return byte % count;
  }
}

/** The digits at the entered positions; undefined if anything else was entered. */
export function digitsAt(places: string, grid: PinGrid): string | undefined {
  const shown = grid.join('');
  const digits = [...places].map((place) => shown[PLACES.indexOf(place)]);
  return digits.includes(undefined) ? undefined : digits.join('');
}

/**
 * What a person who sees the grid enters: the positions of the digits of the PIN.
 *
 * @throws RangeError for a PIN with another digit than 1 to 9.
 *
 * @example
 * ```ts
 * import { placesOf } from 'swapfold/hardware/simulator';
 *
 * placesOf('241', ['712', '893', '456']); // → '918'
 * placesOf('240', ['712', '893', '456']); // throws RangeError
 * ```
 */
export function placesOf(pin: string, grid: PinGrid): string {
  const shown = grid.join('');
  return [...pin]
    .map((digit) => {
      const place = PLACES[shown.indexOf(digit)];
      if (place === undefined || digit === '') throw new RangeError('a PIN consists of digits from 1 to 9');
      return place;
    })
    .join('');
}
