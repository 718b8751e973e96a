import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import type { RpcListener } from '../../../../src/rpc/http/serve.ts';
import { dispatch } from '../../../../src/rpc/smart-chain/dispatch.ts';
import { listen } from '../../../../src/rpc/smart-chain/listen.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { runCli, scratchFolder } from '../../../support/cli.ts';
import { keptLog, smallTerms } from '../../rpc/smart-chain/small-methods.ts';

const opened: RpcListener[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.close()));
});

async function startNode() {
  const listener = await listen({
    answer: (body) => dispatch(body, smallTerms()),
    credentials: { user: 'user', password: new Secret('never-tell') },
    clock: systemClock(),
    logger: keptLog(),
    port: 0,
  });
  opened.push(listener);
  return { url: `http://127.0.0.1:${listener.port}`, port: listener.port };
}

describe('rpc', () => {
  it.each([
    [['later'], 'later\n'],
    [['nothing'], ''],
    [['amount'], '10.00000000\n'],
    [['echo'], '[\n]\n'],
    [['echo', 'a', '1'], '[\n  "a",\n  "1"\n]\n'],
    [['echo', '--', '-1', '--json'], '[\n  "-1",\n  "--json"\n]\n'],
  ])('%j prints %j', async (argv, out) => {
    const { url } = await startNode();
    const call = ['rpc', '--url', url, '--rpcuser', 'user', '--rpcpassword', 'never-tell', ...argv];
    expect(await runCli(call)).toEqual({ code: 0, out, err: '' });
  });

  it.each([
    [['refuse'], 5, 'error code: -5\nerror message:\nBlock not found\n'],
    [['tokenthing'], 1, 'error code: -1\nerror message:\ntokenthing tokenid [pubkey]\n\n'],
    // 32601 as far as a system tells it.
    [['nope'], 89, 'error code: -32601\nerror message:\nMethod not found\n'],
  ])('%j ends with %i and says why on standard error', async (argv, code, err) => {
    const { url } = await startNode();
    const call = ['rpc', ...argv, '--url', url, '--rpcuser', 'user', '--rpcpassword', 'never-tell'];
    expect(await runCli(call)).toEqual({ code, out: '', err });
  });

  it('finds the node by its conf file', async () => {
    const { port } = await startNode();
    const conf = `rpcuser=user\nrpcpassword=never-tell\nrpcport=${port}\nrpcbind=0.0.0.0\n`;
    using scratch = scratchFolder({ 'TRY.conf': conf });
    const byName = await runCli(['rpc', 'later', '--datadir', scratch.path, '--name', 'TRY']);
    expect(byName).toEqual({ code: 0, out: 'later\n', err: '' });
    expect(await runCli(['rpc', 'later', '--conf', scratch.file('TRY.conf')])).toEqual(byName);
  });

  it.each([
    [['later', '--datadir', '/nowhere'], 2, 'There is no conf file /nowhere/SWAP.conf'],
    [['estimatefee', 'x'], 2, 'Parameter 1 of estimatefee must be JSON'],
    [[], 2, "missing required argument 'method'"],
  ])('%j is reported in one line', async (argv, code, text) => {
    const ended = await runCli(['rpc', ...argv]);
    expect([ended.code, ended.out, ended.err]).toEqual([code, '', expect.stringContaining(text)]);
  });

  it('tells a wrong password and a missing node apart, and reveals neither password', async () => {
    const { url } = await startNode();
    const wrong = await runCli(['rpc', 'later', '--url', url, '--rpcuser', 'user', '--rpcpassword', 'not-this-one']);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('[SMARTCHAIN_RPC_UNAUTHORIZED]')]);
    await Promise.all(opened.splice(0).map((listener) => listener.close()));
    const gone = await runCli(['rpc', 'later', '--url', url, '--rpcuser', 'user', '--rpcpassword', 'not-this-one']);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('[SMARTCHAIN_RPC_UNREACHABLE]')]);
    expect(wrong.err + gone.err).not.toContain('not-this-one');
    const keyed = `${url}/?apikey=k3y-of-a-provider`;
    const asked = await runCli(['rpc', 'later', '--url', keyed, '--rpcuser', 'user', '--rpcpassword', 'not-this-one']);
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining(`url     ${url}/\n`)]);
    expect(asked.err).not.toContain('k3y');
  });
});
