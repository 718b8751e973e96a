import { describe, expect, it } from 'vitest';
import { oneIn } from '../support/draws.ts';
import { waysOf } from './live-runs.ts';
import { endsAround } from './live-variations.ts';

// Five times as many: generated-live-paths.thorough.test.ts.
describe.each(['taker', 'maker'] as const)('schedules drawn around a %s way to the end', (role) => {
  it.each(oneIn(12, waysOf(role)))('end soundly, and some as it does: %s', (_, way) => {
    expect(endsAround(way, 12)).toBeGreaterThan(0);
  });
});
