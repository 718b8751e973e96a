import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import BitcoinCore from 'bitcoin-core';
import BitcoindRpc from 'bitcoind-rpc';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChainNode, openChainNode } from '../../src/cli/chain/chain-node.ts';
import { Secret } from '../../src/primitives/secret.ts';
import { parseConf } from '../../src/rpc/smart-chain/conf.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { keptLog } from '../src/rpc/smart-chain/small-methods.ts';
import { scratchFolder } from '../support/cli.ts';
import { describeWith } from '../support/optional-part.ts';

const CLI = process.env['SWAPFOLD_LITECOIN_CLI'] ?? '/usr/bin/litecoin-cli';
const LITECOIN_CLI = {
  present: existsSync(CLI),
  absence: `no ${CLI} (apt-get install --no-install-recommends litecoind installs it, SWAPFOLD_LITECOIN_CLI names another)`,
};
const FOREIGN = 'RDNC9mLrN48pVGDQ5jSoPb2nRsUPJ5t2R7';
const run = promisify(execFile);

type Coin = { readonly txid: string; readonly vout: number; readonly amount: number };
/** Asks by whatever client: a result, or what the client says is wrong. */
type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

const scratch = scratchFolder();
let node: ChainNode;

beforeAll(async () => {
  node = await openChainNode({
    name: 'CLIENTS',
    folder: scratch.path,
    clock: systemClock(),
    logger: keptLog(),
    rules: { maturity: 1, reward: 5_000_000n, supply: 1_000_000_000n },
    compatibility: 'specification',
    port: 0,
    seed: new Secret('asked by others'),
    onStop: () => {},
  });
});
afterAll(async () => {
  await node?.close();
  scratch[Symbol.dispose]();
});

/** What a client learns of the node: nothing but what its conf file says. */
function access() {
  const conf = parseConf(readFileSync(node.files.conf, 'utf8'), node.files.conf);
  return { host: conf.bind, port: conf.port, user: conf.user, password: conf.password.reveal() };
}

/** Pays a part of the largest coin to somebody by raw transactions, as wallets of Bitcoin do. */
async function paidRaw(ask: Ask): Promise<{ readonly txid: unknown; readonly mined: unknown }> {
  const coins = (await ask('listunspent')) as readonly Coin[];
  const [{ txid, vout, amount }] = [...coins].sort((left, right) => right.amount - left.amount) as [Coin];
  const kept = await ask('getnewaddress');
  const outputs = { [FOREIGN]: 0.5, [String(kept)]: Number((amount - 0.5001).toFixed(8)) };
  const raw = await ask('createrawtransaction', [{ txid, vout }], outputs);
  const signed = (await ask('signrawtransaction', raw)) as { readonly hex: string; readonly complete: boolean };
  expect(signed.complete).toBe(true);
  const sent = await ask('sendrawtransaction', signed.hex);
  expect(await ask('getrawmempool')).toContain(sent);
  const mined = await ask('generatetoaddress', 1, kept);
  return { txid: sent, mined };
}

/** What any client of Bitcoin's does first, asked by one of them. */
async function expectUsable(ask: Ask): Promise<void> {
  const before = Number(await ask('getblockcount'));
  const { txid, mined } = await paidRaw(ask);
  expect(await ask('getblockcount')).toBe(before + 1);
  expect(mined).toEqual([await ask('getblockhash', before + 1)]);
  const block = (await ask('getblock', await ask('getbestblockhash'))) as { readonly tx: readonly unknown[] };
  expect(block.tx).toContain(txid);
  expect(await ask('gettransaction', txid)).toMatchObject({ confirmations: 1, txid });
  expect(await ask('getrawtransaction', txid, 1)).toMatchObject({ txid, confirmations: 1 });
  const rows = (await ask('listtransactions', '*', 50, 0)) as readonly object[];
  expect(rows).toContainEqual(expect.objectContaining({ txid, category: 'send', address: FOREIGN, amount: -0.5 }));
  expect(Number(await ask('getbalance'))).toBeGreaterThan(1);
  expect(Number(await ask('getbalance', '*', 1))).toBeGreaterThan(1);
  const own = (await ask('listunspent', 1, 999)) as readonly Coin[];
  expect(own.length).toBeGreaterThan(0);
  expect(await ask('validateaddress', FOREIGN)).toMatchObject({ isvalid: true, ismine: false });
  expect(await ask('gettxout', txid, 0)).toMatchObject({ value: 0.5, confirmations: 1 });
  expect(await ask('getnetworkinfo')).toMatchObject({ connections: 0 });
  expect(await ask('getblockchaininfo')).toMatchObject({ blocks: before + 1 });
  expect(await ask('getwalletinfo')).toMatchObject({ unconfirmed_balance: 0 });
  expect(await ask('getmempoolinfo')).toMatchObject({ size: 0 });
  expect(await ask('getpeerinfo')).toEqual([]);
  expect(await ask('getconnectioncount')).toBe(0);
  expect(Number(await ask('getdifficulty'))).toBeGreaterThan(0);
  const paid = await ask('sendtoaddress', FOREIGN, 0.25);
  expect(await ask('gettransaction', paid)).toMatchObject({ confirmations: 0, amount: -0.25 });
}

