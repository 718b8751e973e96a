// All checks of a release, in order; stops at the first that fails. Prints the count of tests as its last line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'swapfold-verify-'));
const reports = [];
const report = (name) => {
  reports.push(join(scratch, `${name}.json`));
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.at(-1)}`];
};
// A change is judged by the same draws each time; `npm test` draws anew.
const SWAPFOLD_SEED = process.env.SWAPFOLD_SEED ?? '1';
const vitest = ['npx', 'vitest', 'run', '--config', 'test/vitest.config.ts'];

const steps = [
  ['format and lint', ['npx', 'biome', 'ci', '--colors=off', '.']],
  ['types', ['npm', 'run', '--silent', 'typecheck']],
  ['build', ['npm', 'run', '--silent', 'build']],
  ['reference pages', ['node', 'test/support/docs.mjs', '--check']],
  ['tests', [...vitest, ...report('fast')]],
  ['slow tests', [...vitest, ...report('slow')], { SWAPFOLD_SLOW: '1' }],
  ['package', ['npx', 'publint', '--strict']],
  ['types of the package', ['npx', 'attw', '--pack', '.', '--profile', 'esm-only']],
];

let failed = false;
for (const [name, [command, ...args], env] of steps) {
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, SWAPFOLD_SEED, ...env } });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${name} (${seconds} s)`);
  if (status !== 0) {
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
