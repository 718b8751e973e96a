import { expect, it } from 'vitest';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import { payToKeyScript, TOKENS_KEY } from '../../../../../src/smartchain/tokens/scripts.ts';
import { ask, bareChain, openNode } from '../method-context.ts';

/** The bytes of an id as they are stored, the first one first. */
const stored = (txid: string) => Buffer.from(txid, 'hex').reverse().toString('hex');

it('lists creations in blocks by the stored bytes of their ids', async () => {
  const node = await openNode({ seed: 'lists' });
  await ask(node, 'generate', 3);
  const made: string[] = [];
  for (let index = 0; index < 8; index++) {
    const { hex } = await ask(node, 'tokencreate', `T${index}`, '0.00000001', '');
    made.push(await ask(node, 'sendrawtransaction', hex));
    await ask(node, 'generate', 1);
  }
  const { hex } = await ask(node, 'tokencreate', 'LATE', '0.00000001', '');
  await ask(node, 'sendrawtransaction', hex);
  const sorted = [...made].sort((left, right) => (stored(left) < stored(right) ? -1 : 1));
  expect(await ask(node, 'tokenlist')).toEqual(sorted);
  await ask(node, 'generate', 1);
  expect(await ask(node, 'tokenlist')).toHaveLength(9);
});

it('lists nothing for a payment to the key of the module that creates no token', async () => {
  const node = await openNode({ seed: 'lists' });
  const { chain, coin } = bareChain(3);
  coin({ txid: 'ab'.repeat(32), vout: 0, value: 10_000n, script: bytesToHex(payToKeyScript(TOKENS_KEY)) });
  expect(await ask({ ...node, chain }, 'tokenlist')).toEqual([]);
});
