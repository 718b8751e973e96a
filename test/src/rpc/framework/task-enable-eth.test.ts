import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { least } from '../../../support/tasks/eth-tasks.ts';
import { ADDRESS } from '../../../support/tasks/evm-double.ts';
import { serveTasks as serve } from '../../../support/tasks/task-rpc.ts';

const failed = (error_type: string, members: object = {}) => ({
  status: 'Error',
  details: { result: expect.objectContaining({ error_type, ...members }) },
});

describe('task::enable_eth', () => {
  it('activates a coin of an EVM chain with its tokens', async () => {
    const { call, seen, legacy } = await serve();
    const started = await call('init', { ...least, erc20_tokens_requests: [{ ticker: 'TOK' }] });
    expect(started).toEqual({ http: 200, body: { mmrpc: '2.0', result: { task_id: 0 }, id: null } });
    expect(await seen(0)).toEqual({
      status: 'Ok',
      details: {
        current_block: 17,
        ticker: 'ETH',
        wallet_balance: {
          wallet_type: 'Iguana',
          address: ADDRESS,
          balance: { ETH: { spendable: '1.5', unspendable: '0' }, TOK: { spendable: '2.5', unspendable: '0' } },
        },
        nfts_infos: {},
      },
    });
    const enabled = [
      { ticker: 'ETH', address: ADDRESS },
      { ticker: 'TOK', address: ADDRESS },
    ];
    expect((await legacy({ method: 'get_enabled_coins' })).body).toEqual({ result: enabled });
    expect((await legacy({ method: 'disable_coin', coin: 'ETH', force_disable: true })).body).toEqual({
      result: { coin: 'ETH', cancelled_orders: [], passivized: false },
    });
    expect((await legacy({ method: 'get_enabled_coins' })).body).toEqual({ result: [] });
  });

  it('makes a coin passive whose tokens stay, until a task wakes it', async () => {
    const { call, seen, legacy } = await serve();
    const enabled = async () =>
      ((await legacy({ method: 'get_enabled_coins' })).body['result'] as { readonly ticker: string }[]).map(
        ({ ticker }) => ticker,
      );
    await call('init', { ...least, erc20_tokens_requests: [{ ticker: 'TOK' }] });
    await seen(0);
    expect((await legacy({ method: 'disable_coin', coin: 'ETH' })).body).toMatchObject({
      result: { passivized: true },
    });
    expect(await enabled()).toEqual(['TOK']);
    expect((await legacy({ method: 'disable_coin', coin: 'ETH' })).body['error']).toBe('No such coin: ETH');
    expect((await legacy({ method: 'enable', coin: 'ETH', mm2: 1 })).body['error']).toContain('already initialized');
    await call('init', least);
    expect(await seen(1)).toMatchObject({ status: 'Ok' });
    expect(await enabled()).toEqual(['TOK', 'ETH']);
  });

  it('activates a coin once per session', async () => {
    const { call, seen } = await serve();
    await call('init', least);
    await seen(0);
    expect(await call('init', least)).toMatchObject({
      http: 400,
      body: { error: 'ETH', error_type: 'PlatformIsAlreadyActivated', error_data: 'ETH', id: null },
    });
    // What was refused was no task.
    const others = await Promise.all([call('init', least), call('init', { ...least, ticker: 'MATIC' })]);
    expect(others).toMatchObject([{ http: 400 }, { body: { result: { task_id: 1 } } }]);
  });

  it('reports a coin as active for nobody while its activation is under way', async () => {
    const { call, seen, legacy } = await serve([['wait']]);
    await call('init', least);
    await seen(0);
    const { body } = await legacy({ method: 'enable', coin: 'ETH', mm2: 1 });
    expect(body['error']).toContain('Coin ETH is already being activated by another request, and is not active yet');
    expect(body['error']).not.toContain('already activated');
  });

  it('makes one task for fifty equal requests', async () => {
    const { evm, send, bodyOf, seen } = await serve([['wait']]);
    const { body } = await send(Array.from({ length: 50 }, () => bodyOf('init', least)));
    const ids = (body as unknown as { result: { task_id: number } }[]).map(({ result }) => result.task_id);
    expect(new Set(ids)).toEqual(new Set([0]));
    await seen(0);
    expect(evm.orders.length).toBe(1);
  });

  it('makes one task of fifty requests that come at the same time over as many connections', async () => {
    const { evm, bodyOf, seen, listen, node } = await serve([[{ ask: 'TrezorPin' }, 'wait'], []]);
    const send = await listen();
    const all = <T>(count: number, act: () => Promise<T>) => Promise.all(Array.from({ length: count }, act));
    const begun = await all(50, () => send(bodyOf('init', least)));
    expect(begun.map(({ body }) => body['result'])).toEqual(begun.map(() => ({ task_id: 0 })));
    expect(await seen(0)).toMatchObject({ status: 'UserActionRequired' });
    // Of the answers to one question one is taken, and of calls to cancel one succeeds.
    const user_action = { action_type: 'TrezorPin', pin: '7' };
    const told = async (step: 'user_action' | 'cancel', params: object) => {
      const answers = await all(20, () => send(bodyOf(step, params)));
      return answers.filter(({ body }) => body['result'] === 'success').length;
    };
    expect(await told('user_action', { task_id: 0, user_action })).toBe(1);
    await seen(0);
    expect([evm.answers, evm.orders.length, evm.underWay]).toEqual([['7'], 1, 1]);
    expect(await told('cancel', { task_id: 0 })).toBe(1);
    await seen(0);
    expect((await node.log.find({ machine: 'enable-eth' })).length).toBe(1);
    expect((await node.log.read('enable-eth/0')).map(({ type }) => type)).toEqual([
      'TaskStarted',
      'EnterTrezorPin',
      'UserActionProvided',
      'CancelRequested',
      'Cancelled',
    ]);
    expect([evm.underWay, evm.open, node.ethTasks.active.active()]).toEqual([0, 0, []]);
  });

  it('gives a coin back whose activation does not end, 10 s after it was told to', async () => {
    const { call, seen, evm, clock, legacy, node } = await serve([['hang'], []]);
    await call('init', least);
    await seen(0);
    expect((await call('cancel', { task_id: 0 })).body).toMatchObject({ result: 'success' });
    await call('init', least);
    await clock.advance(9999);
    expect(await seen(1)).toEqual({ status: 'InProgress', details: 'ActivatingCoin' });
    await clock.advance(1);
    expect(await seen(1)).toMatchObject({ status: 'Ok' });
    expect((await node.log.read('enable-eth/0')).at(-1)).toMatchObject({ type: 'Cancelled' });
    evm.goOn();
    await clock.advance(0);
    expect([evm.underWay, evm.open]).toEqual([0, 1]);
    expect((await legacy({ method: 'get_enabled_coins' })).body['result']).toHaveLength(1);
  });

  it('finds no task that never existed, was canceled or was forgotten', async () => {
    const { call, seen } = await serve([['wait'], []]);
    const user_action = { action_type: 'TrezorPin', pin: '1' };
    const none = async (task_id: number) => {
      const error = { error: `No such task '${task_id}'`, error_type: 'NoSuchTask', error_data: task_id };
      expect(await call('status', { task_id })).toMatchObject({ http: 400, body: error });
      expect(await call('user_action', { task_id, user_action })).toMatchObject({ http: 400, body: error });
      expect(await call('cancel', { task_id })).toMatchObject({ http: 404, body: error });
    };
    await none(987_654);
    await call('init', least);
    expect((await call('cancel', { task_id: 0 })).body).toEqual({ mmrpc: '2.0', result: 'success', id: null });
    await seen(0);
    await none(0);
    await call('init', least);
    await seen(1, true);
    await none(1);
  });

  it('does not cancel a finished task, and keeps its result', async () => {
    const { call, seen } = await serve();
    await call('init', { ...least, ticker: 'NOPE' });
    const outcome = failed('PlatformConfigIsNotFound', { error: 'Platform NOPE config is not found' });
    expect(await seen(0)).toEqual(outcome);
    expect(await call('cancel', { task_id: 0 })).toMatchObject({
      http: 409,
      body: { error: 'Task is finished already', error_type: 'TaskFinished', error_data: 0, id: null },
    });
    expect(await seen(0)).toEqual(outcome);
  });

  it('reports why it cancels nothing', async () => {
    const { call, seen, evm, clock } = await serve([['hang'], []]);
    expect(await call('cancel', { task_id: 5 })).toMatchObject({ http: 404, body: { error_type: 'NoSuchTask' } });
    await call('init', least);
    await seen(0);
    expect((await call('cancel', { task_id: 0 })).http).toBe(200);
    expect(await call('cancel', { task_id: 0 })).toMatchObject({
      http: 500,
      body: { error_type: 'Internal', error_data: expect.stringContaining('task is in unexpected status') },
    });
    evm.goOn();
    await clock.advance(0);
    expect(await call('cancel', { task_id: 0 })).toMatchObject({ http: 404, body: { error_type: 'NoSuchTask' } });
    await call('init', least);
    await seen(1);
    expect(await call('cancel', { task_id: 1 })).toMatchObject({ http: 409, body: { error_type: 'TaskFinished' } });
  });

  it('has the members of an error in details.result', async () => {
    const { call, seen } = await serve();
    await call('init', { ...least, erc20_tokens_requests: [{ ticker: 'DOC' }] });
    expect(await seen(0)).toEqual({
      status: 'Error',
      details: {
        result: {
          error:
            'Unexpected token protocol {"type":"UTXO"} for DOC: its protocol is UTXO, but a token of ETH has ERC20',
          error_path: expect.stringMatching(/^enable_eth/),
          error_trace: expect.stringMatching(/^enable_eth\]/),
          error_type: 'UnexpectedTokenProtocol',
          error_data: { ticker: 'DOC', protocol: { type: 'UTXO' } },
        },
      },
    });
  });

  it.each([
    ['a device', [{ tell: 'WaitingForDeviceToConnect' }, 'wait']],
    ['a PIN', [{ ask: 'TrezorPin' }]],
    ['a passphrase', [{ ask: 'TrezorPassphrase' }]],
    ['a button', [{ tell: 'FollowHwDeviceInstructions' }, 'wait']],
  ] as const)('waits 300 s for %s, and not a moment longer', async (_, script) => {
    const { call, seen, clock } = await serve([script]);
    await call('init', least);
    const waiting = await seen(0);
    expect(waiting).not.toMatchObject({ status: 'Error' });
    await clock.advance(299_999);
    expect(await seen(0)).toEqual(waiting);
    await clock.advance(1);
    const error = 'Initialization task has timed out 300s';
    expect(await seen(0)).toEqual(failed('TaskTimedOut', { error, error_data: { duration: { secs: 300, nanos: 0 } } }));
  });

  it('works as long as necessary if it waits for nobody', async () => {
    const { call, seen, clock, evm } = await serve([['wait', { tell: 'RequestingWalletBalance' }, 'wait']]);
    await call('init', least);
    await clock.advance(86_400_000);
    expect(await seen(0)).toEqual({ status: 'InProgress', details: 'ActivatingCoin' });
    evm.goOn();
    await clock.advance(86_400_000);
    expect(await seen(0)).toEqual({ status: 'InProgress', details: 'RequestingWalletBalance' });
  });

  it('shows an outcome once, unless the caller wants to read it again', async () => {
    const { call, seen } = await serve();
    await call('init', least);
    expect([await seen(0), await seen(0)]).toMatchObject([{ status: 'Ok' }, { status: 'Ok' }]);
    expect((await call('status', { task_id: 0 })).body).toMatchObject({ result: { status: 'Ok' } });
    expect((await call('status', { task_id: 0 })).http).toBe(400);
  });

  it('omits balances if nobody wants them', async () => {
    const { call, seen } = await serve();
    await call('init', { ...least, get_balances: false });
    expect(JSON.stringify(await seen(0))).not.toContain('spendable');
  });

  it('asks for a PIN, and ends if nobody enters one', async () => {
    const { call, seen, clock, evm } = await serve([[{ ask: 'TrezorPin' }, 'wait'], [{ ask: 'TrezorPin' }]]);
    await call('init', least);
    expect(await seen(0)).toEqual({ status: 'UserActionRequired', details: 'EnterTrezorPin' });
    const user_action = { action_type: 'DevicePin', pin: '7', passphrase: '' };
    expect((await call('user_action', { task_id: 0, user_action })).body['result']).toBe('success');
    expect(await seen(0)).toEqual({ status: 'InProgress', details: 'ActivatingCoin' });
    expect(evm.answers).toEqual(['7']);
    await call('cancel', { task_id: 0 });
    await call('init', least);
    expect(await seen(1)).toMatchObject({ status: 'UserActionRequired' });
    await clock.advance(300_000);
    expect(await seen(1)).toEqual(failed('TaskTimedOut', { error_data: { duration: { secs: 300, nanos: 0 } } }));
  });

  it('names what is wrong with a device', async () => {
    const { call, seen } = await serve([[{ fail: { type: 'HwError', data: 'FoundUnexpectedDevice' } }]]);
    await call('init', least);
    const error = 'Found unexpected device. Please re-initialize Hardware wallet';
    expect(await seen(0)).toEqual(failed('HwError', { error, error_data: 'FoundUnexpectedDevice' }));
  });

  it('reports what is wrong with the creation of a coin', async () => {
    const data = { ticker: 'ETH', error: 'no server' };
    const { call, seen } = await serve([[{ fail: { type: 'CoinCreationError', data } }]]);
    await call('init', least);
    const error = 'Error on platform coin ETH creation: no server';
    expect(await seen(0)).toEqual(failed('CoinCreationError', { error, error_data: data }));
  });

  it('continues in the next process', async () => {
    const log = createMemoryLog();
    const kept: EventLog = { ...log, ...bound(log), close() {} };
    const first = await serve([['wait']], { log: kept });
    await first.call('init', least);
    await first.seen(0);
    await first.node.close();
    const second = await serve([[]], { log: kept });
    await second.node.start();
    expect(await second.seen(0)).toMatchObject({ status: 'Ok' });
    expect((await second.legacy({ method: 'get_enabled_coins' })).body['result']).toHaveLength(1);
  });
});

