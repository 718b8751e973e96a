import { Worker } from 'node:worker_threads';
import type { MarketReport } from '../sim/market/simulate.ts';
import { mergeMarketReports } from '../sim/market/simulate.ts';
import { GUIDED_BLOCK } from '../sim/world/guide.ts';
import { mergeReports, type SimulationReport } from '../sim/world/simulate.ts';
import type { MarketTask } from './sim-market-worker.ts';
import type { SimTask } from './sim-worker.ts';

type Threads = {
  readonly workers: number;
  /** Called with the count of runs that all threads have done. */
  readonly onProgress: (runs: number) => void;
};

export type SimThreads = SimTask & Threads;
export type MarketThreads = MarketTask & Threads;

/** Runs seeds on threads, each with a stretch of its own; the sum does not depend on how many there are. */
export async function simulateOnThreads(task: SimThreads): Promise<SimulationReport> {
  return mergeReports(
    await onThreads<SimulationReport, SimThreads & Block>('sim-worker', { ...task, block: GUIDED_BLOCK }),
  );
}

/** The same for markets. */
export async function simulateMarketsOnThreads(task: MarketThreads): Promise<MarketReport> {
  return mergeMarketReports(
    await onThreads<MarketReport, MarketThreads & Block>('sim-market-worker', { ...task, block: 1 }),
  );
}

/** Runs that one thread must do, as what is learnt in some of them changes the next. */
type Block = { readonly block: number };

type Stretch = Threads & Block & { readonly seed: number; readonly runs: number };

function onThreads<Report, Task extends Stretch>(
  program: string,
  { workers, onProgress, block, ...task }: Task,
): Promise<readonly Report[]> {
  const done = new Array<number>(workers).fill(0);
  const share = Math.ceil(task.runs / workers / block) * block;
  return Promise.all(
    done.map((_, index) => {
      const from = index * share;
      const runs = Math.max(0, Math.min(share, task.runs - from));
      const report = (count: number) => {
        done[index] = count;
        onProgress(done.reduce((sum, value) => sum + value, 0));
      };
      return onThread<Report>(program, { ...task, seed: task.seed + from, runs }, report);
    }),
  );
}

type Message<Report> =
  | { readonly kind: 'progress'; readonly runs: number }
  | { readonly kind: 'report'; readonly report: Report };

function onThread<Report>(program: string, task: unknown, onProgress: (runs: number) => void): Promise<Report> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./${program}.${extension}`, import.meta.url), { workerData: task, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message<Report>) => {
      if (message.kind === 'progress') onProgress(message.runs);
      else resolve(message.report);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a simulation thread ended with code ${code}`)));
  });
}
