import { isExcluded } from './exclusions.ts';
import { FAULT_KINDS, type FaultName, type SimulationReport } from './simulate.ts';

export { EXCLUSIONS, type Exclusion, isExcluded } from './exclusions.ts';

/** An event and a fault that met in no run, although they could. */
export type CoverageGap = { readonly event: string; readonly fault: FaultName };

/**
 * What did not meet in the runs of a report, in the order of its table. Empty after a million runs.
 *
 * @example
 * ```ts
 * import { coverageGaps, simulate } from 'swapfold/testing';
 *
 * const report = simulate({ seed: 1, runs: 2 });
 * const counts = coverageGaps(report).map(({ event, fault }) => report.coverage[event]?.[fault]);
 * [counts.length > 0, counts.every((count) => count === 0)]; // → [true, true]
 * ```
 */
export function coverageGaps({ coverage }: Pick<SimulationReport, 'coverage'>): readonly CoverageGap[] {
  return Object.entries(coverage).flatMap(([event, row]) =>
    FAULT_KINDS.filter((fault) => row[fault] === 0 && !isExcluded(event, fault)).map((fault) => ({ event, fault })),
  );
}
