import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Compatibility, NodeOptions } from '../../../../src/node/node.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { FRAMEWORK_API, withRpc } from '../../../../src/rpc/index.ts';
import { OWNER, TendermintProcesses, withAssets } from '../../../support/tendermint/node-processes.ts';

const PASSWORD = 'a password of the suite';
const LOCAL = { address: '127.0.0.1', local: true };

type Step = 'init' | 'status' | 'user_action' | 'cancel';

async function serve(compatibility: Compatibility = 'specification', more: Partial<NodeOptions> = {}) {
  const bench = await TendermintProcesses.start();
  onTestFinished(() => bench.listening.close());
  const { node: made, active } = await bench.node({ compatibility, ...more });
  const node = withRpc(made, { password: new Secret(PASSWORD) });
  onTestFinished(async () => void (await node.close()));
  const send = async (request: JsonObject) => {
    const init = { method: 'POST', body: JSON.stringify({ userpass: PASSWORD, mmrpc: '2.0', ...request }) };
    const response = await node.fetch(new Request('http://node/', init), LOCAL);
    return { http: response.status, body: (await response.json()) as JsonObject };
  };
  const call = async (step: Step, params: JsonObject) => {
    const answer = await send({ method: `task::enable_tendermint::${step}`, params });
    const { v2 } = FRAMEWORK_API[`task::enable_tendermint::${step}`];
    if (answer.http === 200) expect(v2.result.safeParse(answer.body['result']).error).toBeUndefined();
    return answer;
  };
  const begin = async (members: JsonObject = {}) => {
    const usual = { ticker: 'NYAN', nodes: [{ url: bench.listening.url }], tokens_params: [] };
    const { body } = await call('init', { ...usual, ...members });
    return (body['result'] as { readonly task_id: number }).task_id;
  };
  const seen = async (task_id: number, forget_if_finished = false) =>
    (await call('status', { task_id, forget_if_finished })).body['result'] as JsonObject | undefined;
  const ended = (task_id: number, status: string) =>
    expect.poll(async () => (await seen(task_id))?.['status'], { timeout: 10_000 }).toBe(status);
  return { bench, active, send, call, begin, seen, ended };
}

