import { describe, expect, it } from 'vitest';
import { asked, taskBench } from '../../../support/tasks/eth-tasks.ts';
import { EvmDouble } from '../../../support/tasks/evm-double.ts';

const ok = { status: 'Ok', details: expect.objectContaining({ current_block: 17 }) };
const working = { status: 'InProgress', details: 'ActivatingCoin' };
const asksPin = { status: 'UserActionRequired', details: 'EnterTrezorPin' };
const errorOf = (error_type: string, members: object = {}) => ({
  status: 'Error',
  details: { result: expect.objectContaining({ error_type, ...members }) },
});
const success = { ok: true, result: 'success' };
const dialogue = [{ ask: 'TrezorPin' }, { ask: 'TrezorPassphrase' }, { tell: 'FollowHwDeviceInstructions' }] as const;

describe('a task', () => {
  it('ends with what was found, and its coin is active from that moment on', async () => {
    const bench = taskBench();
    const { idOf, seen, tasks, evm } = await bench.start();
    evm.scripts = [['wait']];
    const id = await idOf({ erc20_tokens_requests: [{ ticker: 'TOK' }] });
    expect(id).toBe(0);
    expect(await seen(id)).toEqual(working);
    expect(tasks.active.has('ETH')).toBe(false);
    evm.goOn();
    expect(await seen(id)).toEqual(ok);
    expect([tasks.active.has('ETH'), tasks.active.has('TOK'), evm.open]).toEqual([true, true, 1]);
    expect(await tasks.status(id, true)).toMatchObject({ ok: true });
    expect(await seen(id)).toBe('NoSuchTask');
    expect(tasks.active.has('ETH')).toBe(true);
    expect(await tasks.init(asked())).toMatchObject({ ok: false, error: { error_type: 'PlatformIsAlreadyActivated' } });
  });

  it('spans the questions of a device with one session of it', async () => {
    const bench = taskBench();
    const { idOf, seen, pin, passphrase, evm } = await bench.start();
    evm.scripts = [[...dialogue, 'wait', { tell: 'ActivatingCoin' }]];
    const id = await idOf({ priv_key_policy: 'Trezor' });
    expect(await seen(id)).toEqual(asksPin);
    expect(await pin(id, '862743')).toEqual(success);
    expect(await seen(id)).toEqual({ status: 'UserActionRequired', details: 'EnterTrezorPassphrase' });
    expect(await passphrase(id, '')).toEqual(success);
    expect(await seen(id)).toEqual({ status: 'InProgress', details: 'FollowHwDeviceInstructions' });
    evm.goOn();
    expect(await seen(id)).toEqual(ok);
    expect([evm.orders.length, evm.answers]).toEqual([1, ['862743', '']]);
    expect(JSON.stringify(await bench.log.read('enable-eth/0'))).not.toContain('862743');
  });

  it('fails by an answer of the wrong kind, and releases the session', async () => {
    const bench = taskBench();
    const { idOf, seen, passphrase, evm } = await bench.start();
    evm.scripts = [dialogue];
    const id = await idOf();
    await seen(id);
    expect(await passphrase(id, 'x')).toEqual(success);
    expect(await seen(id)).toEqual(errorOf('Internal', { error: "RPC 'task' is awaiting 'TrezorPin' user action" }));
    expect([evm.underWay, evm.answers]).toEqual([0, []]);
  });

  it('times out if nobody answers, and releases the session', async () => {
    const bench = taskBench();
    const { idOf, seen, pin, evm } = await bench.start();
    evm.scripts = [dialogue];
    const id = await idOf();
    expect(await seen(id)).toEqual(asksPin);
    await bench.clock.advance(299_999);
    expect(await seen(id)).toEqual(asksPin);
    await bench.clock.advance(1);
    expect(await seen(id)).toEqual(errorOf('TaskTimedOut'));
    expect(evm.underWay).toBe(0);
    expect(await pin(id, '1')).toMatchObject({ ok: false, error: { error_type: 'Internal' } });
    expect(bench.clock.armed()).toBe(0);
  });

  it.each([
    ['the activator says so', { fail: { type: 'Transport', data: 'no node' } }, 'Transport'],
    ['it cannot', 'throw', 'Internal'],
  ] as const)('fails if %s, and the coin can be activated at once', async (_, deed, type) => {
    const bench = taskBench();
    const { idOf, seen, evm } = await bench.start();
    evm.scripts = [[deed], []];
    expect(await seen(await idOf())).toEqual(errorOf(type));
    expect(await seen(await idOf())).toEqual(ok);
  });

  it.each([
    ['InvalidPin', 'HwError', 'InvalidPin', 'InvalidPin'],
    ['NoTrezorDeviceAvailable', 'HwError', 'NoTrezorDeviceAvailable', 'No Trezor device available'],
    // What the real node knows of a device inside of itself, and tells as another thing.
    ['DeviceDisconnected', 'HwError', 'NoTrezorDeviceAvailable', 'DeviceDisconnected'],
    ['Nonsense', 'Internal', 'Nonsense', 'Nonsense'],
  ])('reports %s of a device in terms that clients know', async (data, error_type, error_data, internal) => {
    for (const compatibility of ['specification', 'kdf'] as const) {
      const bench = taskBench();
      const { idOf, seen } = await bench.start(new EvmDouble([[{ fail: { type: 'HwError', data } }]]), compatibility);
      const told =
        compatibility === 'kdf' ? errorOf('Internal', { error: internal }) : errorOf(error_type, { error_data });
      expect(await seen(await idOf())).toEqual(told);
      const second = await bench.start();
      expect(await second.seen(0)).toEqual(told);
    }
  });

  const told = 'https://u:hunter2@node.example said hunter2';

  it.each([
    { type: 'Transport', data: told },
    { type: 'CoinCreationError', data: { ticker: 'ETH', error: told } },
  ] as const)('shows no secret of a foreign text, in $type', async (fail) => {
    const bench = taskBench();
    const { idOf, seen, evm } = await bench.start();
    evm.scripts = [[{ fail }]];
    expect(JSON.stringify(await seen(await idOf()))).not.toContain('hunter2');
    expect(JSON.stringify([await bench.log.read('enable-eth/0'), bench.lines])).not.toContain('hunter2');
  });
});

