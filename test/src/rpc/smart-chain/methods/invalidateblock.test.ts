import { expect, it } from 'vitest';
import { ask, errorOf, openNode } from '../method-context.ts';

it('invalidates blocks and reconsiders them, and returns their transactions to the mempool', async () => {
  const node = await openNode({ seed: 'chain' });
  await ask(node, 'generate', 3);
  const txid = await ask(node, 'sendtoaddress', 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7', 1);
  const [first, second] = await ask(node, 'generate', 2);
  expect(await ask(node, 'invalidateblock', `0x${first}`)).toBeNull();
  expect(await ask(node, 'getblockcount')).toBe(3);
  expect(await ask(node, 'getrawmempool')).toEqual([txid]);
  expect((await ask(node, 'getblock', first)).confirmations).toBe(-1);
  expect(await ask(node, 'reconsiderblock', second)).toBeNull();
  expect(await ask(node, 'getbestblockhash')).toBe(second);
  expect(await ask(node, 'getrawmempool')).toEqual([]);
});

it('reports other blocks as unknown, and does not go behind a notarized one', async () => {
  const node = await openNode({ seed: 'chain', notarization: true });
  const [first, second] = await ask(node, 'generate', 2);
  for (const method of ['invalidateblock', 'reconsiderblock']) {
    for (const text of ['', 'zz', 'ab'.repeat(32)]) {
      expect(await errorOf(node, method, text)).toBe('-5 Block not found');
    }
    expect(await errorOf(node, method, 5)).toBe('-1 JSON value is not a string as expected');
  }
  const notarized = node.chain.tree.nodes.get(second);
  if (notarized === undefined) throw new Error('the block is missing');
  await node.chain.notarize(notarized);
  expect(await errorOf(node, 'invalidateblock', first)).toBe('-20 past-notarized-height');
});
