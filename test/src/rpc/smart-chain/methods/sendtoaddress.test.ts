import { expect, it } from 'vitest';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import { ask, errorOf, openNode, text } from '../method-context.ts';

const first = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
const second = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const script = 'bEP3HK73CboW8tGN8obyHUQteBzYjFzgNm';

async function funded(): Promise<NodeContext> {
  const node = await openNode({ seed: 'payer', params: { supply: 1_000_000_000n } });
  await ask(node, 'generate', 3);
  return node;
}

it('pays, keeps the rest, and loses the fee alone', async () => {
  const node = await funded();
  const { balance } = await ask(node, 'getaddressbalance', await ownAddress(node));
  const txid = await ask(node, 'sendtoaddress', first, '1.23456789');
  const { fee, size } = (await ask(node, 'getrawmempool', true))[txid];
  expect(Math.round(fee * 1e8)).toBeGreaterThanOrEqual(size * 10);
  await ask(node, 'generatetoaddress', 1, second);
  const { balance: after } = await ask(node, 'getaddressbalance', await ownAddress(node));
  expect(after).toBe(balance - 123_456_789 - Math.round(fee * 1e8));
  const shown = await ask(node, 'gettransaction', txid);
  expect(shown).toMatchObject({ txid, amount: -1.23456789, fee: -fee, confirmations: 1, walletconflicts: [] });
  const [sent, ...change] = shown.details;
  expect(sent).toEqual({
    account: '',
    address: first,
    category: 'send',
    amount: -1.23456789,
    vout: 0,
    fee: -fee,
    size,
  });
  expect(change.map(({ category, vout }: Record<string, unknown>) => [category, vout])).toEqual([
    ['send', 1],
    ['receive', 1],
  ]);
  expect(await ask(node, 'getaddressutxos', { addresses: [first] })).toEqual([
    expect.objectContaining({ address: first, txid, outputIndex: 0, satoshis: 123_456_789, height: 4 }),
  ]);
});

async function ownAddress(node: NodeContext): Promise<string> {
  return (await ask(node, 'tokenaddress')).myaddress;
}

it('subtracts the fee from the amount if asked to', async () => {
  const node = await funded();
  const txid = await ask(node, 'sendtoaddress', first, 1, '', '', true);
  const { fee } = (await ask(node, 'getrawmempool', true))[txid];
  const { vout } = await ask(node, 'getrawtransaction', txid, 1);
  expect(vout[0].valueSat).toBe(100_000_000 - Math.round(fee * 1e8));
});

it('pays several at once, and divides the fee among those that bear it', async () => {
  const node = await funded();
  const txid = await ask(node, 'sendmany', '', { [first]: '1', [script]: 2 }, 1, '', [first, script]);
  const { fee } = (await ask(node, 'getrawmempool', true))[txid];
  const { vout } = await ask(node, 'getrawtransaction', txid, 1);
  const satoshis = BigInt(Math.round(fee * 1e8));
  expect(vout[0].valueSat).toBe(Number(100_000_000n - satoshis / 2n - (satoshis % 2n)));
  expect(vout[1].valueSat).toBe(Number(200_000_000n - satoshis / 2n));
});

it('says what is wrong with a payment', async () => {
  const node = await funded();
  const sent = (amount: unknown, to = first) => errorOf(node, 'sendtoaddress', to, amount as string);
  expect(await sent(1, 'nobody')).toBe('-5 Invalid Komodo address');
  expect(await sent(true)).toBe('-3 Amount is not a number or string');
  for (const amount of ['', 'x', '1.000000001', '0x10', '1e-9']) expect(await sent(amount)).toBe('-3 Invalid amount');
  expect(await sent(-1)).toBe('-3 Amount out of range');
  expect(await sent('1e15')).toBe('-3 Amount out of range');
  expect(await sent(0)).toBe('-3 Invalid amount for send');
  expect(await sent('0.00000001')).toBe('-4 Transaction amount too small');
  expect(await sent('11')).toBe('-6 Insufficient funds');
  const balance = (await ask(node, 'getinfo')).balance;
  expect(await sent(balance)).toBe('-6 Insufficient funds');
  const many = (amounts: object, from = '') => errorOf(node, 'sendmany', from, amounts as { [name: string]: string });
  expect(await many({ [first]: 1 }, 'account')).toBe('-8 Accounts are not supported; give ""');
  expect(await many({ nobody: 1 })).toBe('-5 Invalid Komodo address: nobody');
  expect(await many({ [first]: 1, [` ${first}`]: 1 })).toBe(`-8 Invalid parameter, duplicated address:  ${first}`);
  expect(await many({})).toBe('-8 Invalid parameter, no addresses');
  expect(await many([])).toBe('-3 Expected type object, got array');
  expect(await ask(node, 'getrawmempool')).toEqual([]);
});

it('can be emptied to the last satoshi', async () => {
  const node = await funded();
  const before = await ask(node, 'getinfo');
  const txid = await ask(node, 'sendtoaddress', first, before.balance, '', '', true);
  const { vout } = await ask(node, 'getrawtransaction', txid, 1);
  expect(vout).toHaveLength(1);
  expect(await text(node, 'getinfo')).toContain('"balance":0.00000000,');
});

