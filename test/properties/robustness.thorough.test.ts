import { expect, it } from 'vitest';
import { hammer, seedTexts } from './robustness.ts';

/** `SWAPFOLD_FUZZ=1000000` for the count that releases are held to: four minutes. */
const INPUTS = Number(process.env['SWAPFOLD_FUZZ'] ?? 100_000);

it(`${INPUTS} damaged texts are read or refused with a typed error, in bounded memory and time`, () => {
  const texts = seedTexts();
  hammer(texts, { inputs: 20_000, seed: 2 });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const count = hammer(texts, { inputs: INPUTS, seed: 3 });
  const grownMiB = (process.memoryUsage().rss - before) / 2 ** 20;
  console.log(
    `${count.inputs} inputs: ${count.read} swaps read, ${count.refused} refused, slowest ${count.slowestMs.toFixed(1)} ms, ` +
      `memory grew by ${grownMiB.toFixed(0)} MiB; refusals by code: ${JSON.stringify(Object.fromEntries(count.codes))}`,
  );
  expect(grownMiB).toBeLessThan(512);
  expect(count.slowestMs).toBeLessThan(2000);
});