describe('requests for one coin', () => {
  it('J17: make one task if they are the same, fifty of them at once', async () => {
    const bench = taskBench();
    const { idOf, seen, evm } = await bench.start();
    evm.scripts = [['wait']];
    const ids = await Promise.all(Array.from({ length: 50 }, () => idOf()));
    expect(new Set(ids)).toEqual(new Set([0]));
    // Also later, while the task is under way.
    expect(await idOf()).toBe(0);
    expect(await seen(0)).toEqual(working);
    evm.goOn();
    expect(await seen(0)).toEqual(ok);
    expect([evm.orders.length, (await bench.log.find({ machine: 'enable-eth' })).length]).toEqual([1, 1]);
  });

  it('J17: are not the same if a password differs', async () => {
    const bench = taskBench();
    const { idOf, evm } = await bench.start();
    evm.scripts = [['wait']];
    const withPassword = (password: string) => idOf({ nodes: [{ url: `http://u:${password}@node.example` }] });
    expect([await withPassword('one'), await withPassword('two'), await withPassword('one')]).toEqual([0, 1, 0]);
  });

  it('J17: make a task each as in the real node, one of which succeeds', async () => {
    const bench = taskBench();
    const { idOf, seen, evm } = await bench.start(new EvmDouble(), 'kdf');
    expect(await Promise.all([idOf(), idOf()])).toEqual([0, 1]);
    expect([await seen(0), await seen(1)]).toEqual([
      { status: 'Ok', details: expect.objectContaining({ eth_addresses_infos: expect.anything() }) },
      errorOf('PlatformIsAlreadyActivated', { error: 'ETH', error_data: 'ETH' }),
    ]);
    expect(evm.open).toBe(1);
  });

  it('J18, J16: activate it one after the other, and other coins beside it', async () => {
    const bench = taskBench();
    const { idOf, seen, tasks, evm } = await bench.start();
    evm.scripts = [['wait']];
    const ids = [await idOf(), await idOf({ mm2: 1 }), await idOf({ ticker: 'MATIC' })];
    await bench.settle();
    expect(evm.orders.map(({ ticker }) => ticker)).toEqual(['ETH', 'MATIC']);
    evm.goOn();
    expect(await Promise.all(ids.map(seen))).toEqual([ok, errorOf('PlatformIsAlreadyActivated'), ok]);
    expect(tasks.active.active().map(({ ticker }) => ticker)).toEqual(['ETH', 'MATIC']);
    expect(evm.mostOfOne).toBe(1);
  });
});

