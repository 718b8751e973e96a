import { describe, expect, it } from 'vitest';
import { oneIn } from '../support/draws.ts';
import { restartAround, restartMayMatter, waysOf } from './live-runs.ts';

// Before and after every append: restarts-on-live-paths.thorough.test.ts.
describe.each(['taker', 'maker'] as const)('a %s that restarts around an append', (role) => {
  it.each(oneIn(12, waysOf(role)))('still ends soundly: %s', (_, way) => {
    const { runs, sameEnds, wrong } = restartAround(way, 'some');
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(1);
    if (restartMayMatter(way)) expect(sameEnds).toBeGreaterThan(0);
    else expect(sameEnds).toBe(runs);
  });
});
