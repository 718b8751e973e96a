import { describe, expect, it } from 'vitest';
import { coverageGaps, EXCLUSIONS, isExcluded } from '../../../../src/sim/world/coverage.ts';
import { FAULT_KINDS, type FaultName, liveEvents } from '../../../../src/sim/world/simulate.ts';

function tableOf(count: (event: string, fault: FaultName) => number) {
  return {
    coverage: Object.fromEntries(
      liveEvents().map((event) => [
        event,
        Object.fromEntries(FAULT_KINDS.map((fault) => [fault, count(event, fault)])) as Record<FaultName, number>,
      ]),
    ),
  };
}

describe('what did not meet in a simulation', () => {
  it('is nothing if each event met each fault', () => {
    expect(coverageGaps(tableOf(() => 1))).toEqual([]);
  });

  it('is everything that could and did not', () => {
    const cells = liveEvents().length * FAULT_KINDS.length;
    const excluded = EXCLUSIONS.reduce((sum, { events }) => sum + events.length, 0);
    expect(coverageGaps(tableOf(() => 0))).toHaveLength(cells - excluded);
    const [gap, ...rest] = coverageGaps(
      tableOf((event, fault) => (event === 'maker/Started' && fault === 'lie' ? 0 : 1)),
    );
    expect([gap, rest]).toEqual([{ event: 'maker/Started', fault: 'lie' }, []]);
  });

  it('is excused only for events that exist', () => {
    const events = new Set(liveEvents());
    expect(EXCLUSIONS.flatMap(({ events: named }) => named.filter((event) => !events.has(event)))).toEqual([]);
    expect(isExcluded('taker/TakerPaymentSent', 'shortLock')).toBe(true);
    expect(isExcluded('taker/TakerPaymentSent', 'underpay')).toBe(false);
  });
});
