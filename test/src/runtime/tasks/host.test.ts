import { describe, expect, it } from 'vitest';
import { LogConflictError, LogError } from '../../../../src/log/log-error.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { AppendBatch, EventLog } from '../../../../src/ports/event-log.ts';
import type { EvmActivator } from '../../../../src/ports/evm-activator.ts';
import { taskBench } from '../../../support/tasks/eth-tasks.ts';
import { EvmDouble, found } from '../../../support/tasks/evm-double.ts';

/** A memory log of which appends can be held up, and can fail before or after they were made. */
function troubled() {
  const inner = createMemoryLog();
  const trouble = {
    fails: 'never' as 'never' | 'before' | 'after',
    held: null as Promise<void> | null,
    /** Type of the records that are refused. */
    refused: null as string | null,
  };
  const log: EventLog = {
    async append(batch: AppendBatch) {
      await trouble.held;
      const isRefused = batch.records.some(({ type }) => type === trouble.refused);
      if (trouble.fails === 'before' || isRefused) throw new Error('the disk is full');
      const stored = await inner.append(batch);
      if (trouble.fails === 'after') throw new Error('the disk is full');
      return stored;
    },
    read: (stream, from) => inner.read(stream, from),
    find: (query) => inner.find(query),
    subscribe: (options, onEntry) => inner.subscribe(options, onEntry),
    quarantined: () => inner.quarantined(),
    close: () => inner.close(),
  };
  return { log, trouble };
}

const working = { status: 'InProgress', details: 'ActivatingCoin' };
const ok = expect.objectContaining({ status: 'Ok' });