describeWith(LITECOIN_CLI, 'litecoin-cli', () => {
  async function cli(...argv: readonly string[]): Promise<string> {
    const { stdout } = await run(CLI, [`-datadir=${scratch.path}`, `-conf=${node.files.conf}`, ...argv]);
    return stdout.trim();
  }

  /** As a person types it: every value is a text, and the client knows which ones of its own methods are numbers. */
  const ask: Ask = async (method, ...params) => {
    const argv = params.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const told = await cli(method, ...argv);
    return /^[[{"\d-]/.test(told) && !/^[0-9a-f]{64,}$/.test(told) ? (JSON.parse(told) as unknown) : told;
  };

  it('finds the node by the conf file alone, and does what a wallet needs', async () => {
    await ask('generate', '4');
    await expectUsable(ask);
  });

  it('shows the node at a glance', async () => {
    const shown = JSON.parse(await cli('-getinfo')) as object;
    const balance = Number(await cli('getbalance'));
    expect(shown).toMatchObject({
      ...{ blocks: Number(await cli('getblockcount')), headers: Number(await cli('getblockcount')) },
      ...{ timeoffset: 0, proxy: '', balance, warnings: '', keypoolsize: 0, chain: 'main', relayfee: 0.000001 },
    });
  });

  it('reads the numbers that this client sends as strings', async () => {
    const blocks = Number(await cli('getblockcount'));
    expect(JSON.parse(await cli('generate', '2'))).toHaveLength(2);
    expect(Number(await cli('getblockcount'))).toBe(blocks + 2);
    expect(Number(await cli('estimatefee', '2'))).toBe(-1);
    expect(Number(await cli('estimatepriority', '2'))).toBe(-1);
    const made = JSON.parse(await cli('-generate', '2')) as { readonly blocks: readonly string[] };
    expect(made.blocks).toHaveLength(2);
    const help = await cli('help');
    expect(help).toContain('tokentransfer');
  });

  it('reports what is wrong, in the words and with the status of the code', async () => {
    const failed = cli('getblockhash', '99999');
    await expect(failed).rejects.toMatchObject({
      code: 8,
      stderr: 'error code: -8\nerror message:\nBlock height out of range\n',
    });
    await expect(cli('gettransaction', 'zz')).rejects.toMatchObject({ code: 5 });
  });
});

it('bitcoin-core of npm', async () => {
  const { host, port, user, password } = access();
  const client = new BitcoinCore({ host: `http://${host}:${port}`, username: user, password });
  const ask: Ask = (method, ...params) => client.command(method, ...params);
  await ask('generate', 4);
  await expectUsable(ask);
  const batch = ['getblockcount', 'getbalance'].map((method) => ({ method, parameters: [] }));
  expect(await client.command(batch)).toEqual([await ask('getblockcount'), await ask('getbalance')]);
  await expect(ask('getblockhash', 99_999)).rejects.toMatchObject({ code: -8, message: 'Block height out of range' });
  const stranger = new BitcoinCore({ host: `http://${host}:${port}`, username: user, password: 'guessed' });
  await expect(stranger.command('getblockcount')).rejects.toMatchObject({ code: 401 });
});

it('bitcoind-rpc of npm', async () => {
  const { host, port, user, password } = access();
  const client = new BitcoindRpc(`http://${user}:${password}@${host}:${port}`);
  const ask: Ask = (method, ...params) =>
    new Promise((resolve, reject) => {
      const done = (failure: { readonly message: string } | null, reply?: { readonly result: unknown }) => {
        if (failure === null) resolve(reply?.result);
        else reject(failure);
      };
      client[method]?.call(client, ...params, done);
    });
  await ask('generate', '4');
  await expectUsable(ask);
  const results = await new Promise((resolve, reject) => {
    client.batch(
      () => {
        client['getblockcount']?.();
        client['getblockhash']?.(0);
      },
      (failure, replies) => (failure ? reject(failure) : resolve(replies.map(({ result }) => result))),
    );
  });
  expect(results).toEqual([await ask('getblockcount'), await ask('getblockhash', 0)]);
  await expect(ask('getblockhash', 99_999)).rejects.toMatchObject({ code: -8 });
});