describe('cancel', () => {
  it.each([
    ['while it works', ['wait'], 0],
    ['while it waits for a PIN', dialogue, 0],
    ['after a PIN', [{ ask: 'TrezorPin' }, 'wait'], 1],
  ] as const)('leaves nothing behind, %s', async (_, script, pins) => {
    const bench = taskBench();
    const { idOf, seen, pin, tasks, evm } = await bench.start();
    evm.scripts = [script, []];
    const id = await idOf();
    await bench.settle();
    if (pins > 0) await pin(id, '1');
    await bench.settle();
    expect(await tasks.cancel(id)).toEqual(success);
    expect(await seen(id)).toBe('NoSuchTask');
    expect((await bench.typesOf(id)).slice(-2)).toEqual(['CancelRequested', 'Cancelled']);
    expect([evm.underWay, evm.open, tasks.active.active(), bench.clock.armed()]).toEqual([0, 0, [], 0]);
    expect(await pin(id, '1')).toMatchObject({ ok: false, error: { error_type: 'NoSuchTask' } });
    // The coin is free at once.
    expect(await seen(await idOf())).toEqual(ok);
  });

  it('is not finished before the work has settled, and drops what that finds', async () => {
    const bench = taskBench();
    const { idOf, seen, tasks, evm } = await bench.start();
    evm.scripts = [['hang'], []];
    const id = await idOf();
    await bench.settle();
    expect(await tasks.cancel(id)).toEqual(success);
    await bench.settle();
    expect((await bench.typesOf(id)).at(-1)).toBe('CancelRequested');
    expect(await tasks.cancel(id)).toMatchObject({ ok: false, error: { error_type: 'Internal' } });
    const next = await idOf();
    expect(await seen(next)).toEqual(working);
    expect(evm.orders.length).toBe(1);
    evm.goOn();
    expect(await seen(id)).toBe('NoSuchTask');
    expect(await bench.typesOf(id)).toEqual(['TaskStarted', 'CancelRequested', 'Cancelled']);
    expect(await seen(next)).toEqual(ok);
    expect([evm.open, evm.mostOfOne]).toEqual([1, 1]);
  });
});

