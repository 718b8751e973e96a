import fc from 'fast-check';
import { it } from 'vitest';
import { draws } from '../support/draws.ts';
import { chainStep, expectWhole, livelyChain, takeStep } from '../support/smart-chain-steps.ts';

it('W2, T2: after any steps, reorganizations and restarts, the ledger is the sum of its blocks', async () => {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(chainStep, { minLength: 30, maxLength: 40, size: 'max' }), async (steps) => {
      const test = await livelyChain();
      for (const step of steps) {
        await takeStep(test, step);
        expectWhole(test);
        done++;
      }
    }),
    { numRuns: draws({ sample: 4, change: 12 }) },
  );
  if (done < draws({ sample: 100, change: 300 })) throw new Error(`only ${done} steps were taken`);
});
