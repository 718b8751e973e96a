import { expect, it } from 'vitest';
import { ask, errorOf, openNode } from '../method-context.ts';

it('makes a key if the wallet has none, but not when it refuses', async () => {
  const node = await openNode();
  expect(await errorOf(node, 'generate', 10_001)).toBe('-8 Invalid parameter, at most 10000 blocks in one call');
  expect(await errorOf(node, 'generate', '1x')).toBe('-1 JSON value is not an integer as expected');
  expect(node.wallet.ring.keys.size).toBe(0);
  expect(await ask(node, 'generate', 2)).toHaveLength(2);
  expect(node.wallet.ring.keys.size).toBe(1);
});