describe('an activation that does not end on request', () => {
  it('keeps neither its task nor its coin for longer than 10 s, and drops what still comes of it', async () => {
    const bench = taskBench();
    const { idOf, seen, tasks, evm } = await bench.start();
    evm.scripts = [['hang'], []];
    const id = await idOf();
    await bench.settle();
    expect(await tasks.cancel(id)).toEqual(success);
    const next = await idOf();
    await bench.clock.advance(9999);
    expect((await bench.typesOf(id)).at(-1)).toBe('CancelRequested');
    expect(await seen(next)).toEqual(working);
    await bench.clock.advance(1);
    expect((await bench.typesOf(id)).at(-1)).toBe('Cancelled');
    expect(await seen(next)).toEqual(ok);
    expect(bench.lines.join()).toContain('does not stop');
    evm.goOn();
    await bench.settle();
    expect([evm.underWay, evm.open, bench.clock.armed()]).toEqual([0, 1, 0]);
    expect(await seen(id)).toBe('NoSuchTask');
  });

  it('keeps no coin after its wait for a user was over either', async () => {
    const bench = taskBench();
    const { idOf, seen, evm } = await bench.start();
    evm.scripts = [[{ tell: 'FollowHwDeviceInstructions' }, 'hang', 'throw'], []];
    const id = await idOf();
    await bench.settle();
    await bench.clock.advance(300_000);
    expect(await seen(id)).toEqual(errorOf('TaskTimedOut'));
    const next = await idOf();
    await bench.clock.advance(10_000);
    expect(await seen(next)).toEqual(ok);
    evm.goOn();
    await bench.settle();
    expect(evm.underWay).toBe(0);
  });
});

/** Scripts that bring a task into each status, with the answers on the way. */
const statuses = {
  ActivatingCoin: ['wait'],
  RequestingWalletBalance: [{ tell: 'RequestingWalletBalance' }, 'wait'],
  Finishing: [{ tell: 'Finishing' }, 'wait'],
  WaitingForDeviceToConnect: [{ tell: 'WaitingForDeviceToConnect' }, 'wait'],
  FollowHwDeviceInstructions: [{ tell: 'FollowHwDeviceInstructions' }, 'wait'],
  EnterTrezorPin: [{ ask: 'TrezorPin' }],
  EnterTrezorPassphrase: [{ ask: 'TrezorPassphrase' }],
} as const;

