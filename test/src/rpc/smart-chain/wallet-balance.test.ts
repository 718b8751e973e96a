import fc from 'fast-check';
import { expect, it } from 'vitest';
import { walletBalance } from '../../../../src/rpc/smart-chain/wallet-balance.ts';
import { contextOf } from '../../../support/node-over-http.ts';
import { testChain } from '../../../support/smart-chain.ts';
import { chainStep, takeStep } from '../../../support/smart-chain-steps.ts';

it('equals a new count, whatever happened since the last one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chainStep, { maxLength: 20 }), async (steps) => {
      const test = await testChain();
      const { wallet, ...others } = await contextOf(test.chain);
      const balance = (ring: typeof test.ring) =>
        walletBalance({ ...others, chain: test.chain, wallet: { ...wallet, ring } });
      for (const step of steps) {
        await takeStep(test, step);
        // Of a ring that is another object nothing is known yet.
        expect(balance(test.ring)).toEqual(balance({ ...test.ring }));
      }
    }),
    { numRuns: 25 },
  );
});
