import fc from 'fast-check';
import { it } from 'vitest';
import { draws } from '../support/draws.ts';
import { chainStep, expectWhole, livelyChain, takeStep } from '../support/smart-chain-steps.ts';

const LIVES = draws({ change: 10, release: 50 });
const STEPS = 200;

it(`W2, T2: over ${LIVES * STEPS} steps the ledger is always the sum of its blocks`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chainStep, { minLength: STEPS, maxLength: STEPS, size: 'max' }), async (steps) => {
      const test = await livelyChain();
      for (const step of steps) {
        await takeStep(test, step);
        expectWhole(test);
      }
    }),
    { numRuns: LIVES, endOnFailure: true },
  );
});
