import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { canonicalJson } from '../../primitives/json.ts';
import { renderRun } from './render-run.ts';
import type { RunResult } from './simulate.ts';

/** A run as one row of JSON, without its timeline. */
export function runRow({
  seed,
  scenario,
  violations,
  endings,
  excused,
  events,
  faults,
  steps,
  unfired,
  notices,
  repeat,
}: RunResult) {
  return {
    seed,
    violations,
    endings,
    excused,
    events: [...events],
    faults: [...faults],
    steps,
    unfired,
    notices,
    repeat,
    scenario,
  };
}

/**
 * Keeps a run in a folder: its scenario as a file that `swapfold sim --scenario <folder>` runs, with its timeline as text beside it. It creates a
 * missing folder; a run that is kept twice is one file.
 *
 * @returns the path of the file.
 *
 * @example
 * ```ts
 * import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { basename, join } from 'node:path';
 * import { generateScenario, keepRun, runScenario } from 'swapfold/testing';
 *
 * const folder = mkdtempSync(join(tmpdir(), 'runs-'));
 * const file = keepRun(runScenario(generateScenario(31)), folder);
 * basename(file).slice(0, 8); // → 'seed-31-'
 * readdirSync(folder).length; // → 2
 * rmSync(folder, { recursive: true });
 * ```
 */
export function keepRun(result: RunResult, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const digest = bytesToHex(sha256(new TextEncoder().encode(canonicalJson(result.scenario)))).slice(0, 8);
  const name = [
    ...new Set(result.violations.map(({ rule }) => rule.toLowerCase())),
    `seed-${result.seed}`,
    digest,
  ].join('-');
  const file = join(folder, `${name}.json`);
  writeFileSync(join(folder, `${name}.txt`), renderRun(result));
  writeFileSync(file, `${JSON.stringify(runRow(result), null, 2)}\n`);
  return file;
}
