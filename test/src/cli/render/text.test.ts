import { expect, it } from 'vitest';
import { briefText, clockText, offsetText } from '../../../../src/cli/render/text.ts';

const HOUR = 3_600_000;
const SPANS = [0, 3_723_000, 99.5 * HOUR, 100 * HOUR, 64_446 * HOUR];

it('shows a span by the clock, and a long one in units that people know', () => {
  expect(SPANS.map(clockText)).toEqual(['0:00:00', '1:02:03', '99:30:00', '4 d 4 h', '7 years 4 months']);
  expect(SPANS.map((span) => clockText(-span))).toEqual([
    '0:00:00',
    '-1:02:03',
    '-99:30:00',
    '-4 d 4 h',
    '-7 years 4 months',
  ]);
  expect(SPANS.map(offsetText)).toEqual(['+0 s', '+1 h 2 min', '+4 d 3 h', '+4 d 4 h', '+7 years 4 months']);
});

it('shows a span in few characters', () => {
  expect(SPANS.map(briefText)).toEqual(['0m00s', '1h02m03s', '99h30m00s', '4d04h', '7y04mo']);
  expect(SPANS.every((span) => briefText(span).length <= 9)).toBe(true);
  expect(briefText(-64_446 * HOUR)).toBe('-7y04mo');
});
