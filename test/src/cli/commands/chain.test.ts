import { readFileSync, statSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CliStream } from '../../../../src/cli/io.ts';
import { run } from '../../../../src/cli/run.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/index.ts';
import { createSmartChainClient } from '../../../../src/smartchain/client/index.ts';
import { runCli, scratchFolder } from '../../../support/cli.ts';

type Row = {
  chain: string;
  height: number;
  url: string;
  files: { conf: string; log: string; wallet: string };
  address: string | null;
  publicKey: string | null;
};

const SEED = 'a seed that nobody should see';

type Running = AsyncDisposable & { row: Row; first: string; code: Promise<number>; err: () => string };

/** Starts a chain in this process and gives what it told once it listens. */
async function startChain(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Running> {
  let err = '';
  let told = (_: string): void => {};
  const line = new Promise<string>((resolve) => {
    told = resolve;
  });
  const sink = (take: (text: string) => void) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        take(chunk);
        done();
      },
    }) as CliStream;
  const stdin = (async function* (): AsyncGenerator<Uint8Array> {})();
  const stderr = sink((text) => {
    err += text;
  });
  const code = run(['chain', '--rpcport', '0', '--json', ...argv], { stdin, stdout: sink(told), stderr, env });
  const first = await Promise.race([line, code.then((ended) => `ended with ${ended}: ${err}`)]);
  const row = JSON.parse(first) as Row;
  let over = false;
  void code.then(() => {
    over = true;
  });
  return {
    row,
    first,
    code,
    err: () => err,
    // Before its folder goes.
    async [Symbol.asyncDispose]() {
      if (!over) await runCli(['rpc', 'stop', '--url', row.url, '--conf', row.files.conf]);
      await code;
    },
  };
}

const rpc = ({ row }: Running, ...argv: readonly string[]) =>
  runCli(['rpc', ...argv, '--url', row.url, '--conf', row.files.conf]);

