import { parentPort, workerData } from 'node:worker_threads';
import { type SimulateOptions, simulate } from '../sim/world/simulate.ts';

/** A stretch of seeds for one thread. */
export type SimTask = Pick<SimulateOptions, 'seed' | 'runs' | 'generate'>;

export type SimMessage =
  | { readonly kind: 'progress'; readonly runs: number }
  | { readonly kind: 'report'; readonly report: ReturnType<typeof simulate> };

const port = parentPort;
if (port !== null) {
  const send = (message: SimMessage) => port.postMessage(message);
  const task = workerData as SimTask;
  send({ kind: 'report', report: simulate({ ...task, onProgress: (runs) => send({ kind: 'progress', runs }) }) });
}
