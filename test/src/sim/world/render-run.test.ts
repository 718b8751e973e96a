import { expect, it } from 'vitest';
import { timeOf } from '../../../../src/sim/world/render-run.ts';

it.each([
  [0, '0:00:00'],
  [59, '0:00:59'],
  [3723, '1:02:03'],
  [-41, '-0:00:41'],
  [-3723, '-1:02:03'],
])('%d s are shown as %s', (seconds, text) => {
  expect(timeOf(seconds)).toBe(text);
});
