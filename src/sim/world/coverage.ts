import { isExcluded } from './exclusions.ts';
import { FAULT_KINDS, type FaultName, type SimulationReport } from './simulate.ts';

export { EXCLUSIONS, type Exclusion, isExcluded } from './exclusions.ts';

/** An event and a fault that did not meet in any run, though they could. */
export type CoverageGap = { readonly event: string; readonly fault: FaultName };

/** What did not meet in the runs of a report, in the order of its table. Empty after a million runs. */
export function coverageGaps({ coverage }: Pick<SimulationReport, 'coverage'>): readonly CoverageGap[] {
  return Object.entries(coverage).flatMap(([event, row]) =>
    FAULT_KINDS.filter((fault) => row[fault] === 0 && !isExcluded(event, fault)).map((fault) => ({ event, fault })),
  );
}
