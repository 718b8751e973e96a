import { describe, expect, it } from 'vitest';
import { restartAround, restartMayMatter, waysOf } from './live-runs.ts';

describe.each(['taker', 'maker'] as const)('a %s that restarts before and after every append', (role) => {
  it.each(waysOf(role))('still ends soundly: %s', (_, way) => {
    const { runs, sameEnds, wrong } = restartAround(way, 'every');
    expect(wrong).toEqual([]);
    if (restartMayMatter(way)) expect(sameEnds).toBeGreaterThan(0);
    else expect(sameEnds).toBe(runs);
  });
});
