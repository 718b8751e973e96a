import { Worker } from 'node:worker_threads';
import { mergeReports, type SimulationReport } from '../testing/world/simulate.ts';
import type { SimMessage, SimTask } from './sim-worker.ts';

export type SimThreads = SimTask & {
  readonly workers: number;
  /** Called with the count of runs that all threads have done. */
  readonly onProgress: (runs: number) => void;
};

/** Runs seeds on threads, each with a stretch of its own; the sum does not depend on how many there are. */
export async function simulateOnThreads({ workers, onProgress, ...task }: SimThreads): Promise<SimulationReport> {
  const done = new Array<number>(workers).fill(0);
  const share = Math.ceil(task.runs / workers);
  const reports = await Promise.all(
    done.map((_, index) => {
      const from = index * share;
      const runs = Math.max(0, Math.min(share, task.runs - from));
      return onThread({ ...task, seed: task.seed + from, runs }, (count) => {
        done[index] = count;
        onProgress(done.reduce((sum, value) => sum + value, 0));
      });
    }),
  );
  return mergeReports(reports);
}

function onThread(task: SimTask, onProgress: (runs: number) => void): Promise<SimulationReport> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./sim-worker.${extension}`, import.meta.url), { workerData: task, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: SimMessage) => {
      if (message.kind === 'progress') onProgress(message.runs);
      else resolve(message.report);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a simulation thread ended with code ${code}`)));
  });
}
