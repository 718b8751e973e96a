import { describe, expect, it } from 'vitest';
import { createMemoryLog, LogConflictError, LogDamagedError } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog, NewRecord } from '../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { createRuntime, type RuntimeError } from '../../../src/runtime/index.ts';
import { deferred, GOOD, scriptedChain, scriptedKind, WAIT } from '../../support/scripted.ts';
import { requestOf, UUID } from '../../support/swap-pair.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const STREAM = 'scripted/1';
const BEGUN = { type: 'Begun', data: { amount: '1', coins: ['DOC', 'MARTY'] } };
const NEXT = { type: 'Next', data: null };
const GIVEN = { stream: STREAM, events: [BEGUN, NEXT] };

const sameAs = (log: EventLog): EventLog => ({
  append: (batch) => log.append(batch),
  read: (stream, from) => log.read(stream, from),
  find: (query) => log.find(query),
  subscribe: (options, onEntry) => log.subscribe(options, onEntry),
  quarantined: () => log.quarantined(),
  close: () => log.close(),
});

/** A runtime at rest over a log that is changed as the test says. */
async function setUp(changed: (log: EventLog) => Partial<EventLog> = () => ({})) {
  const clock = virtualClock();
  const stored = createMemoryLog();
  const { kind, seen, made } = scriptedKind({ decide: () => WAIT });
  const runtime = createRuntime({
    log: { ...sameAs(stored), ...changed(stored) },
    clock,
    chains: ['DOC', 'MARTY'].map((coin) => scriptedChain(coin, () => GOOD)),
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
    kinds: [kind],
  });
  await runtime.resumeAll();
  const record = ({ type, data }: { type: string; data: unknown }): NewRecord => ({
    at: clock.now(),
    type,
    version: 1,
    data,
  });
  return { clock, stored, seen, made, runtime, record };
}

const contentOf = ({ read }: Pick<EventLog, 'read'>, stream = STREAM) =>
  (read(stream) as readonly NewRecord[]).map(({ type, data }) => ({ type, data }));

async function refusalOf(action: Promise<unknown>): Promise<RuntimeError> {
  return action.then(
    () => expect.unreachable('it was not refused'),
    (error: RuntimeError) => error,
  );
}

describe('a stream that is started', () => {
  it('holds its events in order, all at this moment and in the version that is written today', async () => {
    const { clock, stored, seen, runtime } = await setUp();
    await clock.advance(5000);
    expect(await runtime.startStream(GIVEN)).toEqual({ stream: STREAM, known: false });
    expect(stored.read(STREAM)).toMatchObject([
      { ...BEGUN, at: clock.now(), version: 1, seq: 0 },
      { ...NEXT, at: clock.now(), version: 1, seq: 1 },
    ]);
    await clock.advance(0);
    expect(seen.get(STREAM)?.decisions).toHaveLength(1);
  });

  it('is known when it is requested again, however its first event is spelled and whatever followed', async () => {
    const { stored, made, runtime } = await setUp();
    await runtime.startStream(GIVEN);
    const again = { type: 'Begun', data: { coins: ['DOC', 'MARTY'], amount: '1' } };
    expect(await runtime.startStream({ stream: STREAM, events: [again] })).toEqual({ stream: STREAM, known: true });
    expect(contentOf(stored)).toEqual([BEGUN, NEXT]);
    expect(made.count).toBe(1);
  });

  it('is driven after a foreign write', async () => {
    const { clock, stored, seen, runtime, record } = await setUp();
    stored.append({ stream: STREAM, expected: 0, records: [record(BEGUN), record({ type: 'Other', data: 7 })] });
    expect(runtime.sizes().runners).toBe(0);
    expect(await runtime.startStream(GIVEN)).toEqual({ stream: STREAM, known: true });
    await clock.advance(0);
    expect(seen.get(STREAM)?.records.map(({ type }) => type)).toEqual(['Begun', 'Other']);
    expect(seen.get(STREAM)?.decisions).toHaveLength(1);
  });

  it('is refused if another one has its name, and stays as it was', async () => {
    const { stored, runtime } = await setUp();
    await runtime.startStream(GIVEN);
    const different = [
      [{ type: 'Other', data: BEGUN.data }],
      [{ type: 'Begun', data: { ...BEGUN.data, amount: '2' } }],
      [{ type: 'Begun', data: null }],
      [NEXT, BEGUN],
      [],
    ];
    for (const events of different) {
      const refusal = await refusalOf(runtime.startStream({ stream: STREAM, events }));
      expect(refusal).toMatchObject({ code: 'SWAP_EXISTS', retry: 'never', facts: { stream: STREAM } });
    }
    expect(contentOf(stored)).toEqual([BEGUN, NEXT]);
  });
});

