import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const RUNTIME = [
  'test/src/runtime/**/*.test.ts',
  'test/properties/found-by-simulation.test.ts',
  'test/properties/taken-over-logs.test.ts',
];

/**
 * What runs for each mutant: the suites of the mutated room, without those that start processes, read whole corpora or search at
 * length. A survivor costs all the tests that reach it, so each room has its own list.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  machines: [
    'test/machines/**/*.test.ts',
    'test/properties/*-terminal-paths.test.ts',
    'test/properties/table-equals-chart.test.ts',
    'test/properties/live-paths.test.ts',
    'test/properties/taken-over-logs.test.ts',
    'test/src/runtime/swap/effects/*.test.ts',
  ],
  effects: RUNTIME,
  runtime: RUNTIME,
  replay: ['test/src/replay/**/*.test.ts', 'test/properties/table-equals-chart.test.ts'],
};

const room = process.env['SWAPFOLD_ROOM'] ?? '';

/** The suites of one module come before the properties of whole swaps: most mutants fall to the former, in less time. */
class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (moduleId.includes('/test/properties/') ? 1 : 0);
    return [...files].sort((left, right) => rank(left) - rank(right) || (left.moduleId < right.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [...(ROOMS[room] ?? Object.values(ROOMS).flat())],
    exclude: [
      '**/node_modules/**',
      '**/*.slow.test.ts',
      '**/*.thorough.test.ts',
      '**/corpus.test.ts',
      '**/storm.test.ts',
      '**/restart.test.ts',
    ],
    setupFiles: ['test/mutation/fixed-seed.ts'],
    // A mutant has to stand against all draws, as a change has in CI.
    env: { SWAPFOLD_SLOW: '1' },
    testTimeout: 30_000,
    isolate: false,
    fileParallelism: false,
    pool: 'threads',
    retry: 0,
    sequence: { sequencer: SmallFirst },
  },
});
