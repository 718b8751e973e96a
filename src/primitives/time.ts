declare const unixSeconds: unique symbol;
declare const millis: unique symbol;
declare const height: unique symbol;

/** A point in time in whole seconds since 1970-01-01T00:00:00Z, the unit of lock times. */
export type UnixSeconds = number & { readonly [unixSeconds]: true };

/** A point in time in whole milliseconds since 1970-01-01T00:00:00Z, the unit of event timestamps. */
export type Millis = number & { readonly [millis]: true };

/** The height of a block, counted from the first; the unit of some chains' locks. */
export type Height = number & { readonly [height]: true };

/** A duration in whole seconds. */
export type Seconds = number;

/**
 * Marks a number as seconds since the epoch.
 *
 * @throws RangeError when it is not a whole, safe, non-negative number.
 *
 * @example
 * ```ts
 * import { unixSecondsOf } from 'swapfold';
 *
 * unixSecondsOf(1734560398); // → 1734560398
 * unixSecondsOf(1734560398.5); // throws RangeError
 * ```
 */
export function unixSecondsOf(value: number): UnixSeconds {
  return wholeTime(value, 'seconds since 1970') as UnixSeconds;
}

/**
 * Marks a number as milliseconds since the epoch.
 *
 * @throws RangeError when it is not a whole, safe, non-negative number.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 *
 * millisOf(1734560398123); // → 1734560398123
 * millisOf(-1); // throws RangeError
 * ```
 */
export function millisOf(value: number): Millis {
  return wholeTime(value, 'milliseconds since 1970') as Millis;
}

/**
 * Marks a number as the height of a block.
 *
 * @throws RangeError when it is not a whole, safe, non-negative number.
 *
 * @example
 * ```ts
 * import { heightOf } from 'swapfold';
 *
 * heightOf(0); // → 0
 * heightOf(840_000.5); // throws RangeError
 * ```
 */
export function heightOf(value: number): Height {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a block height: ${value}`);
  return value as Height;
}

function wholeTime(value: number, unit: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a time in whole ${unit}: ${value}`);
  return value;
}

/**
 * The second that contains the moment (integer division, as KDF's `finished_at`).
 *
 * @example
 * ```ts
 * import { millisOf, toUnixSeconds } from 'swapfold';
 *
 * toUnixSeconds(millisOf(1730633787999)); // → 1730633787
 * ```
 */
export function toUnixSeconds(at: Millis): UnixSeconds {
  return Math.floor(at / 1000) as UnixSeconds;
}

export function toMillis(at: UnixSeconds): Millis {
  return (at * 1000) as Millis;
}

/** `at` moved by `seconds`, which may be negative. */
export function addSeconds(at: UnixSeconds, seconds: Seconds): UnixSeconds {
  return (at + seconds) as UnixSeconds;
}

const DAY = 86_400;

/** `2024-11-03 11:36:27 UTC`. Pure arithmetic, because the lower floors hold no clock and so no Date. */
export function formatUtc(at: UnixSeconds): string {
  const days = Math.floor(at / DAY);
  const rest = at - days * DAY;
  const { year, month, day } = civilFromDays(days);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${clock} UTC`;
}

/** Gregorian date of a count of days since 1970-01-01, by 400-year eras that start on 1 March. */
function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** A mean year of the calendar, in seconds: 365.2425 days. */
export const YEAR = 31_556_952;
const MONTH = YEAR / 12;

/**
 * `2 h 10 min`, `45 s`, `7 years 4 months`: a duration for people, in its two largest units. Years and months have
 * their mean lengths.
 */
export function formatDuration(seconds: Seconds): string {
  const length = Math.abs(Math.trunc(seconds));
  return length < YEAR ? inTwoUnits(length, SHORT_UNITS) : inTwoUnits(length, LONG_UNITS);
}

type Unit = readonly [size: number, one: string, many: string];

const SHORT_UNITS: readonly Unit[] = [
  [DAY, 'd', 'd'],
  [3600, 'h', 'h'],
  [60, 'min', 'min'],
  [1, 's', 's'],
];

const LONG_UNITS: readonly Unit[] = [
  [YEAR, 'year', 'years'],
  [MONTH, 'month', 'months'],
];

function inTwoUnits(length: number, units: readonly Unit[]): string {
  const parts: string[] = [];
  let rest = length;
  for (const [size, one, many] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${count === 1 ? one : many}`);
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** The first moment of a month given as `YYYY-MM`, UTC. @throws RangeError for any other text. */
export function monthStart(month: string): Millis {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month);
  if (match === null) throw new RangeError(`not a month in the form YYYY-MM: ${month.slice(0, 20)}`);
  const shiftedMonth = (Number(match[2]) + 9) % 12;
  const year = Number(match[1]) - (shiftedMonth >= 10 ? 1 : 0);
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const days = year * 365 + leapDays + Math.floor((153 * shiftedMonth + 2) / 5) - 719_468;
  return (days * DAY * 1000) as Millis;
}
