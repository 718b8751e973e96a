import { describe, expect, it } from 'vitest';
import { createMemoryLog, LogConflictError, LogDamagedError } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { EventLog, NewRecord, StreamLabels } from '../../../../src/ports/event-log.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { Drivable } from '../../../../src/runtime/loop/drivable.ts';
import { beginStream, fold, kindOf, open, readStream } from '../../../../src/runtime/loop/streams.ts';
import { createLoop } from '../../../../src/runtime/operate/create-loop.ts';
import { deferred, GOOD, type Script, scriptedChain, scriptedKind, WAIT } from '../../../support/scripted.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const STREAM = 'scripted/1';
const AT = 1_700_000_000_000 as Millis;
const NOT_CONNECTED = new Error('nats://user:password@host');
const damage = new LogDamagedError('The seal is wrong.', { stream: STREAM, next: 'Look at it.' });
const tooLong = new SwapfoldError('too long', { code: 'LOG_RECORD_INVALID' });
const record = (type = 'Begun', at = AT, data: unknown = null): NewRecord => ({ at, type, version: 1, data });
const failing = (error: Error) => () => {
  throw error;
};

type Options = {
  readonly log?: (memory: EventLog) => Partial<EventLog>;
  readonly driven?: Partial<Drivable>;
  readonly script?: Partial<Script>;
  readonly coins?: readonly string[];
};

function setUp({ log = () => ({}), driven = {}, script = {}, coins = ['DOC', 'MARTY'] }: Options = {}) {
  const clock = virtualClock(AT);
  const memory = createMemoryLog();
  const { kind, made } = scriptedKind({ decide: () => WAIT, ...script });
  const told = { appended: [] as unknown[], moved: [] as unknown[] };
  const { loop } = createLoop({
    log: { ...memory, ...log(memory) },
    clock,
    chains: coins.map((coin) => scriptedChain(coin, () => GOOD)),
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
    kinds: [{ ...kind, create: (...given) => ({ ...kind.create(...given), ...driven }) }],
    metrics: {
      asked: () => {},
      late: () => {},
      appended: (call) => void told.appended.push(call),
      decided: () => {},
      moved: (...call) => void told.moved.push(call),
      runnerMoved: () => {},
    },
  });
  return { clock, memory, loop, made, told };
}
const refusalOf = (action: Promise<unknown>) =>
  action.then(
    () => expect.unreachable('it was not refused'),
    (error: SwapfoldError) => error,
  );

describe('a stream of the log', () => {
  it('is driven by the machine that its name begins with, or not at all', () => {
    const { loop } = setUp();
    expect(kindOf(loop, STREAM)?.machine).toBe('scripted');
    for (const stream of ['other/1', 'scripted2/1', 'scripted', '/scripted']) {
      expect(kindOf(loop, stream)).toBeUndefined();
      expect(open(loop, stream)).toBeUndefined();
    }
    expect(loop.slots.size).toBe(0);
  });

  it('is opened once, and reported when it has been read', async () => {
    const { loop, memory, made, clock } = setUp({ log: (log) => ({ read: async (stream) => log.read(stream) }) });
    memory.append({ stream: STREAM, expected: 0, records: [record()] });
    const loaded: string[] = [];
    const slot = open(loop, STREAM, () => void loaded.push('first'));
    expect(loaded).toEqual([]);
    expect(open(loop, STREAM, () => void loaded.push('second'))).toBe(slot);
    expect(open(loop, STREAM)).toBe(slot);
    expect(loaded).toEqual(['second']);
    await clock.advance(0);
    expect(loaded).toEqual(['second', 'first']);
    expect(made.count).toBe(1);
    expect(loop.slots.get(STREAM)).toBe(slot);
  });

  it('is read with what the log reports about damage, and any other error is an error of the log', async () => {
    const good = setUp();
    good.memory.append({ stream: STREAM, expected: 0, records: [record()] });
    expect(await readStream(good.loop, STREAM)).toHaveLength(1);
    expect(await refusalOf(readStream(setUp({ log: () => ({ read: failing(damage) }) }).loop, STREAM))).toBe(damage);
    const broken = await refusalOf(readStream(setUp({ log: () => ({ read: failing(NOT_CONNECTED) }) }).loop, STREAM));
    expect(broken).toMatchObject({ code: 'LOG_UNAVAILABLE', facts: { stream: STREAM, reason: 'Error' } });
  });
});

describe('records that are folded', () => {
  const errorOf = (action: () => unknown): SwapfoldError => {
    try {
      action();
    } catch (error) {
      return error as SwapfoldError;
    }
    return expect.unreachable('it was not refused');
  };

  it('make a runner that is not driven', () => {
    const { loop } = setUp();
    expect(fold(loop, STREAM, [record(), record('Next')]).length()).toBe(2);
    expect(loop.slots.size).toBe(0);
  });

  it('are refused if no machine of theirs is driven, or if they do not fold', () => {
    const { loop } = setUp();
    expect(errorOf(() => fold(loop, 'other/1', []))).toMatchObject({
      code: 'SWAP_UNREADABLE',
      facts: { stream: 'other/1', reason: 'RangeError' },
    });
    const illegal = new SwapfoldError('not here', { code: 'ILLEGAL_EVENT' });
    const odd = setUp({ script: { apply: failing(illegal) } }).loop;
    expect(errorOf(() => fold(odd, STREAM, [record()]))).toMatchObject({ code: 'SWAP_UNREADABLE', cause: illegal });
    const faulty = setUp({ script: { apply: failing(new TypeError('x')) } }).loop;
    expect(errorOf(() => fold(faulty, STREAM, [record()]))).toMatchObject({ code: 'RUNNER_FAILED' });
  });
});

