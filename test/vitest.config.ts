import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Suites named *.slow.test.ts take minutes: `npm run test:slow` runs them and nothing else. Those named *.thorough.test.ts go on where others
// stop, and take an hour: `npm run test:slow -- --thorough` runs both.
const thorough = process.env['SWAPFOLD_THOROUGH'] === '1';
const slow = thorough || process.env['SWAPFOLD_SLOW'] === '1';
// `npm run verify` runs the slow suites behind the fast ones: what draws more there need not draw its sample before.
const fullLater = process.env['SWAPFOLD_FULL_LATER'] === '1';

/** Suites that replace modules, timers or globals: each has a worker of its own. All others share theirs, with what it has loaded. */
const APART = [
  'test/src/runtime/host/clock-system.test.ts',
  'test/src/testing/contracts/clock-contract.test.ts',
  'test/machines/*/invariants-broken.test.ts',
  'test/e2e/scanner.test.ts',
  'test/src/cli/commands/status.test.ts',
  // The files and sockets that a process holds open are part of what is tested.
  'test/src/log/sqlite/**/*.test.ts',
  'test/src/peers/libp2p/network.test.ts',
];

/** The same of the suites that take minutes: the memory that it measures is that of a process with nothing else in it. */
const SLOW_APART = ['test/src/runtime/operate/supervisor.slow.test.ts'];

/** What takes longest, in that order: begun last, each would keep one worker busy while the other has nothing left. */
const LONG = [
  'e2e/trade.slow.test.ts',
  'e2e/trading-node.slow.test.ts',
  'check/bounds.thorough.test.ts',
  'properties/planted-bugs.thorough.test.ts',
  'e2e/matrix.slow.test.ts',
  'e2e/kills.slow.test.ts',
  // Its pages run side by side, and so do the plays of the first one: not both at once.
  'docs/docs.slow.test.ts',
  'e2e/evm-swaps.slow.test.ts',
  'e2e/litecoin-swaps.slow.test.ts',
  'e2e/evm-watchers.slow.test.ts',
  'crash/serve-task-kill.slow.test.ts',
  'e2e/qrc20-swaps.slow.test.ts',
  'e2e/trading-network.slow.test.ts',
  'e2e/trading-watcher.slow.test.ts',
  'e2e/package.slow.test.ts',
  'crash/swap-kill.slow.test.ts',
  'e2e/cli-streams.slow.test.ts',
  'e2e/cli.slow.test.ts',
  'check/check.test.ts',
  'properties/tampering.test.ts',
];

/** Vitest's own order, which goes by what a run before took and by the size of files, behind what takes longest. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((name) => moduleId.endsWith(name));
      return found === -1 ? LONG.length : found;
    };
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}

const common = {
  root: new URL('..', import.meta.url).pathname,
  // What hangs is found all the same; a machine that is busy with something else fails no test.
  testTimeout: slow ? 900_000 : 180_000,
  hookTimeout: 180_000,
  retry: 0,
  setupFiles: ['test/support/seed.ts'],
  sequence: { sequencer: LongFirst },
  // What was transformed is kept in `node_modules`, by content, for the next run and for the suites behind this one.
  experimental: { fsModuleCache: true },
  // Where one of the slow suites waits for a block or a process, another one works; the fast ones are seldom idle, and each worker loads all modules.
  maxWorkers: availableParallelism() + (slow ? 1 : 0),
};
const SLOW = 'test/**/*.slow.test.ts';
const RELEASES = 'test/**/*.thorough.test.ts';

/** Fast suites of which a change is held to more than `npm test` draws, or a release to more than a change (`draws`). */
function drawMore(): readonly string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !/\.(?:slow|thorough)\.test\.ts$/.test(path))
    .filter((path) => readFileSync(join(import.meta.dirname, path), 'utf8').includes("/support/draws.ts'"));
  return files.map((path) => `test/${path.replaceAll('\\', '/')}`);
}

/** Two projects with one pool of workers: suites that share theirs, and those that do not. */
const suites = (include: readonly string[], exclude: readonly string[], apart: readonly string[]) => ({
  ...common,
  projects: [
    {
      extends: true as const,
      test: {
        name: 'shared',
        include: [...include],
        exclude: [...configDefaults.exclude, ...exclude, ...apart],
        isolate: false,
      },
    },
    { extends: true as const, test: { name: 'apart', include: [...apart] } },
  ],
});

export default defineConfig({
  test: slow
    ? suites([SLOW, ...(thorough ? [RELEASES] : []), ...drawMore()], [], SLOW_APART)
    : suites(['test/**/*.test.ts'], [SLOW, RELEASES, ...(fullLater ? drawMore() : [])], APART),
});