it('lists what can be spent, by keys and by watch-only addresses', async () => {
  const node = await funded();
  await ask(node, 'importaddress', second);
  const txid = await ask(node, 'sendtoaddress', second, '0.5');
  const own = await ask(node, 'listunspent');
  expect(own.map(({ spendable }: { spendable: boolean }) => spendable)).not.toContain(false);
  const members = ['txid', 'vout', 'generated', 'address', 'segid', 'account', 'amount', 'scriptPubKey'];
  expect(Object.keys(own[0])).toEqual([...members, 'rawconfirmations', 'confirmations', 'spendable']);
  const { segid } = await ask(node, 'validateaddress', await ownAddress(node));
  expect(own[0].segid).toBe(segid);
  expect(own[0]).toMatchObject({ generated: true, address: await ownAddress(node), account: '', spendable: true });
  const waiting = await ask(node, 'listunspent', 0, 9, [second]);
  expect(waiting).toEqual([
    expect.objectContaining({ txid, address: second, amount: 0.5, confirmations: 0, spendable: false }),
  ]);
  expect(await ask(node, 'listunspent', 1, 9, [second])).toEqual([]);
  await ask(node, 'generate', 1);
  expect(await ask(node, 'listunspent', 1, 1, [second])).toHaveLength(1);
  expect(await ask(node, 'listunspent', 2, 9, [second])).toEqual([]);
  expect(await errorOf(node, 'listunspent', 1, 9, ['nobody'])).toBe('-5 Invalid Komodo address: nobody');
  expect(await errorOf(node, 'listunspent', 1, 9, [second, second])).toBe(
    `-8 Invalid parameter, duplicated address: ${second}`,
  );
  expect(await errorOf(node, 'listunspent', '1')).toBe('-3 Expected type number, got string');
  expect(await errorOf(node, 'listunspent', 1, '9')).toBe('-3 Expected type number, got string');
  expect(await errorOf(node, 'listunspent', 1, 9, second)).toBe('-3 Expected type array, got string');
});

it('makes, reveals and imports keys', async () => {
  const node = await openNode({ seed: 'keys' });
  const address = await ask(node, 'getnewaddress');
  expect(await ask(node, 'validateaddress', address)).toMatchObject({ ismine: true, iscompressed: true });
  const secret = await ask(node, 'dumpprivkey', address);
  const other = await openNode();
  expect(await errorOf(other, 'dumpprivkey', address)).toBe(`-4 Private key for address ${address} is not known`);
  expect(await ask(other, 'importprivkey', secret)).toBe(address);
  expect(await ask(other, 'dumpprivkey', address)).toBe(secret);
  expect(await errorOf(other, 'dumpprivkey', 'nobody')).toBe('-5 Invalid transparent address');
  expect(await errorOf(other, 'dumpprivkey', script)).toBe('-3 Address does not refer to a key');
  expect(await errorOf(other, 'importprivkey', `${secret}x`)).toBe('-5 Invalid private key encoding');
  expect(await errorOf(other, 'importaddress', address)).toMatch(/^-4 The wallet already contains/);
  expect(await errorOf(other, 'importaddress', 'nobody')).toBe('-5 Invalid Komodo address or script');
  expect(await errorOf(other, 'importaddress', script, '', false, true)).toMatch(/^-5 Cannot use the p2sh flag/);
  expect(await ask(other, 'importaddress', '51', '', false, true)).toBeNull();
});

it('mines for an address, for the own key, and for a wallet without one', async () => {
  const node = await openNode();
  expect(await ask(node, 'generate', 2)).toHaveLength(2);
  expect(await ask(node, 'generatetoaddress', 1, first)).toEqual([await ask(node, 'getbestblockhash')]);
  expect(await ask(node, 'generate', 0)).toEqual([]);
  expect(await errorOf(node, 'generatetoaddress', 1, 'nobody')).toBe('-5 Error: Invalid address');
  expect(await errorOf(node, 'generate', 10_001)).toMatch(/^-8 Invalid parameter, at most 10000 blocks/);
  expect(await errorOf(node, 'generate', 'x')).toBe('-1 JSON value is not an integer as expected');
});

it('sees what came to it, and nothing of others', async () => {
  const node = await funded();
  const [coinbase] = (await ask(node, 'getblock', 1)).tx;
  expect((await ask(node, 'gettransaction', coinbase)).details[0]).toMatchObject({ category: 'generate' });
  const [hash] = await ask(node, 'generatetoaddress', 1, first);
  const [foreign] = (await ask(node, 'getblock', hash)).tx;
  for (const txid of [foreign, 'ab'.repeat(32)]) {
    expect(await errorOf(node, 'gettransaction', txid)).toBe('-5 Invalid or non-wallet transaction id');
  }
  expect(await ask(node, 'getaddressbalance', { addresses: [first] })).toEqual({ balance: 10_000, received: 10_000 });
  expect(await errorOf(node, 'getaddressbalance', 'nobody')).toBe('-5 Invalid address');
  expect(await errorOf(node, 'getaddressutxos', { addresses: first })).toBe('-5 Addresses is expected to be an array');
  expect(await ask(node, 'getaddressutxos', { addresses: [first], chainInfo: true })).toMatchObject({
    hash,
    height: 4,
  });
});
