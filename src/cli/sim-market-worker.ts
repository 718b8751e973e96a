import { parentPort, workerData } from 'node:worker_threads';
import { type MarketReport, type SimulateMarketsOptions, simulateMarkets } from '../sim/market/simulate.ts';

/** A stretch of seeds for one thread. */
export type MarketTask = Pick<SimulateMarketsOptions, 'seed' | 'runs' | 'generate'>;

const port = parentPort;
if (port !== null) {
  const onProgress = (runs: number) => port.postMessage({ kind: 'progress', runs });
  const report: MarketReport = await simulateMarkets({ ...(workerData as MarketTask), onProgress });
  port.postMessage({ kind: 'report', report });
}
