// All checks of a release, in order; stops where one fails. Prints the count of tests as its last line.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { NEXT_NODE } from './next-node.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'swapfold-verify-'));
const reports = [];
const report = (name) => {
  reports.push(join(scratch, `${name}.json`));
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.at(-1)}`];
};
// A change is judged by the same draws each time; `npm test` draws anew.
const SWAPFOLD_SEED = process.env.SWAPFOLD_SEED ?? '1';
const vitest = ['npx', 'vitest', 'run', '--config', 'test/vitest.config.ts'];

// While the slow suites wait for blocks and processes, the fast ones run on the Node that users move to next.
const next = NEXT_NODE !== null && existsSync(NEXT_NODE.binary) ? NEXT_NODE : null;
const onNext = { PATH: `${next?.folder}${delimiter}${process.env.PATH}` };
const steps = [
  [
    step('types', ['npm', 'run', '--silent', 'typecheck']),
    // `npm ci` has built already.
    step('build', ['node', 'test/support/build.mjs', '--if-stale']),
    step('format and lint', ['npx', 'biome', 'ci', '--colors=off', '.']),
  ],
  // Before the tests, which keep files in `dist` while they run.
  [
    step('reference pages', ['node', 'test/support/docs.mjs', '--check']),
    step('package', ['npx', 'publint', '--strict']),
    step('types of the package', ['node', 'test/support/attw.mjs', '--pack', '.', '--profile', 'esm-only']),
  ],
  [step('tests', [...vitest, ...report('fast')], { SWAPFOLD_FULL_LATER: '1' })],
  [
    step('slow tests', [...vitest, ...report('slow')], { SWAPFOLD_SLOW: '1' }),
    ...(next === null ? [] : [step('tests on Node 24', [...vitest, ...report('next')], onNext)]),
  ],
];

function step(name, command, env = {}) {
  return { name, command, env };
}

/** Runs it; what a step that is not the first of its group prints follows when it has ended. */
function run({ name, command: [program, ...args], env }, place) {
  const started = Date.now();
  const stdio = place === 0 ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const child = spawn(program, args, { stdio, env: { ...process.env, SWAPFOLD_SEED, ...env } });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(said));
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${name} (${seconds} s)`);
      resolve(status === 0);
    });
  });
}

let failed = false;
for (const group of steps) {
  const passed = await Promise.all(group.map(run));
  if (passed.includes(false)) {
    failed = true;
    break;
  }
}

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const file of reports) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
    totals.passed += numPassedTests;
    totals.failed += numFailedTests;
    totals.skipped += numPendingTests;
  } catch {
    // The step before it failed, so there is no report.
  }
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(failed ? 1 : 0);
