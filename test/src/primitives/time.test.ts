import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatDuration,
  formatUtc,
  millisOf,
  monthStart,
  toUnixSeconds,
  type UnixSeconds,
  unixSecondsOf,
} from '../../../src/primitives/time.ts';

it('writes any second of four-digit years as the platform does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      const expected = new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
      expect(formatUtc(seconds as UnixSeconds)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

it('finds the first moment of any month as the platform does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1970, max: 2400 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const text = `${year}-${String(month).padStart(2, '0')}`;
      expect(monthStart(text)).toBe(Date.UTC(year, month - 1));
    }),
  );
  expect(() => monthStart('2020-13')).toThrow(RangeError);
});

it('refuses a time that is not whole', () => {
  for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) {
    expect(() => unixSecondsOf(value)).toThrow(RangeError);
    expect(() => millisOf(value)).toThrow(RangeError);
  }
  expect(toUnixSeconds(millisOf(1999))).toBe(1);
});

it('shows a length of time in its two largest units', () => {
  expect([0, 59, 61, 7800, 90_061].map(formatDuration)).toEqual(['0 s', '59 s', '1 min 1 s', '2 h 10 min', '1 d 1 h']);
  const days = (count: number) => formatDuration(count * 86_400);
  expect([365, 366, 397, 730.485, 2685.25].map(days)).toEqual([
    '365 d',
    '1 year',
    '1 year 1 month',
    '2 years',
    '7 years 4 months',
  ]);
});
