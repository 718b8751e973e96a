import { defineConfig } from 'vitest/config';

// What runs for each mutant: the suites of the mutated rooms, without those that start processes or read whole corpora.
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/machines/**/*.test.ts',
      'test/src/replay/**/*.test.ts',
      'test/src/runtime/**/*.test.ts',
      'test/properties/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/*.slow.test.ts', '**/corpus.test.ts', '**/storm.test.ts'],
    setupFiles: ['test/mutation/fixed-seed.ts'],
    testTimeout: 30_000,
    retry: 0,
  },
});
