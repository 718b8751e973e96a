import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { asFileError } from '../../log/files/file-error.ts';
import { checkScenario } from '../../testing/world/check-scenario.ts';
import { coverageGaps } from '../../testing/world/coverage.ts';
import { generateScenario } from '../../testing/world/generate.ts';
import type { Scenario } from '../../testing/world/scenario.ts';
import {
  excusedRate,
  type RunResult,
  runScenario,
  type SimulationReport,
  simulate,
} from '../../testing/world/simulate.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { simReportText, simRunText } from '../render/sim.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { runRecorder } from '../run-recorder.ts';
import { simulateOnThreads } from '../sim-threads.ts';
import { simRuntime } from './sim-runtime.ts';

export type SimOptions = {
  readonly seed: number;
  readonly runs: number;
  readonly workers: number;
  readonly json?: boolean;
  /** A file with a stored scenario, in the place of those that are drawn. */
  readonly scenario?: string;
  /** False: every party follows the protocol. */
  readonly adversaries: boolean;
  /** False: no table of events and faults. */
  readonly coverage: boolean;
  /** Several swaps of several nodes on the shipped runtime, in the place of one swap on a light driver. */
  readonly runtime?: boolean;
};

/** `swapfold sim`: many schedules, judged; with one run, or for a stored scenario, its timeline. */
export async function simCommand({ io, ...options }: SimOptions & { readonly io: CliIo }): Promise<ExitCode> {
  const { seed, runs, adversaries, json = false, scenario: file } = options;
  if (options.runtime === true) {
    if (file !== undefined) throw new UsageError('--runtime draws its own markets: leave out --scenario');
    return simRuntime({ seed, runs, workers: options.workers, adversaries, json }, io);
  }
  if (file !== undefined) return oneRun(storedScenario(file), { json, from: file }, io);
  return runs === 1 ? oneRun(generateScenario(seed, { adversaries }), { json }, io) : manyRuns(options, io);
}

async function oneRun(
  scenario: Scenario,
  { json, from }: { readonly json: boolean; readonly from?: string },
  io: CliIo,
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { watch, lines } = runRecorder();
  const { seed } = scenario;
  const result: RunResult = runScenario(scenario, { watch });
  const source = from === undefined ? {} : { from };
  if (json) await output.write(jsonLine({ ...runRow(seed, result), timeline: lines }));
  else await output.write(simRunText({ seed, ...source, result, lines }, styleOf(io)));
  await output.flush();
  return result.violations.length === 0 ? EXIT.ok : EXIT.findings;
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

function runRow(seed: number, { scenario, violations, endings, excused, events, faults, steps }: RunResult) {
  return { seed, violations, endings, excused, events: [...events], faults: [...faults], steps, scenario };
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