describe('a start while the node shuts down', () => {
  it('is refused from the first moment, even for a stream that is known', async () => {
    const { runtime, stored } = await setUp();
    await runtime.startStream(GIVEN);
    const starts = [GIVEN.stream, 'scripted/2'].map((stream) => refusalOf(runtime.startStream({ ...GIVEN, stream })));
    const drained = runtime.drain();
    for (const refusal of await Promise.all(starts)) expect(refusal).toMatchObject({ code: 'RUNTIME_DRAINING' });
    expect(await drained).toMatchObject({ clean: true });
    expect(stored.end()).toBe(2);
  });

  it('is refused when the log gives its answer only then, and writes nothing', async () => {
    const reading = deferred<void>();
    const gate = deferred<void>();
    const appended: string[] = [];
    const { runtime } = await setUp((log) => ({
      read: async (stream) => {
        const records = log.read(stream);
        reading.resolve();
        await gate.promise;
        return records;
      },
      append: (batch) => {
        appended.push(batch.stream);
        return log.append(batch);
      },
    }));
    const refusal = refusalOf(runtime.startStream(GIVEN));
    await reading.promise;
    const drained = runtime.drain();
    gate.resolve();
    expect(await refusal).toMatchObject({ code: 'RUNTIME_DRAINING' });
    expect(await drained).toMatchObject({ clean: true });
    expect(appended).toEqual([]);
  });
});

describe('a start that another process made first', () => {
  /** Another process writes this record right before each of the first appends. */
  const overtaken = (first: { type: string; data: unknown }) =>
    setUp((log) => ({
      append: (batch) => {
        const record = { at: batch.records[0]?.at ?? 0, ...first, version: 1 } as NewRecord;
        if (batch.expected === 0) log.append({ stream: batch.stream, expected: 0, records: [record] });
        return log.append(batch);
      },
    }));

  it('is recognized if the other wrote the same, and refused if it did not', async () => {
    const same = await overtaken(BEGUN);
    expect(await same.runtime.startStream(GIVEN)).toEqual({ stream: STREAM, known: true });
    expect(contentOf(same.stored)).toEqual([BEGUN]);
    const other = await overtaken(NEXT);
    expect(await refusalOf(other.runtime.startStream(GIVEN))).toMatchObject({ code: 'SWAP_EXISTS' });
    expect(contentOf(other.stored)).toEqual([NEXT]);
  });

  /** The log holds nothing under the name and yet takes nothing, this many times. */
  const conflicting = async (times: number) => {
    const appends = { count: 0 };
    const made = await setUp((log) => ({
      append: (batch) => {
        appends.count += 1;
        if (appends.count <= times) throw new LogConflictError({ stream: batch.stream, expected: 0, actual: 1 });
        return log.append(batch);
      },
    }));
    return { ...made, appends };
  };

  it('is tried three times, then the log counts as one that cannot be relied on', async () => {
    const twice = await conflicting(2);
    expect(await twice.runtime.startStream(GIVEN)).toEqual({ stream: STREAM, known: false });
    expect(contentOf(twice.stored)).toEqual([BEGUN, NEXT]);
    const always = await conflicting(50);
    const refusal = await refusalOf(always.runtime.startStream(GIVEN));
    expect(refusal).toMatchObject({
      code: 'LOG_UNAVAILABLE',
      retry: 'later',
      facts: { stream: STREAM, reason: 'LOG_CONFLICT' },
    });
    expect(refusal.cause).toMatchObject({ code: 'LOG_CONFLICT', shortMessage: 'Others keep writing to the stream.' });
    expect(always.appends.count).toBe(3);
    expect(contentOf(always.stored)).toEqual([]);
  });
});

