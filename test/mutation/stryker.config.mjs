// Whether the tests notice a changed line: SWAPFOLD_ROOM=machines npx stryker run test/mutation/stryker.config.mjs
// Rooms are machines, runtime and replay; --mutate <glob> takes a part of one. The seed of the properties is fixed, so that a
// mutant meets the same cases as the original.
const ROOMS = {
  machines: ['machines/**/*.ts'],
  runtime: ['src/runtime/**/*.ts'],
  replay: ['src/replay/**/*.ts'],
};
const room = ROOMS[process.env['SWAPFOLD_ROOM'] ?? ''] ?? Object.values(ROOMS).flat();

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [...room, '!**/index.ts'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  disableTypeChecks: false,
  checkers: [],
  ignoreStatic: true,
};
