import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../../src/log/memory/memory-log.ts';
import type { Compatibility } from '../../../../../src/node/node.ts';
import type { EventLog } from '../../../../../src/ports/event-log.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';
import type { Millis } from '../../../../../src/primitives/time.ts';
import { createAccess } from '../../../../../src/rpc/framework/access.ts';
import { listenFramework } from '../../../../../src/rpc/framework/listen.ts';
import { EVENT_STREAM_PATH, eventPage } from '../../../../../src/rpc/framework/stream/page.ts';
import { systemClock } from '../../../../../src/runtime/host/clock-system.ts';
import { type Frame, frameReader } from '../../../../support/event-frames.ts';
import { asked, taskBench } from '../../../../support/tasks/eth-tasks.ts';
import { type Deed, EvmDouble } from '../../../../support/tasks/evm-double.ts';

const PASSWORD = 'a password of the RPC';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serving(log: EventLog, compatibility: Compatibility = 'specification') {
  const clock = systemClock();
  const access = createAccess({ password: new Secret(PASSWORD) });
  const { page, close } = eventPage({ log, clock, access, compatibility });
  const listener = await listenFramework({
    answer: async () => ({ status: 200, body: '{}' }),
    pages: new Map([[EVENT_STREAM_PATH, page]]),
    ...{ clock, port: 0, cors: '*', timeouts: { close: 50 } },
  });
  closers.push(() => {
    close();
    return listener.close();
  });
  const url = `http://127.0.0.1:${listener.port}${EVENT_STREAM_PATH}`;
  /** Follows, and gives the next frames that tell of tasks. */
  return async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${query}`, { headers: { authorization: `Bearer ${PASSWORD}`, ...headers } });
    const reader = frameReader(response.body as ReadableStream<Uint8Array>);
    closers.push(() => reader.cut());
    const waiting: Frame['data'][] = [];
    return async (count: number) => {
      while (waiting.length < count) {
        const frames = await reader.next();
        if (frames === null) throw new Error(`the stream ended after ${waiting.length} of ${count} frames`);
        waiting.push(...frames.map(({ data }) => data).filter(({ _type }) => _type.startsWith('TASK:')));
      }
      return waiting.splice(0, count);
    };
  };
}

const begin = (client_id: number, ticker = 'ETH') => ({ ...asked({ ticker }), client_id });
const told = (id: number, status: string, details: unknown) => ({ _type: `TASK:${id}`, message: { status, details } });
const ok = expect.objectContaining({ current_block: 17 });
const dialogue: readonly Deed[] = [
  { tell: 'WaitingForDeviceToConnect' },
  { ask: 'TrezorPin' },
  { tell: 'FollowHwDeviceInstructions' },
  { tell: 'ActivatingCoin' },
];

describe('the outcome of a task', () => {
  it('is sent to the client that began it: what the work changes, and not what the client does itself', async () => {
    const bench = taskBench();
    const follow = await serving(bench.log);
    const { tasks, pin } = await bench.start(new EvmDouble([dialogue, []]));
    const [mine, all] = [await follow('?id=7'), await follow('')];
    // Another client's, and one that nobody is named for.
    const other = await follow('?id=8&types=SWAP_STATUS');
    await tasks.init(begin(7));
    await bench.settle();
    await pin(0, '1');
    await bench.settle();
    const talk = [
      told(0, 'InProgress', 'WaitingForDeviceToConnect'),
      told(0, 'UserActionRequired', 'EnterTrezorPin'),
      told(0, 'InProgress', 'FollowHwDeviceInstructions'),
      told(0, 'InProgress', 'ActivatingCoin'),
      told(0, 'Ok', ok),
    ];
    expect(await mine(5)).toEqual(talk);
    expect(await all(5)).toEqual(talk);
    // Reading and forgetting tells nobody anything, nor does a cancelled task.
    await tasks.status(0, true);
    await tasks.init(begin(7, 'MATIC'));
    await tasks.cancel(1);
    await tasks.init(begin(8, 'ONE'));
    await bench.settle();
    expect(await other(1)).toEqual([told(2, 'Ok', ok)]);
    expect(await all(1)).toEqual([told(2, 'Ok', ok)]);
  });

  it('hears of waits that were too long, and of a lost process', async () => {
    const bench = taskBench();
    const follow = await serving(bench.log);
    const first = await bench.start(new EvmDouble([[{ ask: 'TrezorPin' }], ['wait']]));
    const mine = await follow('?id=0');
    await first.tasks.init(begin(0));
    await bench.settle();
    await bench.clock.advance(300_000);
    await first.tasks.init(begin(0, 'MATIC'));
    await bench.settle();
    await first.tasks.close();
    await bench.start(new EvmDouble([[{ fail: { type: 'Transport', data: 'no node' } }]]));
    await bench.settle();
    expect(await mine(4)).toEqual([
      told(0, 'UserActionRequired', 'EnterTrezorPin'),
      told(0, 'Error', { result: expect.objectContaining({ error_type: 'TaskTimedOut' }) }),
      told(1, 'InProgress', 'ActivatingCoin'),
      told(1, 'Error', { result: expect.objectContaining({ error_type: 'Transport' }) }),
    ]);
  });

  it('continues where a stream was cut, for a client that names it', async () => {
    const bench = taskBench();
    const follow = await serving(bench.log);
    const { tasks } = await bench.start(new EvmDouble([[{ tell: 'RequestingWalletBalance' }, { tell: 'Finishing' }]]));
    await tasks.init(begin(3));
    await bench.settle();
    // Seen are the request itself and the first step.
    const again = await follow('?id=3&types=TASK', { 'last-event-id': '2' });
    expect(await again(2)).toEqual([told(0, 'InProgress', 'Finishing'), told(0, 'Ok', ok)]);
  });

  it('has the form of the real node', async () => {
    const bench = taskBench();
    const follow = await serving(bench.log, 'kdf');
    const scripts = [
      [{ tell: 'WaitingForDeviceToConnect' }, { fail: { type: 'Transport', data: 'no node' } }],
    ] as const;
    const { tasks } = await bench.start(new EvmDouble(scripts), 'kdf');
    const mine = await follow('?id=5');
    await tasks.init(begin(5));
    await bench.settle();
    expect(await mine(2)).toEqual([
      told(0, 'InProgress', 'WaitingForTrezorToConnect'),
      told(0, 'Error', expect.objectContaining({ error_type: 'Transport', error: 'no node' })),
    ]);
  });

  it('that cannot be read is reported as such, and hides nothing that follows', async () => {
    const log = createMemoryLog();
    const bench = taskBench(log);
    const follow = await serving(log);
    const all = await follow('?types=TASK,UNREADABLE');
    const record = { at: 1_700_000_000_000 as Millis, type: 'Finishing', version: 1, data: null };
    await log.append({ stream: 'enable-eth/40', expected: 0, records: [record] });
    const { tasks } = await bench.start();
    await tasks.init(begin(0));
    await bench.settle();
    expect(await all(1)).toMatchObject([{ message: { status: 'Ok' } }]);
  });
});

it('a record that the log refused is reported to nobody', async () => {
  const inner = createMemoryLog();
  let refused: string | null = 'Completed';
  const log: EventLog = {
    append: async (batch) => {
      if (batch.records.some(({ type }) => type === refused)) throw new Error('the disk is full');
      return inner.append(batch);
    },
    read: (stream, from) => inner.read(stream, from),
    find: (query) => inner.find(query),
    subscribe: (options, onEntry) => inner.subscribe(options, onEntry),
    quarantined: () => inner.quarantined(),
    close: () => inner.close(),
  };
  const bench = taskBench(log);
  const follow = await serving(log);
  const { tasks } = await bench.start(new EvmDouble([[{ tell: 'Finishing' }], [{ tell: 'RequestingWalletBalance' }]]));
  const mine = await follow('?id=1');
  await tasks.init(begin(1));
  await bench.settle();
  refused = null;
  await bench.clock.advance(1000);
  expect(await mine(1)).toEqual([told(0, 'InProgress', 'Finishing')]);
});