it('records that no log accepts are refused as such, and nothing is written', async () => {
  const { stored, runtime } = await setUp();
  const refusal = await refusalOf(runtime.startStream({ stream: STREAM, events: [] }));
  expect(refusal.code).toBe('LOG_RECORD_INVALID');
  expect(contentOf(stored)).toEqual([]);
});

describe('a log with an error', () => {
  const throwing = (error: Error) => () => {
    throw error;
  };
  const broken = new Error('the disk is busy');

  it('leaves it open whether a stream was started', async () => {
    for (const changes of [{ read: throwing(broken) }, { append: throwing(broken) }]) {
      const { runtime } = await setUp(() => changes);
      const refusal = await refusalOf(runtime.startStream(GIVEN));
      expect(refusal).toMatchObject({
        code: 'LOG_UNAVAILABLE',
        retry: 'later',
        facts: { stream: STREAM, reason: 'Error' },
      });
      expect(runtime.sizes().runners).toBe(0);
    }
  });

  it('that is damage is reported as it is', async () => {
    const damage = new LogDamagedError('The seal is wrong.', { stream: STREAM, next: 'Look at it.' });
    for (const changes of [{ read: throwing(damage) }, { append: throwing(damage) }]) {
      const { runtime } = await setUp(() => changes);
      expect(await refusalOf(runtime.startStream(GIVEN))).toBe(damage);
    }
  });
});

describe('a swap that is started', () => {
  const swapRuntime = () => {
    const log = createMemoryLog();
    const clock = virtualClock();
    const runtime = createRuntime({
      log,
      clock,
      chains: ['DOC', 'MARTY'].map((coin) => scriptedChain(coin, () => GOOD)),
      peers: createInProcessNetwork().peer('b2'.repeat(32)),
    });
    return { log, clock, runtime };
  };

  it('is refused if its stream begins with anything but a request, even in the same words', async () => {
    const { log, clock, runtime } = swapRuntime();
    const request = requestOf('taker');
    await runtime.resumeAll();
    const records = [{ at: clock.now(), type: 'Imported', version: 1, data: request }];
    log.append({ stream: `taker-swap/${UUID}`, expected: 0, records });
    expect(await refusalOf(runtime.startSwap(request))).toMatchObject({ code: 'SWAP_EXISTS' });
    expect(log.end()).toBe(1);
  });

  it('needs amounts that both chains can send', async () => {
    const { log, runtime } = swapRuntime();
    const refused: [string, string, string][] = [
      ['maker_amount', '0.00000999', 'at least 0.00001 DOC'],
      ['taker_amount', '0.00000999', 'at least 0.00001 MARTY'],
      ['maker_amount', '1.000000001', 'at most 8 digits after the point, as DOC has'],
      ['taker_amount', '1.000000001', 'at most 8 digits after the point, as MARTY has'],
    ];
    for (const [member, amount, expected] of refused) {
      const refusal = await refusalOf(runtime.startSwap(requestOf('taker', { [member]: amount })));
      expect(refusal).toMatchObject({ code: 'SWAP_REQUEST_INVALID', facts: { member, expected } });
    }
    expect(log.end()).toBe(0);
    const least = '0.00001' as DecimalText;
    const request = requestOf('taker', { maker_amount: least, taker_amount: least });
    expect(await runtime.startSwap(request)).toMatchObject({ known: false });
  });
});
