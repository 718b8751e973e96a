// Whether the tests notice a changed line: SWAPFOLD_ROOM=machines npx stryker run test/mutation/stryker.config.mjs
// Rooms are machines, effects, runtime and replay; --mutate <glob> takes a part of one. The seed of the properties is fixed, so that a
// mutant meets the same cases as the original.
//
// All mutants of a room take hours on two cores. SWAPFOLD_SAMPLE=4 takes one window of ten lines in four, always the same ones.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const ROOMS = {
  machines: ['machines/**/*.ts'],
  effects: ['src/runtime/{swap,watcher}/**/*.ts'],
  runtime: ['src/runtime/*.ts', 'src/runtime/{loop,operate,host,tasks}/*.ts'],
  replay: ['src/replay/**/*.ts'],
};
const WINDOW = 10;

const room = ROOMS[process.env['SWAPFOLD_ROOM'] ?? ''] ?? Object.values(ROOMS).flat();
const sample = Number(process.env['SWAPFOLD_SAMPLE'] ?? 1);
const patterns = [...room, '!**/index.ts'];

/** Windows of lines whose place falls into the sample. */
function windows() {
  return globSync(patterns)
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n').length;
      const starts = Array.from({ length: Math.ceil(lines / WINDOW) }, (_, index) => index * WINDOW + 1);
      return starts
        .filter((start) => isDrawn(`${file}:${start}`))
        .map((start) => `${file}:${start}-${start + WINDOW - 1}`);
    });
}

function isDrawn(place) {
  return createHash('sha256').update(place).digest().readUInt32BE() % sample === 0;
}

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: sample > 1 ? windows() : patterns,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 3_000,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
  disableTypeChecks: false,
  checkers: [],
  ignoreStatic: true,
};
