import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

// Suites named *.slow.test.ts take minutes; `npm run test:slow` runs them and nothing else.
const slow = process.env['SWAPFOLD_SLOW'] === '1';

/** Suites that replace modules, timers or globals: each has a worker of its own. All others share theirs, with what it has loaded. */
const APART = [
  'test/src/runtime/clock-system.test.ts',
  'test/src/testing/clock-contract.test.ts',
  'test/machines/*/invariants-broken.test.ts',
  'test/e2e/scanner.test.ts',
  // The files and sockets that a process holds open are part of what is tested.
  'test/src/log/sqlite/**/*.test.ts',
  'test/src/peers/libp2p/network.test.ts',
];

const common = {
  root: new URL('..', import.meta.url).pathname,
  // What hangs is found all the same; a machine that is busy with something else fails no test.
  testTimeout: slow ? 900_000 : 180_000,
  hookTimeout: 180_000,
  retry: 0,
  // By default one core of two is left idle; the slow suites have processes of their own beside.
  maxWorkers: Math.max(1, availableParallelism()),
};
const SLOW = 'test/**/*.slow.test.ts';

export default defineConfig({
  test: slow
    ? { ...common, include: [SLOW] }
    : {
        ...common,
        projects: [
          {
            extends: true,
            test: {
              name: 'shared',
              include: ['test/**/*.test.ts'],
              exclude: [...configDefaults.exclude, SLOW, ...APART],
              isolate: false,
            },
          },
          { extends: true, test: { name: 'apart', include: APART } },
        ],
      },
});
