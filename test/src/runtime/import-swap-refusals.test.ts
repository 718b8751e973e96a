import { describe, expect, it } from 'vitest';
import { encodeSavedSwap } from '../../../src/events/encode.ts';
import { toEnvelopes } from '../../../src/events/jsonl.ts';
import { createMemoryLog, LogConflictError } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog, NewRecord } from '../../../src/ports/event-log.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { createRuntime } from '../../../src/runtime/index.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const LOG = buildSwap({ role: 'taker', path: successPath('taker'), seed: 1 });
const STREAM = `taker-swap/${LOG.uuid}`;

/** A node without coins over a log that is changed as the test says. */
function setUp(changes: (memory: EventLog) => Partial<EventLog> = () => ({})) {
  const memory = createMemoryLog();
  const runtime = createRuntime({
    log: { ...memory, ...changes(memory) },
    clock: virtualClock(),
    chains: [],
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
  });
  const store = (records: readonly NewRecord[]) => memory.append({ stream: STREAM, expected: 0, records });
  return { memory, runtime, store };
}
const refusalOf = (action: Promise<unknown>) =>
  action.then(
    () => expect.unreachable('it was not refused'),
    (error: SwapfoldError) => error,
  );

describe('an import that is refused', () => {
  it('names the event that this version does not know, in at most 100 characters', async () => {
    const { memory, runtime } = setUp();
    const type = 'X'.repeat(101);
    const odd = { ...LOG, events: [...LOG.events, { type, at: 1 as Millis, data: null, known: false }] };
    const refusal = await refusalOf(runtime.importSwap(odd));
    expect(refusal).toMatchObject({ code: 'SWAP_UNREADABLE', facts: { stream: STREAM, reason: 'UNKNOWN_EVENT' } });
    expect(refusal.cause).toMatchObject({
      code: 'UNKNOWN_EVENT',
      shortMessage: 'The log holds an event that this version does not know.',
      facts: { event: 'X'.repeat(100) },
    });
    expect(memory.end()).toBe(0);
  });

  it('is one into a node that shuts down', async () => {
    const { memory, runtime } = setUp();
    await runtime.resumeAll();
    const refused = refusalOf(runtime.importSwap(LOG));
    const drained = runtime.drain();
    expect(await refused).toMatchObject({ code: 'RUNTIME_DRAINING' });
    await drained;
    expect(memory.end()).toBe(0);
  });

  it('was tried three times while others keep writing', async () => {
    let appends = 0;
    const conflicting = (times: number) => (memory: EventLog) => ({
      append: (batch: Parameters<EventLog['append']>[0]) => {
        appends += 1;
        if (appends <= times) throw new LogConflictError({ stream: batch.stream, expected: 0, actual: 1 });
        return memory.append(batch);
      },
    });
    expect(await setUp(conflicting(2)).runtime.importSwap(LOG)).toEqual({ stream: STREAM, known: false });
    appends = 0;
    const refusal = await refusalOf(setUp(conflicting(9)).runtime.importSwap(LOG));
    expect(refusal).toMatchObject({ code: 'LOG_UNAVAILABLE', facts: { stream: STREAM, reason: 'LOG_CONFLICT' } });
    expect(appends).toBe(3);
  });
});

describe('an import over stored events', () => {
  const records = toEnvelopes(LOG);
  const acted: NewRecord = {
    at: records.at(-1)?.at as Millis,
    type: 'OperatorActed',
    version: 1,
    data: { action: 'pause', reason: null },
  };

  it('is recognized, whatever the journal and the head of the log say, and is driven', async () => {
    const { memory, runtime, store } = setUp();
    await runtime.resumeAll();
    store([...records.filter(({ type }) => type !== 'Imported'), acted]);
    expect(runtime.sizes().runners).toBe(0);
    expect(await runtime.importSwap(LOG)).toEqual({ stream: STREAM, known: true });
    expect(runtime.sizes().runners).toBe(1);
    expect(memory.end()).toBeGreaterThan(records.length - 1);
  });

  it('is another swap if any event has another kind, moment or content', async () => {
    const [first, second, ...rest] = records.filter(({ type }) => type !== 'Imported') as NewRecord[];
    const changed: readonly (readonly NewRecord[])[] = [
      [{ ...(first as NewRecord), at: ((first as NewRecord).at - 1) as Millis }, second as NewRecord, ...rest],
      [first as NewRecord, { ...(second as NewRecord), data: { other: 1 } }, ...rest],
      [{ ...(first as NewRecord), type: 'StartFailed' }, second as NewRecord, ...rest],
    ];
    for (const stored of changed) {
      const { runtime, store, memory } = setUp();
      await runtime.resumeAll();
      store(stored);
      expect(await refusalOf(runtime.importSwap(LOG))).toMatchObject({
        code: 'SWAP_EXISTS',
        facts: { stream: STREAM },
      });
      expect(memory.end()).toBe(stored.length);
    }
  });
});

it('a fault of one swap of a text is reported for that one, and the others are imported', async () => {
  const other = buildSwap({ role: 'taker', path: successPath('taker'), seed: 2 });
  const known = new SwapfoldError('not here', { code: 'LOG_RECORD_INVALID' });
  for (const [error, code] of [
    [known, 'LOG_RECORD_INVALID'],
    [new TypeError('a fault'), 'LOG_UNAVAILABLE'],
  ] as const) {
    const { runtime } = setUp((memory) => ({
      append: (batch) => {
        if (batch.stream === STREAM) throw error;
        return memory.append(batch);
      },
    }));
    const report = await runtime.importText(JSON.stringify([encodeSavedSwap(LOG), encodeSavedSwap(other)]));
    expect(report).toMatchObject({ imported: [other.uuid], known: [], skipped: [{ uuid: LOG.uuid, error: { code } }] });
  }
});
