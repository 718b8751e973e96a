// Whether the tests notice a changed line: npx stryker run test/mutation/stryker.config.mjs [--mutate <glob>]
// The seed of the properties is fixed, so that a mutant meets the same cases as the original.
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: ['machines/**/*.ts', 'src/replay/**/*.ts', 'src/runtime/**/*.ts', '!**/index.ts'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  disableTypeChecks: false,
  checkers: [],
  ignoreStatic: true,
};
