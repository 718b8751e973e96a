import { beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import { publicKeyOf } from '../../../../../src/smartchain/keys/secp256k1.ts';
import { ask, call, errorOf, openNode, text } from '../method-context.ts';

const other = bytesToHex(publicKeyOf(new Uint8Array(32).fill(9)));
const unknown = '12'.repeat(32);
let node: NodeContext;
let poor: NodeContext;

beforeAll(async () => {
  node = await openNode({ seed: 'life' });
  poor = await openNode({ seed: 'poor' });
  await ask(node, 'generate', 5);
});

/** Sends what a token method built. */
async function send(context: NodeContext, method: string, ...params: (string | number)[]): Promise<string> {
  const { result, hex } = await ask(context, method, ...params);
  expect(result).toBe('success');
  return ask(context, 'sendrawtransaction', hex);
}

it('leads a token from its creation over transfers to its end', async () => {
  const id = await send(node, 'tokencreate', 'LIFE', '0.00001', 'a token');
  expect(await ask(node, 'tokeninfo', id)).toEqual({ result: 'error', error: 'the transaction is still in mempool' });
  expect(await ask(node, 'tokenbalance', id)).toMatchObject({ result: 'success', tokenid: id, balance: 0 });
  expect(await ask(node, 'tokenlist')).toEqual([]);
  await ask(node, 'generate', 1);
  expect(await ask(node, 'tokenlist')).toEqual([id]);
  const info = await ask(node, 'tokeninfo', id);
  expect(Object.keys(info)).toEqual(['result', 'tokenid', 'owner', 'name', 'supply', 'description']);
  expect(info).toMatchObject({
    result: 'success',
    tokenid: id,
    name: 'LIFE',
    supply: '0.00001000',
    description: 'a token',
  });
  expect(await text({ ...node, compatibility: 'node' }, 'tokeninfo', id)).toContain('"supply":1000,');

  const moved = await send(node, 'tokentransfer', id, other, '300');
  // All of them went in, and what comes back is not confirmed.
  expect((await ask(node, 'tokenbalance', id)).balance).toBe(0);
  expect((await ask(node, 'tokenaddress'))['myCCbalance(Tokens)']).toBe(0);
  await ask(node, 'generate', 1);
  expect((await ask(node, 'tokenbalance', id)).balance).toBe(700);
  expect((await ask(node, 'tokenbalance', id, other)).balance).toBe(300);
  expect(await ask(node, 'tokeninfo', moved)).toEqual({ result: 'error', error: 'tokenid isnt token creation txid' });
  expect(await ask(node, 'tokenbalance', moved)).toMatchObject({ result: 'success', balance: 0 });

  const { OpRets } = await ask(
    node,
    'decodeccopret',
    (await ask(node, 'getrawtransaction', moved, 1)).vout.at(-1).scriptPubKey.hex,
  );
  expect(OpRets).toEqual([{ eval_code: '0xf2', function: 't' }]);

  await send(node, 'tokentransfer', id, `02${'dead'.repeat(16)}`, 700);
  await ask(node, 'generate', 1);
  expect((await ask(node, 'tokenbalance', id)).balance).toBe(0);
  expect((await ask(node, 'tokeninfo', id)).supply).toBe('0.00001000');
  expect(await ask(node, 'tokentransfer', id, other, '1')).toEqual({ result: 'error', error: 'no token inputs' });
});

it('moves a non-fungible token and shows its data', async () => {
  const id = await send(node, 'tokencreate', 'NFT', '0.00000001', 'one of a kind', 'f7aa');
  await ask(node, 'generate', 1);
  const info = await ask(node, 'tokeninfo', id);
  expect(Object.keys(info).at(-1)).toBe('data');
  expect(info.data).toBe('f7aa');
  expect((await ask(node, 'tokenbalance', id)).balance).toBe(1);
  await send(node, 'tokentransfer', id, other, 1);
  await ask(node, 'generate', 1);
  expect((await ask(node, 'tokenbalance', id)).balance).toBe(0);
  expect((await ask(node, 'tokenbalance', id, other)).balance).toBe(1);
});

it('names the first fault in the order of the node', async () => {
  const id = await send(node, 'tokencreate', 'FAULT', '0.0000001', '');
  await ask(node, 'generate', 1);
  const failure = (error: string) => ({ result: 'error', error });
  for (const bad of ['', 'abc', '0'.repeat(64), `${unknown}0`, `0x${unknown.slice(2)}`]) {
    expect(await ask(node, 'tokentransfer', bad, 'zz', '0')).toEqual(failure('invalid tokenid'));
  }
  for (const amount of ['0', '-1', 'abc', '0.9', '']) {
    expect(await ask(node, 'tokentransfer', id, 'zz', amount)).toEqual(failure('amount must be positive'));
  }
  // The last two are no points of the curve: five has no root that would make it one, and the order is too large.
  const noPoints = [`02${'00'.repeat(31)}05`, `03${'ff'.repeat(32)}`];
  for (const key of ['', 'zz', other.slice(2), `05${other.slice(2)}`, `${other}00`, ...noPoints]) {
    expect(await ask(node, 'tokentransfer', id, key, '1')).toEqual(failure('invalid destpubkey'));
  }
  expect(await ask(poor, 'tokentransfer', unknown, other, '1')).toEqual(
    failure('insufficient normal inputs for tx fee'),
  );
  expect(await ask(node, 'tokentransfer', unknown, other, '1')).toEqual(failure('no token inputs'));
  expect(await ask(node, 'tokentransfer', id, other, '11')).toEqual(failure('insufficient token inputs'));
  // As atoll: digits up to the first other character.
  expect((await ask(node, 'tokentransfer', id, other, '1.5')).result).toBe('success');
});

it('throws for other types', async () => {
  const notText = '-1 JSON value is not a string as expected';
  expect(await errorOf(node, 'tokentransfer', 1, other, '1')).toBe(notText);
  expect(await errorOf(node, 'tokentransfer', unknown, 1, '1')).toBe(notText);
  expect(await errorOf(node, 'tokentransfer', unknown, other, true)).toBe(notText);
});

it('gives no transaction when the tokens cannot be signed for', async () => {
  const id = await send(node, 'tokencreate', 'BOUND', '0.00000010', '');
  await ask(node, 'generate', 1);
  const own = node.wallet.ownKey();
  const second = await node.wallet.create();
  await call(node, 'sendtoaddress', second.address, '1');
  await ask(node, 'generate', 1);
  const ring = { ...node.wallet.ring, keys: new Map([...node.wallet.ring.keys].filter(([, key]) => key !== own)) };
  const locked = { ...node, wallet: { ...node.wallet, ring } };
  expect(await ask(locked, 'tokentransfer', id, other, '1')).toEqual({ result: 'success', hex: '' });
});