describe('after the process was lost', () => {
  it.each(Object.entries(statuses))('a task in %s continues, and asks again what it had asked', async (_, script) => {
    const bench = taskBench();
    const first = await bench.start();
    first.evm.scripts = [script];
    const id = await first.idOf();
    await bench.settle();
    await first.tasks.close();
    expect(first.evm.underWay).toBe(0);
    const second = await bench.start(new EvmDouble([[{ ask: 'TrezorPin' }]]));
    expect(await second.seen(id)).toEqual(asksPin);
    expect(await second.pin(id, '42')).toEqual(success);
    expect(await second.seen(id)).toEqual(ok);
    expect(second.evm.answers).toEqual(['42']);
    expect(await bench.typesOf(id)).toContain('SessionLost');
    expect(await second.idOf({ ticker: 'MATIC' })).toBe(1);
  });

  it('a success is reported again once its coin is active again', async () => {
    const bench = taskBench();
    const first = await bench.start();
    const id = await first.idOf();
    expect(await first.seen(id)).toEqual(ok);
    await first.tasks.close();
    const second = await bench.start(new EvmDouble([['wait']]));
    expect(await second.seen(id)).toEqual(working);
    expect(second.tasks.active.has('ETH')).toBe(false);
    second.evm.goOn();
    expect(await second.seen(id)).toEqual(ok);
    expect(second.tasks.active.has('ETH')).toBe(true);
  });

  it('a coin that was removed stays out, and its task stays as it was', async () => {
    const bench = taskBench();
    const first = await bench.start();
    const id = await first.idOf();
    await bench.settle();
    expect(await first.tasks.release('ETH')).toMatchObject({ ticker: 'ETH' });
    expect([first.evm.open, await first.tasks.release('ETH')]).toEqual([0, undefined]);
    expect(await first.seen(id)).toEqual(ok);
    await first.tasks.close();
    const second = await bench.start();
    expect(await second.seen(id)).toEqual(ok);
    expect([second.evm.orders.length, second.tasks.active.has('ETH')]).toEqual([0, false]);
  });

  it('a task whose request had secrets fails and says which, and asks nobody', async () => {
    const bench = taskBench();
    const first = await bench.start();
    first.evm.scripts = [['wait']];
    const id = await first.idOf({ nodes: [{ url: 'http://u:hunter2@node.example' }] });
    await bench.settle();
    expect(first.evm.orders[0]?.request.nodes[0]?.url).toContain('hunter2');
    await first.tasks.close();
    const second = await bench.start();
    expect(await second.seen(id)).toEqual(
      errorOf('InvalidPayload', { error: expect.stringContaining('/nodes/0/url') }),
    );
    expect(second.evm.orders).toEqual([]);
    expect(JSON.stringify(await bench.log.read(`enable-eth/${id}`))).not.toContain('hunter2');
  });

  it('a task that was being cancelled is cancelled', async () => {
    const bench = taskBench();
    const first = await bench.start();
    first.evm.scripts = [['hang']];
    const id = await first.idOf();
    await bench.settle();
    await first.tasks.cancel(id);
    // The process is gone; what it had under way goes nowhere.
    const second = await bench.start();
    expect(await second.seen(id)).toBe('NoSuchTask');
    expect((await bench.typesOf(id)).at(-1)).toBe('Cancelled');
    expect(second.evm.orders).toEqual([]);
  });

  it('a coin in use is activated again, although its result was read and forgotten, for as many sessions as there are', async () => {
    const bench = taskBench();
    let latest = await bench.start();
    const id = await latest.idOf();
    await bench.settle();
    for (const session of [1, 2, 3]) {
      expect(await latest.tasks.status(id, true)).toMatchObject({ result: ok });
      expect([await latest.seen(id), latest.tasks.active.has('ETH')]).toEqual(['NoSuchTask', true]);
      expect(await latest.tasks.init(asked())).toMatchObject({ error: { error_type: 'PlatformIsAlreadyActivated' } });
      await latest.tasks.close();
      latest = await bench.start(new EvmDouble([['wait']]));
      // Whoever sends the same again gets the task that is under way.
      expect([await latest.seen(id), await latest.idOf()]).toEqual([working, id]);
      expect(latest.tasks.active.has('ETH')).toBe(false);
      latest.evm.goOn();
      await bench.settle();
      expect([latest.tasks.active.has('ETH'), latest.evm.orders.length, session]).toEqual([true, 1, session]);
    }
    await latest.tasks.status(id, true);
    await latest.tasks.release('ETH');
    expect((await bench.typesOf(id)).slice(-2)).toEqual(['ResultForgotten', 'Forgotten']);
    await latest.tasks.close();
    const last = await bench.start();
    expect([await last.seen(id), last.evm.orders, last.tasks.active.has('ETH')]).toEqual(['NoSuchTask', [], false]);
  });

  it('a coin whose request had secrets is inactive, its task says why, and another one activates it', async () => {
    const bench = taskBench();
    const first = await bench.start();
    const secret = { nodes: [{ url: 'http://u:hunter2@node.example' }] };
    const id = await first.idOf(secret);
    await bench.settle();
    await first.tasks.status(id, true);
    await first.tasks.close();
    const second = await bench.start();
    expect(await second.seen(id)).toEqual(errorOf('InvalidPayload'));
    expect(second.evm.orders).toEqual([]);
    expect(await second.seen(await second.idOf(secret))).toEqual(ok);
  });

  it('a failure is as it was, and a task that was forgotten and has no coin stays so', async () => {
    const bench = taskBench();
    const first = await bench.start();
    first.evm.scripts = [[{ fail: { type: 'Transport', data: 'no node' } }]];
    const failed = await first.idOf();
    await bench.settle();
    const forgotten = await first.idOf();
    await bench.settle();
    await first.tasks.status(forgotten, true);
    await first.tasks.close();
    const second = await bench.start();
    expect(await second.seen(failed)).toEqual(errorOf('Transport'));
    expect(await second.seen(forgotten)).toBe('NoSuchTask');
    expect(second.evm.orders).toEqual([]);
  });
});