function bound(log: EventLog): Omit<EventLog, 'close'> {
  return {
    append: (batch) => log.append(batch),
    read: (stream, from) => log.read(stream, from),
    find: (query) => log.find(query),
    subscribe: (options, onEntry) => log.subscribe(options, onEntry),
    quarantined: () => log.quarantined(),
  };
}

describe('task::enable_eth as the real node answers it', () => {
  const kdf = { compatibility: 'kdf' } as const;

  it('has the form of a wallet with one address', async () => {
    const { call, seen } = await serve([[]], kdf);
    await call('init', { ...least, erc20_tokens_requests: [{ ticker: 'TOK' }] });
    const derivation = { derivation_method: { type: 'Iguana' }, pubkey: expect.stringMatching(/^04[0-9a-f]{128}$/) };
    expect(await seen(0)).toEqual({
      status: 'Ok',
      details: {
        current_block: 17,
        eth_addresses_infos: { [ADDRESS]: { ...derivation, balances: { spendable: '1.5', unspendable: '0' } } },
        erc20_addresses_infos: {
          [ADDRESS]: { ...derivation, balances: { TOK: { spendable: '2.5', unspendable: '0' } } },
        },
        nfts_infos: {},
      },
    });
  });

  it('names tokens in place of unwanted balances', async () => {
    const { call, seen } = await serve([[]], kdf);
    await call('init', { ...least, get_balances: false, erc20_tokens_requests: [{ ticker: 'TOK' }] });
    expect(await seen(0)).toMatchObject({ details: { erc20_addresses_infos: { [ADDRESS]: { tickers: ['TOK'] } } } });
    expect(JSON.stringify(await seen(0))).not.toContain('balances');
  });

  it('has errors one level higher, and reports failed waits and devices as internal errors', async () => {
    const { call, seen, clock } = await serve(
      [
        [{ fail: { type: 'HwError', data: 'InvalidPin' } }],
        [{ ask: 'TrezorPin' }],
        [{ tell: 'WaitingForDeviceToConnect' }, 'wait'],
      ],
      kdf,
    );
    const internal = (error: string) => ({
      status: 'Error',
      details: {
        error,
        error_path: expect.any(String),
        error_trace: expect.any(String),
        error_type: 'Internal',
        error_data: error,
      },
    });
    await call('init', least);
    expect(await seen(0)).toEqual(internal('InvalidPin'));
    await call('init', least);
    await seen(1);
    await clock.advance(300_000);
    expect(await seen(1)).toEqual(internal("RPC task timeout '300s'"));
    await call('init', least);
    expect(await seen(2)).toEqual({ status: 'InProgress', details: 'WaitingForTrezorToConnect' });
  });
});
