import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { asFileError, FileError } from '../../log/file-error.ts';
import { checkScenario } from '../../sim/world/check-scenario.ts';
import { coverageGaps } from '../../sim/world/coverage.ts';
import { generateScenario } from '../../sim/world/generate.ts';
import { runRow } from '../../sim/world/keep-run.ts';
import type { Scenario } from '../../sim/world/scenario.ts';
import { ROOT_SEEDS } from '../../sim/world/seeds.ts';
import { excusedRate, type RunResult, runScenario, type SimulationReport, simulate } from '../../sim/world/simulate.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { fitted } from '../render/fitted.ts';
import { simReportText, simRunText } from '../render/sim.ts';
import { clean, messageText, styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { simulateOnThreads } from '../sim-threads.ts';
import { simRuntime } from './sim-runtime.ts';

export type SimOptions = {
  readonly seed: number;
  readonly runs: number;
  readonly workers: number;
  readonly json?: boolean;
  /** A file with a stored scenario, or a folder of them, instead of drawn ones. */
  readonly scenario?: string;
  /** Options that were given and say what is drawn, such as `--seed`. @defaultValue none */
  readonly drawing?: readonly string[];
  /** False: every party follows the protocol. */
  readonly adversaries: boolean;
  /** False: no table of events and faults. */
  readonly coverage: boolean;
  /** Several swaps of several nodes on the shipped runtime, instead of one swap on a light driver. */
  readonly runtime?: boolean;
};

/** `swapfold sim`: many schedules, judged; with one run, or for a stored scenario, its timeline. */
export async function simCommand({ io, ...options }: SimOptions & { readonly io: CliIo }): Promise<ExitCode> {
  const { seed, runs, adversaries, json = false, scenario: path } = options;
  if (seed >= ROOT_SEEDS && (runs !== 1 || options.runtime === true))
    throw new UsageError(`--seed from ${ROOT_SEEDS} on names one run that a guide led to: add --runs 1`);
  if (options.runtime === true) {
    if (path !== undefined) throw new UsageError('--runtime draws its own markets: leave out --scenario');
    return simRuntime({ seed, runs, workers: options.workers, adversaries, json }, io);
  }
  if (path !== undefined) checkStored(options);
  if (path !== undefined)
    return isFolder(path) ? keptRuns(path, { json }, io) : oneRun(storedScenario(path), { json, from: path }, io);
  return runs === 1 ? oneRun(generateScenario(seed, { adversaries }), { json }, io) : manyRuns(options, io);
}

async function oneRun(
  scenario: Scenario,
  { json, from }: { readonly json: boolean; readonly from?: string },
  io: CliIo,
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const result = runStored(scenario, from);
  if (json) await output.write(jsonLine({ ...runRow(result), timeline: result.timeline }));
  else await output.write(simRunText(result, { ...(from === undefined ? {} : { from }) }, styleOf(io)));
  await output.flush();
  return result.violations.length === 0 ? EXIT.ok : EXIT.findings;
}

/** A stored scenario holds its own seed: what says how others are drawn would go unheard. */
function checkStored({ drawing: [flag] = [] }: Pick<SimOptions, 'drawing'>): void {
  if (flag === undefined) return;
  const how = flag === '--seed' ? ', or change the member seed in its file' : '';
  throw new UsageError(`--scenario runs what is stored, and ${flag} says what is drawn: leave out ${flag}${how}.`);
}

/**
 * Every scenario that a folder keeps: one line for each that is sound, the timeline of each that is not, or of the only one. A file that holds
 * none is told in its place, and keeps no other from being run.
 */
async function keptRuns(folder: string, { json }: { readonly json: boolean }, io: CliIo): Promise<ExitCode> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
  const [only, ...more] = files;
  if (only === undefined) throw new UsageError(`${folder} holds no scenario: keepRun writes them as .json files.`);
  if (more.length === 0) return oneRun(storedScenario(only), { json, from: only }, io);
  const output = createOutput(io.stdout);
  let broken = 0;
  let unread = 0;
  for (const from of files) {
    const result = keptRun(from);
    if (typeof result === 'string') unread += 1;
    else if (result.violations.length > 0) broken += 1;
    await output.write(json ? keptRow(from, result) : keptText(from, result, io));
    await output.flush();
  }
  const ran = files.length - unread;
  const left = unread === 0 ? '' : ` ${unread} ${unread === 1 ? 'file was' : 'files were'} not run.`;
  const { columns } = styleOf(io);
  if (!json) await output.write(fitted(`${ran} stored scenarios, ${broken} of them break a rule.${left}\n`, columns));
  await output.flush();
  return broken + unread === 0 ? EXIT.ok : EXIT.findings;
}

/** The result of a stored scenario, or why it was not run. */
function keptRun(from: string): RunResult | string {
  try {
    return runStored(storedScenario(from), from);
  } catch (error) {
    if (error instanceof UsageError || error instanceof FileError) return messageText(error);
    throw error;
  }
}

function keptRow(from: string, result: RunResult | string): string {
  return jsonLine(typeof result === 'string' ? { from, error: result } : { from, ...runRow(result) });
}

function keptText(from: string, result: RunResult | string, io: CliIo): string {
  const { paint, columns } = styleOf(io);
  if (typeof result === 'string') return fitted(`${paint.red('Not run')}: ${clean(result)}\n`, columns);
  if (result.violations.length === 0) return fitted(`${clean(from)}: no rule was broken.\n`, columns);
  return `${simRunText(result, { from }, styleOf(io))}\n`;
}

function runStored(scenario: Scenario, from: string | undefined): RunResult {
  const program = (['maker', 'taker'] as const).find((name) => scenario.parties[name].conduct.kind === 'custom');
  if (program !== undefined) {
    const what = `the ${program} of ${from ?? 'this scenario'} has a conduct of its own, which is a program`;
    throw new UsageError(`${what}: run it with runScenario(scenario, { conducts }).`);
  }
  return runScenario(scenario);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A scenario as JSON, alone or as a member of what `--json` prints of a run. */
function storedScenario(file: string): Scenario {
  const text = textOf(file);
  try {
    const value = JSON.parse(text) as { readonly scenario?: unknown } | null;
    return checkScenario(value?.scenario ?? value);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'the text is not JSON' : (error as Error).message;
    throw new UsageError(`${file} holds no scenario: ${why}`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw asFileError(error, file);
  }
}

async function manyRuns(options: SimOptions, io: CliIo): Promise<ExitCode> {
  const { seed, runs, workers, adversaries, coverage, json = false } = options;
  const output = createOutput(io.stdout);
  const progress = createProgress(io, { total: runs, unit: 'runs' });
  const task = { seed, runs, generate: { adversaries } };
  const onProgress = (done: number) => progress.at(done);
  const started = performance.now();
  const report: SimulationReport =
    workers === 1 ? simulate({ ...task, onProgress }) : await simulateOnThreads({ ...task, workers, onProgress });
  const seconds = (performance.now() - started) / 1000;
  progress.clear();
  if (json)
    await output.write(
      jsonLine({
        seed,
        workers,
        ...report,
        excusedPerMillion: excusedRate(report),
        gaps: coverageGaps(report),
        seconds,
      }),
    );
  else await output.write(simReportText({ seed, workers, report, seconds, coverage }, styleOf(io)));
  await output.flush();
  return report.violations.length === 0 ? EXIT.ok : EXIT.findings;
}
