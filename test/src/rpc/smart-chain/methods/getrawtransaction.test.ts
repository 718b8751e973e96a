import { beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import type { NodeContext } from '../../../../../src/rpc/smart-chain/context.ts';
import { buildPayment } from '../../../../../src/smartchain/wallet/send.ts';
import { ask, call, errorOf, openNode, text } from '../method-context.ts';

const address = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
let node: NodeContext;

beforeAll(async () => {
  node = await openNode({ seed: 'raw' });
  await ask(node, 'generate', 4);
});

it('shows a transaction with its place in the chain, its spent coins and its spenders', async () => {
  const txid = await ask(node, 'sendtoaddress', address, '1.5');
  const hex = await ask(node, 'getrawtransaction', txid);
  const waiting = await ask(node, 'getrawtransaction', txid, 1);
  expect(waiting.hex).toBe(hex);
  expect(waiting).not.toHaveProperty('blockhash');
  const [hash] = await ask(node, 'generate', 1);
  const shown = await ask(node, 'getrawtransaction', txid, 1);
  expect(Object.keys(shown)).toEqual([
    ...[
      'hex',
      'txid',
      'overwintered',
      'version',
      'last_notarized_height',
      'versiongroupid',
      'locktime',
      'expiryheight',
      'vin',
      'vout',
    ],
    ...['vjoinsplit', 'valueBalance', 'vShieldedSpend', 'vShieldedOutput'],
    ...['blockhash', 'height', 'confirmations', 'rawconfirmations', 'time', 'blocktime'],
  ]);
  expect(shown).toMatchObject({ txid, blockhash: hash, height: 5, confirmations: 1, rawconfirmations: 1 });
  const [input] = shown.vin;
  expect(Object.keys(input)).toEqual(['txid', 'vout', 'address', 'scriptSig', 'value', 'valueSat', 'sequence']);
  const [source] = (await ask(node, 'getrawtransaction', input.txid, true)).vout;
  expect(source).toMatchObject({ spentTxId: txid, spentIndex: 0, spentHeight: 5, valueSat: input.valueSat });
  const paid = shown.vout.find(({ valueSat }: { valueSat: number }) => valueSat === 150_000_000);
  expect(paid.scriptPubKey.addresses).toEqual([address]);
  expect(await text(node, 'getrawtransaction', txid, 1)).toContain('"value":1.50000000,"valueSat":150000000,');
  expect((await ask(node, 'getblock', hash, 2)).tx[1].txid).toBe(txid);
});

it('throws for an invalid id, and for an unknown one', async () => {
  expect(await errorOf(node, 'getrawtransaction', 'zz')).toBe("-8 parameter 1 must be hexadecimal string (not 'zz')");
  expect(await errorOf(node, 'getrawtransaction', 5)).toBe('-1 JSON value is not a string as expected');
  expect(await errorOf(node, 'getrawtransaction', 'ab'.repeat(32))).toBe(
    '-5 No information available about transaction',
  );
  expect(await errorOf(node, 'getrawtransaction', 'ab'.repeat(32), 'yes')).toBe(
    '-1 JSON value is not a boolean as expected',
  );
});

it('shows a block by hash and by height, in three depths', async () => {
  const hash = await ask(node, 'getblockhash', 1);
  const block = await ask(node, 'getblock', hash);
  expect(block).toEqual(await ask(node, 'getblock', '1'));
  expect(block).toEqual(await ask(node, 'getblock', 1, 1));
  expect(block).toEqual(await ask(node, 'getblock', 1, true));
  expect(block).toMatchObject({ hash, height: 1, bits: '207fffff', difficulty: 1, anchor: expect.any(String) });
  expect(block.previousblockhash).toBe(await ask(node, 'getblockhash', 0));
  expect(block.nextblockhash).toBe(await ask(node, 'getblockhash', 2));
  const bytes = await ask(node, 'getblock', 1, 0);
  expect(bytes).toHaveLength(2 * block.size);
  const [transaction] = (await ask(node, 'getblock', 1, 2)).tx;
  expect(bytes.endsWith(await ask(node, 'getrawtransaction', transaction.txid))).toBe(true);
  expect(transaction.vin[0]).toHaveProperty('coinbase');
});

it('shows the members of a block in the order of the node, with its constants', async () => {
  const block = await ask(node, 'getblock', 2);
  expect(Object.keys(block)).toEqual([
    ...['last_notarized_height', 'hash', 'confirmations', 'rawconfirmations', 'size', 'height', 'version'],
    ...['merkleroot', 'segid', 'finalsaplingroot', 'tx', 'time', 'nonce', 'solution', 'bits', 'difficulty'],
    ...['chainwork', 'anchor', 'chainSupply', 'valuePools', 'previousblockhash', 'nextblockhash'],
  ]);
  expect(block).toMatchObject({
    version: 4,
    segid: -1,
    finalsaplingroot: '3e49b5f954aa9d3545bc6c37744661eea48d7c34e3000d82b7f0010c30f4c2fb',
    anchor: '59d2cde5e65c1414c32ba54f0fe4bdb3d67618125286e6a191317917c812c6d7',
  });
  const amounts = ['monitored', 'chainValue', 'chainValueZat', 'valueDelta', 'valueDeltaZat'];
  expect(Object.keys(block.chainSupply)).toEqual(amounts);
  for (const pool of block.valuePools) expect(Object.keys(pool)).toEqual(['id', ...amounts]);
  const ids = ['transparent', 'sprout', 'sapling', 'burned'];
  expect(block.valuePools.map(({ id }: { id: string }) => id)).toEqual(ids);
  const [first, second] = (await ask(node, 'getblock', 5, 2)).tx;
  expect(Object.keys(first)).toEqual(Object.keys(second));
  expect(Object.keys(second.vin[0])).toEqual(['txid', 'vout', 'scriptSig', 'sequence']);
  expect(Object.keys(second.vout[0])).toEqual(['value', 'valueZat', 'n', 'scriptPubKey']);
  expect(second).not.toHaveProperty('blockhash');
});

it('adds up the supply: what blocks created, less what nobody can spend any more', async () => {
  const own = await openNode({ seed: 'sums', params: { supply: 1_000n, reward: 70_000n } });
  await ask(own, 'generate', 3);
  const before = await ask(own, 'getblockchaininfo');
  expect(before.chainSupply).toEqual({ monitored: true, chainValue: 0.00211, chainValueZat: 211_000 });
  const script = Uint8Array.of(0x6a, 1, 1);
  const burning = buildPayment(own, { outputs: [{ value: 600n, script }] });
  if ('fault' in burning) throw new Error(burning.fault);
  expect(burning.fee).toBeGreaterThan(0n);
  await ask(own, 'sendrawtransaction', bytesToHex(burning.identified.bytes), true);
  const [hash] = await ask(own, 'generate', 1);
  const { chainSupply, valuePools } = await ask(own, 'getblock', hash);
  // The fee is in the block that took it.
  const supply = { monitored: true, chainValue: 0.00281, chainValueZat: 281_000 };
  expect(chainSupply).toEqual({ ...supply, valueDelta: 0.0007, valueDeltaZat: 70_000 });
  expect(valuePools[0]).toMatchObject({ id: 'transparent', chainValueZat: 280_400, valueDeltaZat: 69_400 });
  expect(valuePools[1]).toMatchObject({ id: 'sprout', monitored: true, chainValueZat: 0 });
  expect(valuePools[3]).toMatchObject({ id: 'burned', chainValueZat: 600, valueDeltaZat: 600 });
  expect((await ask(own, 'getblockchaininfo')).valuePools[3]).toEqual({
    ...{ id: 'burned', monitored: true, chainValue: 0.000006, chainValueZat: 600 },
  });
  await ask(own, 'invalidateblock', hash);
  expect((await ask(own, 'getblockchaininfo')).chainSupply).toEqual(before.chainSupply);
});

it('shows the header of a block, and its bytes, which are those at the start of the block', async () => {
  const hash = await ask(node, 'getblockhash', 2);
  const { size, tx, anchor, chainSupply, valuePools, ...header } = await ask(node, 'getblock', hash);
  const shown = await ask(node, 'getblockheader', hash);
  expect(shown).toEqual(header);
  expect(Object.keys(shown)).toEqual([
    ...['last_notarized_height', 'hash', 'confirmations', 'rawconfirmations', 'height', 'version', 'merkleroot'],
    ...['finalsaplingroot', 'time', 'nonce', 'solution', 'bits', 'difficulty', 'chainwork', 'segid'],
    ...['previousblockhash', 'nextblockhash'],
  ]);
  expect(await ask(node, 'getblockheader', hash, true)).toEqual(header);
  const bytes = await ask(node, 'getblockheader', hash, false);
  expect(bytes).toHaveLength(2 * 141);
  expect((await ask(node, 'getblock', hash, 0)).startsWith(bytes)).toBe(true);
  expect(await errorOf(node, 'getblockheader', 'ab'.repeat(32))).toBe('-5 Block not found');
});

it('refuses other heights, depths and hashes', async () => {
  const range = '-8 Block height out of range';
  expect(await errorOf(node, 'getblockhash', -1)).toBe(range);
  expect(await errorOf(node, 'getblockhash', 9999)).toBe(range);
  expect(await errorOf(node, 'getblock', '9999')).toBe(range);
  expect(await errorOf(node, 'getblock', 'x')).toBe('-8 Invalid block height parameter');
  expect(await errorOf(node, 'getblock', 'ab'.repeat(32))).toBe('-5 Block not found');
  expect(await errorOf(node, 'getblock', '1', 3)).toBe('-8 Verbosity must be in range from 0 to 2');
});

it('agrees with itself about the tip', async () => {
  const hash = await ask(node, 'getbestblockhash');
  const height = await ask(node, 'getblockcount');
  const info = await ask(node, 'getblockchaininfo');
  expect(Object.keys(info)).toEqual([
    ...['chain', 'blocks', 'synced', 'headers', 'bestblockhash', 'difficulty', 'verificationprogress', 'chainwork'],
    ...['pruned', 'commitments', 'chainSupply', 'valuePools', 'softforks', 'upgrades', 'consensus'],
  ]);
  const found = info.blocks + 1;
  expect(info.softforks.map(({ id, version }: { id: string; version: number }) => [id, version])).toEqual([
    ['bip34', 2],
    ['bip66', 3],
    ['bip65', 4],
  ]);
  expect(info.softforks[2]).toEqual({
    id: 'bip65',
    version: 4,
    enforce: { status: false, found, required: 750, window: 4000 },
    reject: { status: false, found, required: 950, window: 4000 },
  });
  expect(info).toMatchObject({ chain: 'main', blocks: height, headers: height, bestblockhash: hash, difficulty: 1 });
  expect(info.upgrades['76b809bb']).toMatchObject({ name: 'Sapling', activationheight: 1, status: 'active' });
  expect(info.consensus).toEqual({ chaintip: '76b809bb', nextblock: '76b809bb' });
  expect(info.chainwork).toBe((await ask(node, 'getblock', hash)).chainwork);
  expect(await ask(node, 'getinfo')).toMatchObject({ name: 'SWAP', blocks: height, notarized: 0, KMDversion: '0.9.0' });
});

it('shows an unspent output and hides a spent one', async () => {
  const txid = await ask(node, 'sendtoaddress', address, 2);
  const { vin, vout } = await ask(node, 'getrawtransaction', txid, 1);
  const paid = vout.findIndex(({ valueSat }: { valueSat: number }) => valueSat === 200_000_000);
  expect(await ask(node, 'gettxout', vin[0].txid, vin[0].vout)).toBeNull();
  expect(await ask(node, 'gettxout', vin[0].txid, vin[0].vout, false)).toMatchObject({ version: 4 });
  expect(await ask(node, 'gettxout', txid, paid)).toMatchObject({ confirmations: 0, value: 2, coinbase: false });
  expect(await ask(node, 'gettxout', txid, paid, false)).toBeNull();
  expect(await ask(node, 'gettxout', txid, 99)).toBeNull();
  await ask(node, 'generate', 1);
  expect(await ask(node, 'gettxout', txid, paid)).toMatchObject({ confirmations: 1, rawconfirmations: 1 });
});

it('lists its calls and describes one', async () => {
  const list = String(await call(node, 'help')).split('\n');
  expect(list).toContain('tokentransfer tokenid destpubkey amount');
  expect(list).toContain('getblockcount');
  expect(await call(node, 'help', 'stop')).toBe('stop\n\nStops the node.');
  expect(await call(node, 'help', 'nothing')).toBe('help: unknown command: nothing');
});

it('stops once it is asked to', async () => {
  const stopping = await openNode();
  expect(await ask(stopping, 'stop')).toBe('SWAP server stopping');
  expect(stopping.stopped).toBe(1);
});
