import { defineConfig } from 'vitest/config';

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
    'test/src/runtime/effects/*.test.ts',
  ],
  runtime: [
    'test/src/runtime/**/*.test.ts',
    'test/machines/recovery/**/*.test.ts',
    'test/properties/live-paths.test.ts',
    'test/properties/replay-equals-live.test.ts',
    'test/properties/taken-over-logs.test.ts',
    'test/properties/planted-bugs.test.ts',
    'test/properties/found-by-simulation.test.ts',
  ],
  replay: ['test/src/replay/**/*.test.ts', 'test/properties/tampering.test.ts', 'test/src/events/**/*.test.ts'],
};

const room = process.env['SWAPFOLD_ROOM'] ?? '';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [...(ROOMS[room] ?? Object.values(ROOMS).flat())],
    exclude: ['**/node_modules/**', '**/*.slow.test.ts', '**/corpus.test.ts', '**/storm.test.ts', '**/restart.test.ts'],
    setupFiles: ['test/mutation/fixed-seed.ts'],
    testTimeout: 30_000,
    retry: 0,
  },
});
