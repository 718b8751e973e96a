import { expect, it } from 'vitest';
import { describeShared, readShared } from '../../../../support/shared.ts';
import { ask, errorOf, openNode, text, withPublicKeys } from '../method-context.ts';

const asked = '028702e30d8465d6aa85f35d2f58c06a6ee17f23f376b56044dadf7b793f2c12b9';
const GLOBAL = 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2';
const own = '02f183a71e93dfa7672ce7212187e45eabcf4077fed575348504b20295751ab1a2';

describeShared('the published sample', () => {
  it('is answered, member for member', async () => {
    const { vectors } = JSON.parse(readShared('vectors/node/rpc-samples.json')) as {
      vectors: { method: string; params: string[]; response: { result: unknown } }[];
    };
    const sample = vectors.find(({ method }) => method === 'tokenaddress');
    const node = withPublicKeys(await openNode(), [own]);
    const answer = await ask(node, 'tokenaddress', ...(sample?.params ?? []));
    expect(JSON.stringify(answer)).toBe(JSON.stringify(sample?.response.result));
  });
});

it('shows the coins of each address with eight decimals', async () => {
  const node = await openNode({ seed: 'holder' });
  await ask(node, 'generate', 2);
  const { hex } = await ask(node, 'tokencreate', 'T', '0.5', '');
  await ask(node, 'sendrawtransaction', hex);
  await ask(node, 'generate', 1);
  const key = (await ask(node, 'getinfo')).pubkey;
  const answer = await text(node, 'tokenaddress', key);
  expect(answer).toContain('"TokensCCBalance":0.00010000,');
  expect(answer).toContain('"PubkeyCCbalance(Tokens)":0.50000000,');
  expect(answer).toContain('"myCCbalance(Tokens)":0.50000000,');
  // The node looks among the normal coins, where none are.
  const asNode = await text({ ...node, compatibility: 'node' }, 'tokenaddress', key);
  expect(asNode).toContain('"PubkeyCCbalance(Tokens)":0.00000000,');
});

it('treats an argument of 33 bytes that is not a key as the module’s key, and leaves others out', async () => {
  const node = withPublicKeys(await openNode(), [own]);
  expect((await ask(node, 'tokenaddress', `05${asked.slice(2)}`))['PubkeyCCaddress(Tokens)']).toBe(GLOBAL);
  for (const argument of ['', 'zz', asked.slice(2), `${asked}00`]) {
    expect(Object.keys(await ask(node, 'tokenaddress', argument))).not.toContain('PubkeyCCaddress(Tokens)');
  }
  expect(await errorOf(node, 'tokenaddress', 5)).toBe('-1 JSON value is not a string as expected');
});
