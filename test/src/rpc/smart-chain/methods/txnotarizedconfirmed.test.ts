import { expect, it } from 'vitest';
import { ask, errorOf, openNode } from '../method-context.ts';

it('requires that many confirmations if nothing is notarized', async () => {
  const node = await openNode({ seed: 'deep', params: { notarizedDepth: 60 } });
  const [hash] = await ask(node, 'generate', 59);
  const [txid] = (await ask(node, 'getblock', hash)).tx;
  const asNode = { ...node, compatibility: 'node' as const };
  expect(await ask(node, 'txnotarizedconfirmed', txid)).toBe(false);
  await ask(node, 'generate', 1);
  expect(await ask(node, 'txnotarizedconfirmed', txid)).toBe(true);
  await ask(node, 'generate', 40);
  expect(await ask(asNode, 'txnotarizedconfirmed', txid)).toEqual({ result: false });
  await ask(node, 'generate', 1);
  expect(await ask(asNode, 'txnotarizedconfirmed', txid)).toEqual({ result: true });
});

it('is true for what is notarized and has two confirmations', async () => {
  const node = await openNode({ seed: 'notarized', notarization: true });
  const [hash] = await ask(node, 'generate', 1);
  const [txid] = (await ask(node, 'getblock', hash)).tx;
  const block = node.chain.tree.nodes.get(hash);
  if (block === undefined) throw new Error('the block is missing');
  await node.chain.notarize(block);
  expect(await ask(node, 'txnotarizedconfirmed', txid)).toBe(false);
  const [later] = await ask(node, 'generate', 1);
  expect(await ask(node, 'txnotarizedconfirmed', txid)).toBe(true);
  // Above the last notarized block the confirmations decide again.
  const [above] = (await ask(node, 'getblock', later)).tx;
  expect(await ask(node, 'txnotarizedconfirmed', above)).toBe(false);
  await ask(node, 'generate', 59);
  expect(await ask(node, 'txnotarizedconfirmed', above)).toBe(true);
});

it('is false for what is unknown, waits, or is in the first block', async () => {
  const node = await openNode({ seed: 'new' });
  await ask(node, 'generate', 70);
  const first = (await ask(node, 'getblock', '0')).tx[0];
  const waiting = await ask(node, 'sendtoaddress', 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7', 1);
  for (const txid of ['', 'zz', 'ab'.repeat(32), first, waiting]) {
    expect(await ask(node, 'txnotarizedconfirmed', txid)).toBe(false);
  }
  expect(await errorOf(node, 'txnotarizedconfirmed', 5)).toBe('-1 JSON value is not a string as expected');
});
