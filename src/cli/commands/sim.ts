import { performance } from 'node:perf_hooks';
import { coverageGaps } from '../../testing/world/coverage.ts';
import { generateScenario } from '../../testing/world/generate.ts';
import { type RunResult, runScenario, type SimulationReport, simulate } from '../../testing/world/simulate.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { simReportText, simRunText } from '../render/sim.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { runRecorder } from '../run-recorder.ts';
import { simulateOnThreads } from '../sim-threads.ts';

export type SimOptions = {
  readonly seed: number;
  readonly runs: number;
  readonly workers: number;
  readonly json?: boolean;
  /** False: every party follows the protocol. */
  readonly adversaries: boolean;
  /** False: no table of events and faults. */
  readonly coverage: boolean;
};

/** `swapfold sim`: many schedules, judged; with one run, its timeline. */
export async function simCommand({ io, ...options }: SimOptions & { readonly io: CliIo }): Promise<ExitCode> {
  return options.runs === 1 ? oneRun(options, io) : manyRuns(options, io);
}

async function oneRun({ seed, adversaries, json = false }: SimOptions, io: CliIo): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { watch, lines } = runRecorder();
  const result: RunResult = runScenario(generateScenario(seed, { adversaries }), { watch });
  if (json) await output.write(jsonLine({ ...runRow(seed, result), timeline: lines }));
  else await output.write(simRunText({ seed, result, lines }, styleOf(io)));
  await output.flush();
  return result.violations.length === 0 ? EXIT.ok : EXIT.findings;
}

function runRow(seed: number, { scenario, violations, endings, events, faults, steps }: RunResult) {
  return { seed, violations, endings, events: [...events], faults: [...faults], steps, scenario };
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
  if (json) await output.write(jsonLine({ seed, workers, ...report, gaps: coverageGaps(report), seconds }));
  else await output.write(simReportText({ seed, workers, report, seconds, coverage }, styleOf(io)));
  await output.flush();
  return report.violations.length === 0 ? EXIT.ok : EXIT.findings;
}
