import { performance } from 'node:perf_hooks';
import { generateMarket } from '../../sim/market/generate.ts';
import { runMarketScenario, simulateMarkets } from '../../sim/market/simulate.ts';
import { marketTimeline } from '../../sim/market/timeline.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { createOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { marketReportText, marketRunText } from '../render/sim-runtime.ts';
import { styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { simulateMarketsOnThreads } from '../sim-threads.ts';

export type SimRuntimeOptions = {
  readonly seed: number;
  readonly runs: number;
  readonly workers: number;
  readonly json: boolean;
  readonly adversaries: boolean;
};

/** `swapfold sim --runtime`: several swaps of several nodes, each on the shipped runtime; with one run, its timeline. */
export async function simRuntime(options: SimRuntimeOptions, io: CliIo): Promise<ExitCode> {
  return options.runs === 1 ? oneMarket(options, io) : manyMarkets(options, io);
}

async function oneMarket({ seed, json, adversaries }: SimRuntimeOptions, io: CliIo): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const result = await runMarketScenario(generateMarket(seed, { adversaries }));
  const { logs, ...told } = result;
  if (json) await output.write(jsonLine({ seed, ...told, timeline: marketTimeline(logs) }));
  else await output.write(marketRunText({ seed, result }, styleOf(io)));
  await output.flush();
  return result.violations.length === 0 ? EXIT.ok : EXIT.findings;
}

async function manyMarkets(options: SimRuntimeOptions, io: CliIo): Promise<ExitCode> {
  const { seed, runs, workers, adversaries, json } = options;
  const output = createOutput(io.stdout);
  const progress = createProgress(io, { total: runs, unit: 'runs' });
  const task = { seed, runs, generate: { adversaries }, onProgress: (done: number) => progress.at(done) };
  const started = performance.now();
  const report = workers === 1 ? await simulateMarkets(task) : await simulateMarketsOnThreads({ ...task, workers });
  const seconds = (performance.now() - started) / 1000;
  progress.clear();
  if (json) await output.write(jsonLine({ seed, workers, ...report, seconds }));
  else await output.write(marketReportText({ seed, workers, report, seconds, adversaries }, styleOf(io)));
  await output.flush();
  return report.violations.length === 0 ? EXIT.ok : EXIT.findings;
}