describe('a host of tasks', () => {
  it('V4: reports nothing that the log has not accepted, and works on none of it', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, seen, tasks, evm } = await bench.start();
    let letGo = (): void => {};
    trouble.held = new Promise((resolve) => {
      letGo = resolve;
    });
    let id: number | null = null;
    const begun = idOf().then((made) => {
      id = made;
    });
    await bench.settle();
    expect([id, evm.orders.length, tasks.active.has('ETH')]).toEqual([null, 0, false]);
    letGo();
    await begun;
    expect(id).toBe(0);
    expect(await seen(0)).toEqual(ok);
  });

  it.each(['before', 'after'] as const)(
    'V4: reads its log again where an append failed %s it was made',
    async (when) => {
      const { log, trouble } = troubled();
      const bench = taskBench(log);
      const { idOf, seen, tasks, evm } = await bench.start(new EvmDouble([['wait']]));
      const id = await idOf();
      expect(await seen(id)).toEqual(working);
      trouble.fails = when;
      await expect(tasks.cancel(id)).rejects.toThrow('the disk is full');
      trouble.fails = 'never';
      await bench.clock.advance(1000);
      expect(await seen(id)).toEqual(when === 'before' ? working : 'NoSuchTask');
      expect(evm.underWay).toBe(when === 'before' ? 1 : 0);
    },
  );

  it.each(['before', 'after'] as const)(
    'V10: keeps the result of the work if the log failed %s it accepted that, and asks the device nothing twice',
    async (when) => {
      const { log, trouble } = troubled();
      const bench = taskBench(log);
      const { idOf, seen, tasks, evm, passphrase } = await bench.start(
        new EvmDouble([[{ ask: 'TrezorPassphrase' }, 'wait']]),
      );
      const id = await idOf();
      await bench.settle();
      await passphrase(id, 'of the device');
      await bench.settle();
      trouble.fails = when;
      evm.goOn();
      await bench.settle();
      expect([evm.open, evm.underWay, tasks.active.has('ETH')]).toEqual([1, 0, false]);
      trouble.fails = 'never';
      await bench.clock.advance(60_000);
      expect(await seen(id)).toEqual(ok);
      const types = ['TaskStarted', 'EnterTrezorPassphrase', 'UserActionProvided', 'Completed'];
      expect([await bench.typesOf(id), evm.open, evm.orders.length, evm.answers.length]).toEqual([types, 1, 1, 1]);
      expect([tasks.active.has('ETH'), bench.clock.armed()]).toEqual([true, 0]);
      // It is in use as any other is.
      expect((await tasks.release('ETH'))?.ticker).toBe('ETH');
      expect((await bench.typesOf(id)).slice(4)).toEqual(['CoinReleased']);
    },
  );

  it.each(['before', 'after'] as const)(
    'V10: goes on with a step if the log failed %s it accepted that, in the middle of the work',
    async (when) => {
      const { log, trouble } = troubled();
      const bench = taskBench(log);
      const { idOf, seen, passphrase, evm } = await bench.start(
        new EvmDouble([['wait', { ask: 'TrezorPin' }, { tell: 'RequestingWalletBalance' }]]),
      );
      const id = await idOf();
      await bench.settle();
      trouble.fails = when;
      evm.goOn();
      await bench.clock.advance(30_000);
      trouble.fails = 'never';
      await bench.clock.advance(60_000);
      expect(await seen(id)).toMatchObject({ status: 'UserActionRequired', details: 'EnterTrezorPin' });
      expect(await passphrase(id, 'not asked for')).toMatchObject({ ok: true });
      expect([(await bench.typesOf(id)).slice(1, 3), evm.orders.length]).toEqual([
        ['EnterTrezorPin', 'WrongUserActionProvided'],
        1,
      ]);
    },
  );

  it('V10: releases what the log has not accepted when the task is cancelled, or its process closed', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, seen, tasks, evm } = await bench.start();
    trouble.refused = 'Completed';
    const ids = [await idOf(), await idOf({ ticker: 'MATIC' })];
    await bench.clock.advance(10_000);
    expect(evm.open).toBe(2);
    await tasks.cancel(ids[0] as number);
    expect([await seen(ids[0] as number), evm.open]).toEqual(['NoSuchTask', 1]);
    await tasks.close();
    expect([evm.open, bench.clock.armed()]).toEqual([0, 0]);
  });

  it('V10: accepts a cancellation that finds the outcome in the log as that outcome', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, seen, tasks, evm } = await bench.start(new EvmDouble([['wait']]));
    const id = await idOf();
    await bench.settle();
    trouble.fails = 'after';
    evm.goOn();
    await bench.settle();
    trouble.fails = 'never';
    expect(await tasks.cancel(id)).toMatchObject({ ok: false, error: { error_type: 'TaskFinished' } });
    expect([await seen(id), tasks.active.has('ETH'), evm.open]).toEqual([ok, true, 1]);
    expect(await bench.typesOf(id)).toEqual(['TaskStarted', 'Completed']);
  });

  it('V4: shows no state that the log has not accepted', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, tasks } = await bench.start(new EvmDouble([['wait']]));
    const id = await idOf();
    await bench.settle();
    let letGo = (): void => {};
    trouble.held = new Promise((resolve) => {
      letGo = resolve;
    });
    const cancelled = tasks.cancel(id);
    await bench.settle();
    // The task is under way until the log knows otherwise, so the same request gets it.
    const same: number[] = [];
    const joined = idOf().then((found) => same.push(found));
    await bench.settle();
    expect(same).toEqual([id]);
    letGo();
    await Promise.all([cancelled, joined]);
  });

  it('V5: ends work that is no longer wanted, and drops its result', async () => {
    const bench = taskBench();
    const { idOf, tasks, evm } = await bench.start(new EvmDouble([['hang', { tell: 'Finishing' }]]));
    const id = await idOf();
    await bench.settle();
    await tasks.cancel(id);
    evm.goOn();
    await bench.settle();
    expect(await bench.typesOf(id)).toEqual(['TaskStarted', 'CancelRequested', 'Cancelled']);
    expect(evm.open).toBe(0);
  });

  it('V6: continues with calls and other tasks while one works and one waits for a PIN', async () => {
    const bench = taskBench();
    const { idOf, seen, pin, evm } = await bench.start(new EvmDouble([['wait'], [{ ask: 'TrezorPin' }], []]));
    const ids = [await idOf(), await idOf({ ticker: 'MATIC' }), await idOf({ ticker: 'ONE' })];
    const states = await Promise.all(ids.map(seen));
    expect(states).toMatchObject([working, { status: 'UserActionRequired' }, { status: 'Ok' }]);
    await pin(ids[1] as number, '5');
    expect(await seen(ids[1] as number)).toEqual(ok);
    evm.goOn();
    expect(await seen(ids[0] as number)).toEqual(ok);
  });

  it('V7: records a deadline before anything after it, even if no timer has fired', async () => {
    const bench = taskBench();
    const { idOf, tasks, evm } = await bench.start(
      new EvmDouble([[{ tell: 'WaitingForDeviceToConnect' }, 'hang', { tell: 'Finishing' }]]),
    );
    const id = await idOf();
    await bench.settle();
    // The clock is set on; timers run for as long as they would have.
    bench.clock.jump(300_000);
    evm.goOn();
    await bench.settle();
    expect((await bench.typesOf(id)).slice(1)).toEqual(['WaitingForDeviceToConnect', 'DeviceConnectTimedOut']);
    expect(await tasks.cancel(id)).toMatchObject({ ok: false, error: { error_type: 'TaskFinished' } });
  });

  it('V7: records a deadline that passed while no process ran, before it tells the task of that', async () => {
    const bench = taskBench();
    const first = await bench.start(new EvmDouble([[{ ask: 'TrezorPin' }]]));
    const id = await first.idOf();
    await bench.settle();
    await first.tasks.close();
    await bench.clock.advance(299_999);
    const second = await bench.start(new EvmDouble([['wait']]));
    expect(await bench.typesOf(id)).toEqual(['TaskStarted', 'EnterTrezorPin', 'SessionLost']);
    await second.tasks.close();
    const third = taskBench();
    const before = await third.start(new EvmDouble([[{ ask: 'TrezorPin' }]]));
    const late = await before.idOf();
    await third.settle();
    await before.tasks.close();
    await third.clock.advance(300_000);
    const after = await third.start();
    expect(await after.seen(late)).toMatchObject({ details: { result: { error_type: 'TaskTimedOut' } } });
    expect(await after.tasks.cancel(late)).toMatchObject({ error: { error_type: 'TaskFinished' } });
    expect(after.evm.orders).toEqual([]);
  });

  it('V8: tells each unfinished task of a log that its process was lost, and leaves one out that cannot be read', async () => {
    const bench = taskBench();
    const first = await bench.start(new EvmDouble([['wait']]));
    const id = await first.idOf();
    await first.tasks.close();
    const record = { at: bench.clock.now(), type: 'Nonsense', version: 1, data: null };
    await bench.log.append({ stream: 'enable-eth/1', expected: 0, records: [record] });
    const second = await bench.start();
    expect(await second.seen(id)).toEqual(ok);
    expect(await bench.typesOf(id)).toEqual(['TaskStarted', 'SessionLost', 'Completed']);
    expect(await bench.typesOf(1)).toEqual(['Nonsense']);
    expect(bench.lines.join()).toContain('a task of the log cannot be read');
    expect(await second.idOf({ ticker: 'MATIC' })).toBe(2);
  });

  it('is the only writer of its streams: it reads a foreign record before it decides anything', async () => {
    const bench = taskBench();
    const { idOf, seen, tasks } = await bench.start(new EvmDouble([['wait']]));
    const id = await idOf();
    await bench.settle();
    const record = { at: bench.clock.now(), type: 'CancelRequested', version: 1, data: null };
    await bench.log.append({ stream: `enable-eth/${id}`, expected: 1, records: [record] });
    await expect(tasks.cancel(id)).rejects.toBeInstanceOf(LogConflictError);
    expect(await seen(id)).toBe('NoSuchTask');
  });

  it.each(['before', 'after'] as const)(
    'V8: works on no task of a log before the log knows that the process was lost, also where that failed %s it was made',
    async (when) => {
      const { log, trouble } = troubled();
      const bench = taskBench(log);
      const first = await bench.start(new EvmDouble([['wait']]));
      const id = await first.idOf({ nodes: [{ url: 'http://u:hunter2@node.example' }] });
      await first.tasks.close();
      const second = bench.make();
      trouble.fails = when;
      await expect(second.tasks.open()).rejects.toThrow('the disk is full');
      trouble.fails = 'never';
      await bench.clock.advance(120_000);
      expect(second.evm.orders).toEqual([]);
      await second.tasks.open();
      expect(await second.seen(id)).toMatchObject({ status: 'Error' });
      // Without its password the request would have gone to another node than the client had meant.
      expect(second.evm.orders).toEqual([]);
    },
  );

  it.each([
    ['a step', [{ tell: 'Finishing' }, { tell: 'RequestingWalletBalance' }]],
    ['a question', [{ tell: 'Finishing' }, { ask: 'TrezorPin' }]],
  ] as const)('V6: refuses %s that the state does not accept, and the task does not wait for it', async (_, script) => {
    const bench = taskBench();
    const { idOf, seen, evm } = await bench.start(new EvmDouble([script, []]));
    const id = await idOf();
    expect(await seen(id)).toMatchObject({ status: 'Error', details: { result: { error_type: 'Internal' } } });
    expect((await bench.typesOf(id)).slice(1)).toEqual(['Finishing', 'Failed']);
    expect([evm.underWay, bench.clock.armed()]).toEqual([0, 0]);
    expect(await seen(await idOf())).toEqual(ok);
  });

  it('V9, V10: offers its log nothing more often because a client polls', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, tasks, evm } = await bench.start(new EvmDouble([['wait']]));
    const id = await idOf();
    await bench.settle();
    trouble.fails = 'before';
    evm.goOn();
    await bench.settle();
    // 0 s, then after pauses of 1, 2, 4 and 8 s.
    for (let polls = 0; polls < 200; polls++) {
      await bench.clock.advance(100);
      expect(await tasks.status(id, false)).toMatchObject({ ok: true });
    }
    expect(bench.lines.filter((line) => line.includes('work on a task failed'))).toHaveLength(5);
    trouble.fails = 'never';
    await bench.clock.advance(60_000);
    expect(await tasks.status(id, false)).toMatchObject({ result: ok });
    expect([evm.orders.length, evm.open, bench.clock.armed()]).toEqual([1, 1, 0]);
  });

  it('V9: does not ask more often because a client polls, and lengthens its pauses although it writes a part of the work each time', async () => {
    const bench = taskBench();
    const away = { fail: { type: 'Transport', data: 'nobody answers', passing: true } } as const;
    const first = await bench.start();
    const id = await first.idOf();
    await bench.settle();
    await first.tasks.close();
    const { tasks, evm } = await bench.start(new EvmDouble([[{ tell: 'ActivatingCoin' }, away]]));
    for (let polls = 0; polls < 200; polls++) {
      await bench.clock.advance(100);
      expect(await tasks.status(id, false)).toMatchObject({ ok: true });
    }
    expect([evm.orders.length, evm.open]).toEqual([5, 0]);
  });

  it('V9: repeats the work if the log does not accept its outcome', async () => {
    const inner = createMemoryLog();
    let refusals = 1;
    const bench = taskBench({
      ...troubled().log,
      append: async (batch) => {
        if (batch.records[0]?.type !== 'Completed' || refusals === 0) return inner.append(batch);
        refusals -= 1;
        throw new LogError('LOG_RECORD_INVALID', 'The record is none.', { next: 'Nothing.' });
      },
      read: (stream, from) => inner.read(stream, from),
      find: (query) => inner.find(query),
    });
    const { idOf, seen, evm } = await bench.start();
    const id = await idOf();
    await bench.clock.advance(60_000);
    expect(await seen(id)).toEqual(ok);
    expect([evm.orders.length, evm.open]).toEqual([2, 1]);
  });

  it('does not mistake an error of its log for one of the activation', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const swallowing: EvmActivator = {
      async activate(order, talk) {
        try {
          await talk.tell('RequestingWalletBalance');
        } catch (error) {
          return { ok: false, fault: { type: 'Transport', data: String(error) } };
        }
        return { ok: true, value: found(order, () => {}) };
      },
    };
    const { idOf, seen } = await bench.start(swallowing);
    trouble.refused = 'RequestingWalletBalance';
    const id = await idOf();
    await bench.settle();
    trouble.refused = null;
    expect(await seen(id)).toEqual(working);
    await bench.clock.advance(1000);
    expect(await seen(id)).toEqual(ok);
  });

  it('V5: ends work that its log no longer wants, although the report of that failed, before it hears the work', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, tasks, evm } = await bench.start(new EvmDouble([['hang', { tell: 'Finishing' }]]));
    const id = await idOf();
    await bench.settle();
    trouble.fails = 'after';
    await expect(tasks.cancel(id)).rejects.toThrow('the disk is full');
    trouble.fails = 'never';
    evm.goOn();
    await bench.settle();
    expect(await bench.typesOf(id)).toEqual(['TaskStarted', 'CancelRequested', 'Cancelled']);
    // Nobody did anything wrong.
    expect(bench.lines).toEqual([]);
  });

  it('ends a pause with its want, and can be closed in the middle of one', async () => {
    const { log, trouble } = troubled();
    const bench = taskBench(log);
    const { idOf, tasks } = await bench.start();
    trouble.refused = 'Completed';
    const ids = [await idOf(), await idOf({ ticker: 'MATIC' })];
    await bench.settle();
    // Each waits to read its log again, and for its next try.
    expect(bench.clock.armed()).toBe(4);
    await tasks.cancel(ids[0] as number);
    await bench.settle();
    expect(await bench.typesOf(ids[0] as number)).toEqual(['TaskStarted', 'CancelRequested', 'Cancelled']);
    expect(bench.clock.armed()).toBe(2);
    await tasks.close();
    expect(bench.clock.armed()).toBe(0);
  });

  it('is closed although some work does not settle', async () => {
    const bench = taskBench();
    const { idOf, tasks } = await bench.start(new EvmDouble([['hang']]));
    await idOf();
    await bench.settle();
    let closed = false;
    const closing = tasks.close().then(() => {
      closed = true;
    });
    await bench.clock.advance(9999);
    expect(closed).toBe(false);
    await bench.clock.advance(1);
    await closing;
    expect(bench.clock.armed()).toBe(0);
  });
});
