import { expect, it } from 'vitest';
import { nodeVectors } from '../../../../support/node-vectors.ts';
import { describeShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode, withPublicKeys } from '../method-context.ts';

type Sample = { method: string; params: string[]; response: { result: { CCaddress: string } } };

describeShared('published samples', () => {
  it('name the address of the key that was asked for', async () => {
    // The two samples before it are of the era in which tokens were under another code.
    const samples = nodeVectors<Sample>('rpc-samples').filter(({ method }) => method === 'tokenbalance');
    const key = '0217a6aa6c0fe017f9e469c3c00de5b3aa164ca410e632d1c04169fd7040e20e06';
    const node = withPublicKeys(await openNode(), [key]);
    const [block] = await ask(node, 'generate', 1);
    const { tx } = await ask(node, 'getblock', block);
    const answer = await ask(node, 'tokenbalance', tx[0], key);
    expect(answer.CCaddress).toBe(samples.at(-1)?.response.result.CCaddress);
    expect(answer).toEqual({ result: 'success', CCaddress: answer.CCaddress, tokenid: tx[0], balance: 0 });
    expect(Object.keys(answer)).toEqual(Object.keys(samples.at(-1)?.response.result ?? {}));
    expect(await ask(node, 'tokenbalance', tx[0])).toEqual(answer);
    const { CCaddress } = await ask(node, 'tokenbalance', tx[0], 'no key');
    expect(CCaddress).toBe('RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2');
  });
});

it('says of an unknown, malformed or zero id that it cannot be found', async () => {
  const node = await openNode({ seed: 'any' });
  const missing = { result: 'error', error: 'cant find tokenid' };
  for (const id of ['ab'.repeat(32), '0'.repeat(64), 'nonsense', '']) {
    expect(await ask(node, 'tokenbalance', id)).toEqual(missing);
    expect(await ask(node, 'tokeninfo', id)).toEqual(missing);
  }
  expect(await errorOf(node, 'tokenbalance')).toBe('-1 JSON value is not a string as expected');
});