async function silentNode() {
  let open = 0;
  const server = createServer((request) => {
    open += 1;
    // A server of Node keeps what a client has ended until it has answered.
    request.resume().socket.once('end', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => open };
}

describe('task::enable_tendermint', () => {
  it('activates a coin with assets, returns the outcome until it is read for good, and shares its ids with other families', async () => {
    const { begin, ended, seen, call, active, send } = await serve();
    const id = await begin(withAssets('ATOM-IBC'));
    await ended(id, 'Ok');
    expect([id, active()]).toEqual([0, ['ATOM-IBC', 'NYAN']]);
    expect(await seen(id, true)).toEqual({
      status: 'Ok',
      details: {
        ...{ ticker: 'NYAN', address: OWNER, current_block: 3001, balance: { spendable: '7.62', unspendable: '0' } },
        tokens_balances: { 'ATOM-IBC': { spendable: '0.0005', unspendable: '0' } },
      },
    });
    expect(await call('status', { task_id: id })).toMatchObject({ http: 400, body: { error_type: 'NoSuchTask' } });
    expect(await call('init', { ticker: 'NYAN', nodes: [], tokens_params: [] })).toMatchObject({
      http: 400,
      body: { error_type: 'PlatformIsAlreadyActivated', error: 'NYAN', error_data: 'NYAN' },
    });
    const params = { ticker: 'ETH', swap_contract_address: `0x${'24'.repeat(20)}`, erc20_tokens_requests: [] };
    const eth = await send({ method: 'task::enable_eth::init', params });
    expect(eth.body['result']).toEqual({ task_id: 1 });
    // Each family knows its own tasks alone.
    expect(await call('status', { task_id: 1 })).toMatchObject({ http: 400, body: { error_type: 'NoSuchTask' } });
  });

  it('reports a failure as its outcome, one level deeper than the real node', async () => {
    const members = { ticker: 'NONE' };
    for (const mode of ['specification', 'kdf'] as const) {
      const { begin, ended, seen, active } = await serve(mode);
      const id = await begin(members);
      await ended(id, 'Error');
      const error = expect.objectContaining({ error_type: 'PlatformConfigIsNotFound', error_data: 'NONE' });
      expect((await seen(id))?.['details']).toEqual(mode === 'kdf' ? error : { result: error });
      expect(active()).toEqual([]);
    }
  });

  it('is cancelled while nodes are silent, and releases their connections; nothing is active then', async () => {
    const { begin, call, seen, active, bench, ended } = await serve();
    const { url, connections } = await silentNode();
    const id = await begin({ nodes: [{ url }] });
    await expect.poll(connections).toBe(1);
    expect(await seen(id)).toEqual({ status: 'InProgress', details: 'ActivatingCoin' });
    expect((await call('cancel', { task_id: id })).body['result']).toBe('success');
    await expect.poll(async () => (await bench.types(id)).at(-1)).toBe('Cancelled');
    await expect.poll(connections).toBe(0);
    expect([active(), await seen(id)]).toEqual([[], undefined]);
    expect(await call('cancel', { task_id: id })).toMatchObject({ http: 404, body: { error_type: 'NoSuchTask' } });
    const next = await begin();
    await ended(next, 'Ok');
    expect(await call('cancel', { task_id: next })).toMatchObject({ http: 409, body: { error_type: 'TaskFinished' } });
  });

  it('refuses an answer without a question, by its state', async () => {
    const { begin, call } = await serve();
    const { url } = await silentNode();
    const id = await begin({ nodes: [{ url }] });
    const answer = { task_id: id, user_action: { action_type: 'TrezorPin', pin: '1' } };
    const text = `RPC '${id}' task is in unexpected status. Actual: 'InProgress', expected: 'AwaitingUserAction'`;
    expect(await call('user_action', answer)).toMatchObject({
      http: 500,
      body: { error_type: 'Internal', error_data: text },
    });
    expect(await call('user_action', { ...answer, task_id: 9 })).toMatchObject({
      http: 400,
      body: { error_type: 'NoSuchTask' },
    });
    await call('cancel', { task_id: id });
  });

  it('gives equal requests the same task while that is under way; the real node makes one for each', async () => {
    const { url } = await silentNode();
    const { begin } = await serve();
    expect([await begin({ nodes: [{ url }] }), await begin({ nodes: [{ url }] })]).toEqual([0, 0]);
    expect(await begin({ nodes: [{ url: url.replace('://', '://user:hunter2@') }] })).toBe(1);
    const there = await serve('kdf');
    expect([await there.begin({ nodes: [{ url }] }), await there.begin({ nodes: [{ url }] })]).toEqual([0, 1]);
  });

  it('gives nobody the task of one call, whose outcome only that call reads', async () => {
    const { url } = await silentNode();
    const { begin, bench, send, call } = await serve();
    const params = { ticker: 'NYAN', nodes: [{ url }], tokens_params: [] };
    const atOnce = send({ method: 'enable_tendermint_with_assets', params });
    await expect.poll(() => bench.types(0)).toEqual(['TaskStarted']);
    expect(await begin({ nodes: [{ url }] })).toBe(1);
    for (const task_id of [0, 1]) await call('cancel', { task_id });
    expect((await atOnce).body).toMatchObject({ error_type: 'InternalError' });
  });

  it('is cancelled while a link to external wallets does not answer, and blocks nobody from the coin', async () => {
    const { begin, call, bench, ended } = await serve('specification', {
      remoteWallets: { session: () => new Promise(() => {}) },
    });
    const id = await begin({ activation_params: { type: 'WalletConnect', params: { session_topic: 'a topic' } } });
    expect((await call('cancel', { task_id: id })).body['result']).toBe('success');
    await expect.poll(async () => (await bench.types(id)).at(-1)).toBe('Cancelled');
    await ended(await begin(), 'Ok');
  });

  it('says what is wrong with the request', async () => {
    const { call } = await serve();
    const whole = { ticker: 'NYAN', nodes: [], tokens_params: [] };
    for (const [params, text] of [
      [{ ...whole, tokens_params: 'none' }, 'expected a sequence'],
      [{ ...whole, client_id: 'me' }, 'expected u64'],
      [{ nodes: [], tokens_params: [] }, 'missing field `ticker`'],
    ] as const) {
      const { http, body } = await call('init', params);
      expect([http, body['error_type'], String(body['error_data'])]).toEqual([
        400,
        'InvalidRequest',
        expect.stringContaining(text),
      ]);
    }
  });
});
