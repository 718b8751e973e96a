import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createPair, requestOf, SHALLOW } from '../../../support/swap-pair.ts';

/** Ten thousand are driven where `SWAPFOLD_SUPERVISOR` says so: they take some minutes of a processor. */
const SWAPS = Number(process.env['SWAPFOLD_SUPERVISOR'] ?? 600);
/** What one live swap may cost beside its log, in bytes; about 10,000 were measured. */
const BOUND = 16_000;

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

it('drives some hundred swaps on each of two nodes at the same time, on one timer each and in little memory', async () => {
  const pair = createPair({ chain: 'ledger' });
  const { maker, taker } = pair.nodes;
  const began = performance.now();
  for (let index = 0; index < SWAPS; index++) {
    for (const { side, runtime } of [maker, taker])
      await runtime.startSwap(requestOf(side, { ...SHALLOW, uuid: uuidOf(index) }));
  }
  let peak = 0;
  let most = 0;
  const finished = await pair.until(() => {
    const runners = maker.runtime.sizes().runners + taker.runtime.sizes().runners;
    most = Math.max(most, runners);
    if (runners === 2 * SWAPS) peak = Math.max(peak, heapBytes());
    return runners === 0;
  }, 60);
  const perSwap = Math.round((peak - heapBytes()) / most);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  console.log(`${most} live swaps: ${perSwap} B each beside log and chains, ${seconds} s to the end of all`);
  expect(finished).toBe(true);
  expect(most).toBe(2 * SWAPS);
  expect(perSwap).toBeLessThan(BOUND);
  expect(pair.clock.mostArmed()).toBeLessThanOrEqual(2);
  for (const { log } of [maker, taker]) {
    expect(await log.find({ outcome: 'completed', finished: true })).toHaveLength(SWAPS);
  }
});