describe('a stream that begins', () => {
  it('is in the log with its labels, counted, and driven', async () => {
    const batches: unknown[] = [];
    const { loop, told, made, clock } = setUp({
      log: (log) => ({
        append: async (batch) => {
          batches.push(batch);
          await clock.advance(1500);
          return log.append(batch);
        },
      }),
      driven: { preview: (records) => ({ state: `${records.length} more` }) },
    });
    const records = [record()];
    expect(await beginStream(loop, STREAM, records)).toBe(true);
    expect(batches).toEqual([{ stream: STREAM, expected: 0, records, labels: { state: '0 more' } }]);
    expect(told.appended).toEqual([{ seconds: 1.5, records: 1, ok: true }]);
    expect(loop.slots.get(STREAM)?.driven?.length()).toBe(1);
    expect(made.count).toBe(1);
  });

  it('is not begun if the log already holds one', async () => {
    const conflict = new LogConflictError({ stream: STREAM, expected: 0, actual: 1 });
    const { loop, told } = setUp({ log: () => ({ append: failing(conflict) }) });
    expect(await beginStream(loop, STREAM, [record()])).toBe(false);
    expect(told.appended).toEqual([{ seconds: 0, records: 1, ok: false }]);
    expect(loop.slots.size).toBe(0);
  });

  it('is refused with the log’s reason, if that reason has a meaning of its own', async () => {
    for (const error of [damage, tooLong]) {
      const { loop, told } = setUp({ log: () => ({ append: failing(error) }) });
      expect(await refusalOf(beginStream(loop, STREAM, [record()]))).toBe(error);
      expect(told.appended).toMatchObject([{ ok: false }]);
    }
    const { loop } = setUp({ log: () => ({ append: failing(NOT_CONNECTED) }) });
    expect(await refusalOf(beginStream(loop, STREAM, [record()]))).toMatchObject({
      code: 'LOG_UNAVAILABLE',
      facts: { stream: STREAM },
    });
  });
});

describe('a stream that is begun', () => {
  it('writes nothing that does not fold', async () => {
    const { loop, memory } = setUp({ script: { apply: failing(new TypeError('x')) } });
    expect(await refusalOf(beginStream(loop, STREAM, [record()]))).toMatchObject({ code: 'RUNNER_FAILED' });
    expect(memory.end()).toBe(0);
  });

  it('is left to whoever opened it while it was being written', async () => {
    const gate = deferred<void>();
    const { loop, made, clock } = setUp({
      log: (log) => ({
        append: async (batch) => {
          const written = log.append(batch);
          await gate.promise;
          return written;
        },
      }),
    });
    const begun = beginStream(loop, STREAM, [record()]);
    await clock.advance(0);
    const slot = open(loop, STREAM);
    gate.resolve();
    expect(await begun).toBe(true);
    expect(loop.slots.get(STREAM)).toBe(slot);
    expect(made.count).toBe(2);
  });
});

describe('a stream that is finished when it arrives', () => {
  const ended = (labels: StreamLabels): Options => ({ driven: { preview: () => ({ finished: true, ...labels }) } });
  const isDriven = async (options: Options, records: readonly NewRecord[]) => {
    const made = setUp(options);
    expect(await beginStream(made.loop, STREAM, records)).toBe(true);
    return { driven: made.loop.slots.has(STREAM), moved: made.told.moved };
  };
  const day = 86_400_000;

  it('is watched if it ended within the time for which ends are watched', async () => {
    const at = (ago: number) => [record('Begun', (AT - 9 * day) as Millis), record('Ended', (AT - ago) as Millis)];
    expect((await isDriven(ended({}), at(0))).driven).toBe(true);
    expect((await isDriven(ended({}), at(day))).driven).toBe(true);
    expect((await isDriven(ended({}), at(day + 1))).driven).toBe(false);
    expect((await isDriven({ driven: { preview: () => ({ finished: false }) } }, at(day + 1))).driven).toBe(true);
    expect((await isDriven({ driven: { preview: () => ({}) } }, at(day + 1))).driven).toBe(true);
  });

  it('is not watched if one of its coins cannot be asked', async () => {
    expect((await isDriven({ ...ended({}), coins: ['DOC'] }, [record()])).driven).toBe(false);
  });

  it('is counted if its coins are at risk', async () => {
    const labels = { outcome: 'funds-at-risk', state: 'refundFailed' };
    const { moved } = await isDriven({ ...ended(labels), coins: [] }, [record()]);
    expect(moved).toEqual([[null, { machine: 'scripted', ...labels }]]);
    expect((await isDriven({ ...ended({ outcome: 'completed' }), coins: [] }, [record()])).moved).toEqual([]);
  });
});
