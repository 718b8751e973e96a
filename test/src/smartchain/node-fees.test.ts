import { expect, it } from 'vitest';
import { largestCoin, mineBlocks, scriptOf, spend, submit, testChain } from '../../support/smart-chain.ts';

it('a chain learns from what waited and was confirmed, and estimates nothing before', async () => {
  const test = await testChain();
  const [first] = test.keys;
  await mineBlocks(test, 3);
  expect([test.chain.fees.feeFor(2), test.chain.fees.priorityFor(2)]).toEqual([undefined, undefined]);
  for (let round = 0; round < 160; round++) {
    const coin = largestCoin(test, first);
    const outputs = [{ value: coin.output.value, script: scriptOf(first) }];
    submit(test, spend(test, { coins: [coin], outputs }));
    await mineBlocks(test, 2);
  }
  const priority = test.chain.fees.priorityFor(2);
  expect(priority).toBeGreaterThan(1e9);
  expect(test.chain.fees.feeFor(2)).toBeUndefined();
});
