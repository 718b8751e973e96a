import type { Command } from '../../runtime/command.ts';
import type { Metrics } from '../../runtime/host/metrics.ts';

/** What one life of a process did at its boundary, and what its engine counted. */
export type Counts = {
  /** Questions, appends and messages that left the process. */
  asks: number;
  appends: number;
  sends: number;
  /** What the engine counted: commands decided by kind, answers, and appends. */
  readonly decided: Record<Command['kind'], number>;
  asked: number;
  appended: number;
};

export function newCounts(): Counts {
  const decided = { append: 0, ask: 0, send: 0, wait: 0, done: 0 };
  return { asks: 0, appends: 0, sends: 0, decided, asked: 0, appended: 0 };
}

export function countingMetrics(counts: Counts): Metrics {
  return {
    asked: () => {
      counts.asked += 1;
    },
    appended: () => {
      counts.appended += 1;
    },
    decided: (kind) => {
      counts.decided[kind] += 1;
    },
    late: () => {},
    moved: () => {},
    runnerMoved: () => {},
  };
}
