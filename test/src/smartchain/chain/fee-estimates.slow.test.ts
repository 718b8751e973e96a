import { expect, it } from 'vitest';
import { coinAt, largestCoin, mineBlocks, scriptOf, spend, submit, testChain } from '../../../support/smart-chain.ts';

it('the estimates of a chain of 14 blocks of 100 equal transactions are their fee', async () => {
  const test = await testChain({ params: { reward: 1_000_000_000n } });
  await mineBlocks(test, 3);
  const [key] = test.keys;
  const script = scriptOf(key);
  // All of them there before, so that the coins have an age.
  const outputs = Array.from({ length: 1400 }, () => ({ value: 60_000n, script }));
  const coin = largestCoin(test, key);
  const change = { value: coin.output.value - 1400n * 60_000n - 100_000n, script };
  const first = submit(test, spend(test, { coins: [coin], outputs: [...outputs, change] }));
  await mineBlocks(test, 2);
  const found: (bigint | undefined)[] = [];
  const fee = 457n;
  let rate = 0n;
  for (let block = 0; block < 14; block++) {
    found.push(test.chain.fees.feeFor(6));
    for (let index = 100 * block; index < 100 * (block + 1); index++) {
      const paid = spend(test, { coins: [coinAt(first, index)], outputs: [{ value: 60_000n - fee, script }] });
      submit(test, paid);
      rate = (fee * 1000n) / BigInt(paid.bytes.length);
    }
    await mineBlocks(test, 1);
  }
  expect(found.slice(0, 5)).toEqual(Array(5).fill(undefined));
  // Signatures differ by a byte or two.
  expect(Math.abs(Number((test.chain.fees.feeFor(6) ?? 0n) - rate))).toBeLessThan(30);
});
