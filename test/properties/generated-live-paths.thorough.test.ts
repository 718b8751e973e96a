import { describe, expect, it } from 'vitest';
import { waysOf } from './live-runs.ts';
import { endsAround } from './live-variations.ts';

describe.each(['taker', 'maker'] as const)('many schedules drawn around a %s way to the end', (role) => {
  it.each(waysOf(role))('end soundly, and some as it does: %s', (_, way) => {
    expect(endsAround(way, 60)).toBeGreaterThan(0);
  });
});