describe('chain', () => {
  it('serves a new chain, and after it was stopped the same one again', async () => {
    using scratch = scratchFolder({ seed: `${SEED}\n` });
    const argv = ['--name', 'TRY', '--datadir', scratch.file('chain'), '--seed-file', scratch.file('seed')];
    await using first = await startChain([...argv, '--supply', '500', '--reward', '2', '--maturity', '1']);
    expect(first.row).toMatchObject({ chain: 'TRY', height: 0, address: expect.stringMatching(/^R/) });
    expect(first.row.files.conf).toBe(scratch.file('chain/TRY.conf'));
    expect((await rpc(first, 'generate', '3')).code).toBe(0);
    expect(await rpc(first, 'getblockcount')).toEqual({ code: 0, out: '3\n', err: '' });
    const hash = (await rpc(first, 'getblockhash', '3')).out;
    expect(hash).toMatch(/^[0-9a-f]{64}\n$/);
    const stopped = await rpc(first, 'stop');
    expect([stopped.code, stopped.err]).toEqual([0, '']);
    expect([await first.code, first.err()]).toEqual([0, '']);
    // Its rules are kept, so they need not be given again.
    await using again = await startChain(argv);
    expect(again.row).toMatchObject({ chain: 'TRY', height: 3, address: first.row.address });
    expect((await rpc(again, 'getblockhash', '3')).out).toBe(hash);
  });

  it('releases its log when it ends', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path]);
    await expect(openSqliteLog({ path: chain.row.files.log })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await rpc(chain, 'stop');
    expect(await chain.code).toBe(0);
    await (await openSqliteLog({ path: chain.row.files.log })).close();
  });

  it('keeps its files for its owner, and its secrets out of what it prints', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path], { SWAPFOLD_SEED: SEED });
    await rpc(chain, 'generate', '1');
    await rpc(chain, 'nope');
    const password = /rpcpassword=(.*)/.exec(readFileSync(chain.row.files.conf, 'utf8'))?.[1] ?? '';
    expect(password.length).toBeGreaterThan(60);
    for (const file of [chain.row.files.conf, chain.row.files.log]) expect(statSync(file).mode & 0o077).toBe(0);
    expect(chain.first + chain.err()).not.toContain(SEED);
    expect(chain.first + chain.err()).not.toContain(password);
  });

  it('starts without a key, and then makes no tokens', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path]);
    expect(chain.row).toMatchObject({ chain: 'SWAP', address: null, publicKey: null });
    const { code, err } = await rpc(chain, 'tokenlist');
    expect([code, err]).toEqual([1, expect.stringContaining('valid -pubkey=')]);
  });

  it('prefers the given user and password to those of the conf file', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path, '--rpcuser', 'me', '--rpcpassword', 'mine']);
    const given = ['--url', chain.row.url, '--rpcuser', 'me', '--rpcpassword', 'mine'];
    expect((await runCli(['rpc', 'getblockcount', ...given])).out).toBe('0\n');
    const wrong = await rpc(chain, 'getblockcount');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('[SMARTCHAIN_RPC_UNAUTHORIZED]')]);
    await runCli(['rpc', 'stop', ...given]);
    await chain.code;
  });

  it('mines automatically on request', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path, '--mine', 'every 5ms']);
    let height = 0;
    while (height < 2) height = Number((await rpc(chain, 'getblockcount')).out);
    expect(height).toBeGreaterThanOrEqual(2);
  });

  it('ends cleanly on a signal', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path]);
    const [own] = process.listeners('SIGTERM').slice(-1);
    own?.('SIGTERM');
    expect(await chain.code).toBe(0);
    expect(process.listeners('SIGTERM')).not.toContain(own);
  });

  it('makes tokens that a client of the typed kind can follow', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path, '--maturity', '1', '--reward', '5'], {
      SWAPFOLD_SEED: SEED,
    });
    await rpc(chain, 'generate', '3');
    const conf = readFileSync(chain.row.files.conf, 'utf8');
    const setting = (name: string) => new RegExp(`${name}=(.*)`).exec(conf)?.[1] ?? '';
    const client = createSmartChainClient({
      url: chain.row.url,
      user: setting('rpcuser'),
      password: setting('rpcpassword'),
    });
    const tokenId = await client.sendRawTransaction(await client.tokenCreate({ name: 'TOK', supply: 1000n }));
    await client.call('generate', [1]);
    expect(await client.tokenList()).toEqual([tokenId]);
    expect(await client.tokenInfo(tokenId)).toMatchObject({ name: 'TOK', supply: 1000n, owner: chain.row.publicKey });
    const other = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;
    await client.sendRawTransaction(await client.tokenTransfer({ tokenId, recipient: other, amount: 300n }));
    await client.call('generate', [1]);
    expect((await client.tokenBalance(tokenId)).balance).toBe(700n);
    expect((await client.tokenBalance(tokenId, other)).balance).toBe(300n);
    await expect(client.tokenInfo('00'.repeat(32))).rejects.toMatchObject({ code: 'SMARTCHAIN_RPC_TOKEN_REFUSED' });
    expect(await client.isNotarizedOrConfirmed(tokenId)).toBe(false);
  });
});

describe('a chain that cannot start', () => {
  it.each([
    [['--name', '../x'], 2, 'A chain has a name of 1 to 64'],
    [['--mine', 'sometimes'], 2, 'such as "every 10s"'],
    [['--mine', 'every 0s'], 2, 'such as "every 10s"'],
    [['--supply', '1e3'], 2, 'an amount of coins'],
    [['--rpcport', '65536'], 2, 'from 0 to 65535'],
    [['--seed-file', '/nowhere/at-all'], 2, 'ENOENT'],
  ])('%j ends with %i: %s', async (argv, code, text) => {
    using scratch = scratchFolder();
    const ended = await runCli(['chain', '--datadir', scratch.file('chain'), ...argv]);
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(text)]);
  });

  it('because the folder holds it with other rules leaves it as it is', async () => {
    using scratch = scratchFolder();
    await using chain = await startChain(['--datadir', scratch.path, '--maturity', '5']);
    await rpc(chain, 'stop');
    await chain.code;
    const other = await runCli(['chain', '--datadir', scratch.path, '--rpcport', '0', '--maturity', '6']);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('[SMARTCHAIN_OPTION_INVALID]')]);
    await using again = await startChain(['--datadir', scratch.path]);
    expect(again.row.height).toBe(0);
  });

  it('because it already runs says so', async () => {
    using scratch = scratchFolder();
    await using _ = await startChain(['--datadir', scratch.path]);
    const second = await runCli(['chain', '--datadir', scratch.path, '--rpcport', '0']);
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('[LOG_LOCKED]')]);
  });
});
