import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { EvmActivationFault } from '../../../../src/ports/evm-activator.ts';
import { taskBench } from '../../../support/tasks/eth-tasks.ts';
import { EvmDouble } from '../../../support/tasks/evm-double.ts';

const ok = { status: 'Ok', details: expect.objectContaining({ current_block: 17 }) };
const working = { status: 'InProgress', details: 'ActivatingCoin' };
const success = { ok: true, result: 'success' };
const TOKENS = { erc20_tokens_requests: [{ ticker: 'TOK' }] };
const AWAY: EvmActivationFault = { type: 'Transport', data: 'nobody answers http://u:hunter2@node', passing: true };
const away = { fail: AWAY } as const;
const steps = [{ tell: 'RequestingWalletBalance' }, { tell: 'Finishing' }] as const;

/** A coin that was in use, in a process whose activations go by these scripts. */
async function again(scripts: EvmDouble['scripts'], members: object = {}) {
  const bench = taskBench();
  const first = await bench.start();
  const id = await first.idOf(members);
  await bench.settle();
  await first.tasks.close();
  return { ...bench, id, ...(await bench.start(new EvmDouble(scripts))) };
}

describe('a coin that was in use, after the process was lost', () => {
  it('comes back once its nodes do, however long they are away', async () => {
    const { id, seen, evm, clock, tasks, typesOf, lines } = await again([
      [away],
      [...steps, away],
      ['throw'],
      [away],
      [...steps],
    ]);
    for (const pause of [1000, 2000, 4000, 8000]) {
      const activations = evm.orders.length;
      await clock.advance(pause - 1);
      expect(['InProgress', evm.orders.length]).toEqual([
        ((await seen(id)) as { readonly status: string }).status,
        activations,
      ]);
      await clock.advance(1);
      expect(evm.orders.length).toBe(activations + 1);
    }
    expect(await seen(id)).toEqual(ok);
    expect([tasks.active.has('ETH'), evm.open]).toEqual([true, 1]);
    expect(await typesOf(id)).not.toContain('Failed');
    expect(lines.join('\n')).toContain('nobody answers');
    expect(lines.join('\n')).not.toContain('hunter2');
  });

  it('rests for a minute at most, over days and further restarts', async () => {
    const bench = await again([[away]]);
    for (let minute = 0; minute < 60; minute += 1) await bench.clock.advance(60_000);
    const tried = bench.evm.orders.length;
    await bench.clock.advance(60_000);
    expect([bench.evm.orders.length, await bench.seen(bench.id)]).toEqual([tried + 1, working]);
    await bench.tasks.close();
    const next = await bench.start(new EvmDouble([[away], []]));
    expect(await next.seen(bench.id)).toEqual(working);
    await bench.clock.advance(1000);
    expect(await next.seen(bench.id)).toEqual(ok);
  });

  it('is released by cancel, and does not come back', async () => {
    const bench = await again([[away]]);
    await bench.settle();
    expect(await bench.tasks.cancel(bench.id)).toEqual(success);
    expect(await bench.seen(bench.id)).toBe('NoSuchTask');
    await bench.clock.advance(600_000);
    expect(bench.evm.orders.length).toBe(1);
    await bench.tasks.close();
    const next = await bench.start();
    await bench.clock.advance(600_000);
    expect([next.evm.orders, (await bench.typesOf(bench.id)).at(-1)]).toEqual([[], 'Cancelled']);
  });

  it('is given up by its own ticker only', async () => {
    const bench = await again([[away]], TOKENS);
    await bench.settle();
    expect(bench.tasks.comingBack('ETH')).toEqual(['ETH', 'TOK']);
    expect([bench.tasks.comingBack('TOK'), await bench.tasks.giveUp('MATIC')]).toEqual([[], false]);
    expect([await bench.tasks.giveUp('ETH'), bench.tasks.comingBack('ETH')]).toEqual([true, []]);
    expect(await bench.seen(bench.id)).toBe('NoSuchTask');
  });

  it('is brought back by another request meanwhile, which ends its task', async () => {
    const bench = await again([[away], []]);
    await bench.settle();
    const other = await bench.idOf({ nodes: [{ url: 'http://another.example' }] });
    expect(await bench.seen(other)).toEqual(ok);
    await bench.clock.advance(60_000);
    expect(await bench.seen(bench.id)).toMatchObject({
      details: { result: { error_type: 'PlatformIsAlreadyActivated' } },
    });
    expect([bench.evm.open, bench.tasks.active.has('ETH')]).toEqual([1, true]);
  });

  it.each([
    { type: 'WalletConnectError', data: 'no session' },
    { type: 'InvalidPayload', data: 'the address is beyond the last' },
  ] as const)('does not come back after an end that its nodes had no part in, as the log shows: %j', async (fault) => {
    const { id, seen, evm, clock, lines } = await again([[{ fail: fault }]]);
    expect(await seen(id)).toMatchObject({ status: 'Error', details: { result: { error_type: fault.type } } });
    expect(lines.filter((line) => line.startsWith('a coin that was in use could not be activated again'))).toEqual([
      expect.stringContaining(fault.data),
    ]);
    await clock.advance(600_000);
    expect(evm.orders.length).toBe(1);
  });

  it('comes back without the tokens that were removed alone, whether or not its result was read', async () => {
    for (const isRead of [false, true]) {
      const bench = taskBench();
      const first = await bench.start();
      const id = await first.idOf(TOKENS);
      await bench.settle();
      if (isRead) await first.tasks.status(id, true);
      expect(await first.tasks.release('TOK')).toBeUndefined();
      expect(await first.seen(id)).toEqual(isRead ? 'NoSuchTask' : ok);
      expect((await bench.typesOf(id)).at(-1)).toBe(isRead ? 'KeptTokenReleased' : 'TokenReleased');
      await first.tasks.close();
      const second = await bench.start();
      expect(await second.seen(id)).toEqual(ok);
      expect(second.evm.orders.map(({ tokens }) => tokens)).toEqual([[]]);
      await second.tasks.release('ETH');
      expect((await bench.typesOf(id)).at(-1)).toBe('CoinReleased');
    }
  });
});

describe('a task whose activation has never been in use', () => {
  it('fails if its nodes are away, also after the process was lost', async () => {
    const bench = taskBench();
    const first = await bench.start(new EvmDouble([['wait']]));
    const id = await first.idOf();
    await bench.settle();
    await first.tasks.close();
    const second = await bench.start(new EvmDouble([[away]]));
    expect(await second.seen(id)).toMatchObject({ status: 'Error' });
  });

  it('has its outcome, and is not repeated, if the log did not take that at once', async () => {
    const inner = createMemoryLog();
    let refusals = 1;
    const bench = taskBench({
      ...inner,
      append: async (batch) => {
        if (batch.records[0]?.type === 'Completed' && refusals > 0) {
          refusals -= 1;
          throw new Error('the disk is full');
        }
        return inner.append(batch);
      },
      read: (stream, from) => inner.read(stream, from),
      find: (query) => inner.find(query),
      subscribe: (options, onEntry) => inner.subscribe(options, onEntry),
      quarantined: () => inner.quarantined(),
      close: () => inner.close(),
    });
    const { idOf, seen, evm, tasks } = await bench.start(new EvmDouble([[...steps]]));
    const id = await idOf();
    await bench.clock.advance(60_000);
    expect(await seen(id)).toEqual(ok);
    expect([evm.orders.length, evm.open, tasks.active.has('ETH')]).toEqual([1, 1, true]);
  });
});
