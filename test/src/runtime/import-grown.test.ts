import { describe, expect, it } from 'vitest';
import { isJournalType } from '../../../src/events/journal.ts';
import { toEnvelopes } from '../../../src/events/jsonl.ts';
import type { SwapLog } from '../../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../../src/events/wrappers.ts';
import { createMemoryLog, LogConflictError } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog, NewRecord } from '../../../src/ports/event-log.ts';
import type { SwapfoldError } from '../../../src/primitives/error.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { createRuntime } from '../../../src/runtime/index.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const TAKER = buildSwap({ role: 'taker', path: successPath('taker'), seed: 1 });
const MAKER = buildSwap({ role: 'maker', path: successPath('maker'), seed: 2 });

/** A node without coins, over a log that is changed as the test says. */
function setUp(changes: (memory: EventLog) => Partial<EventLog> = () => ({})) {
  const memory = createMemoryLog();
  const runtime = createRuntime({
    log: { ...memory, ...changes(memory) },
    clock: virtualClock(),
    chains: [],
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
  });
  return { memory, runtime };
}

const upTo = (log: SwapLog, count: number): SwapLog => ({ ...log, events: log.events.slice(0, count) });
const streamOf = ({ role, uuid }: SwapLog): string => `${role}-swap/${uuid}`;
const refusalOf = (action: Promise<unknown>) =>
  action.then(
    () => expect.unreachable('it was not refused'),
    (error: SwapfoldError) => error,
  );
function logOf(text: string): SwapLog {
  const [swap] = decodeSwapsText(text);
  if (swap?.ok !== true) throw new Error('the text holds no swap');
  return swap.log;
}
const plain = (records: readonly NewRecord[]) => records.map(({ at, type, data }) => ({ at, type, data }));

describe.each([
  ['taker', TAKER],
  ['maker', MAKER],
])('a swap of a %s that has grown since its first import', (_, log) => {
  it.each(Array.from({ length: log.events.length - 1 }, (_, index) => index + 1))(
    'brings what follows its first %i events, and nothing twice',
    async (count) => {
      const { memory, runtime } = setUp();
      const stream = streamOf(log);
      expect(await runtime.importSwap(upTo(log, count))).toEqual({ stream, known: false });
      const appended = log.events.length - count;
      expect(await runtime.importSwap(log)).toEqual({ stream, known: true, appended });
      expect(await runtime.importSwap(log)).toEqual({ stream, known: true });
      expect(await runtime.importSwap(upTo(log, count))).toEqual({ stream, known: true });
      expect(plain(await memory.read(stream))).toEqual(plain(toEnvelopes(log)));
      expect(await runtime.status(log.uuid)).toMatchObject({ state: 'finished', outcome: 'completed' });
      expect((await memory.find({ finished: true })).map((found) => found.stream)).toEqual([stream]);
    },
  );
});

describe('an import that differs', () => {
  const changed = (event: number, change: (data: Record<string, unknown>) => object): SwapLog => ({
    ...MAKER,
    events: MAKER.events.map((one, seq) =>
      seq === event
        ? { ...one, data: { ...(one.data as object), ...change(one.data as Record<string, unknown>) } }
        : one,
    ),
  });
  const started = MAKER.events[0]?.data as { readonly secret: string; readonly lock_duration: number };

  it('is refused with every event that differs: the stored and the given one, and no secret', async () => {
    const { memory, runtime } = setUp();
    await runtime.importSwap(upTo(MAKER, 3));
    const before = await memory.read(streamOf(MAKER));
    const secret = 'ab'.repeat(32);
    const other = changed(0, () => ({ secret, lock_duration: 1234 }));
    const events = other.events.map((event, seq) => (seq === 2 ? { ...event, at: (event.at + 5) as Millis } : event));
    const refusal = await refusalOf(runtime.importSwap({ ...other, events }));
    expect(refusal).toMatchObject({ code: 'SWAP_EXISTS', facts: { stream: streamOf(MAKER) } });
    const at = MAKER.events[2]?.at as Millis;
    expect(refusal.facts['event 0']).toContain(`lock_duration stored ${started.lock_duration}, given 1234`);
    expect(refusal.facts['event 0']).toContain('secret stored a value (hidden), given a value (hidden)');
    const zeroed = changed(0, () => ({ secret: '0'.repeat(64) }));
    const { facts } = await refusalOf(runtime.importSwap(zeroed));
    expect(facts['event 0']).toContain('secret stored a value (hidden), given none');
    expect(refusal.facts['event 2']).toBe(`${MAKER.events[2]?.type}: timestamp stored ${at}, given ${at + 5}`);
    expect(Object.keys(refusal.facts)).toEqual(['stream', 'event 0', 'event 2']);
    expect(`${refusal.message}${JSON.stringify(refusal.facts)}`).not.toMatch(new RegExp(`${secret}|${started.secret}`));
    expect(await memory.read(streamOf(MAKER))).toEqual(before);
  });

  it('names the types that differ, and how many more events do', async () => {
    const { runtime } = setUp();
    await runtime.importSwap(TAKER);
    const events = TAKER.events.map((event) => ({ ...event, at: (event.at + 1) as Millis }));
    const [first, ...rest] = events;
    const other = {
      ...TAKER,
      events: [{ ...(first as (typeof events)[0]), type: 'StartFailed', data: { error: 'x' } }, ...rest],
    };
    const { facts } = await refusalOf(runtime.importSwap(other));
    expect(facts['event 0']).toBe('stored Started, given StartFailed');
    expect(facts['more']).toBe(`${TAKER.events.length - 5} more events differ`);
  });

  it('does not fold with the stored events, and changes nothing', async () => {
    const { memory, runtime } = setUp();
    await runtime.importSwap(TAKER);
    const before = await memory.read(streamOf(TAKER));
    const again = TAKER.events.at(1) as SwapLog['events'][number];
    const refusal = await refusalOf(runtime.importSwap({ ...TAKER, events: [...TAKER.events, again] }));
    expect(refusal.code).toBe('SWAP_UNREADABLE');
    expect(await memory.read(streamOf(TAKER))).toEqual(before);
  });
});

describe('an import over what this node itself has signed', () => {
  const PAID = TAKER.events.findIndex(({ type }) => type === 'TakerPaymentSent');
  const sent = TAKER.events[PAID]?.data as { readonly tx_hex: string; readonly tx_hash: string };
  const prepared = (tx_hash: string): NewRecord => ({
    at: TAKER.events[PAID]?.at as Millis,
    type: 'TransactionPrepared',
    version: 1,
    data: {
      purpose: 'payment',
      tx: { tx_hex: sent.tx_hex, tx_hash, spends: ['a:0'], fee: '0.001' },
      target: null,
      urgency: 0,
    },
  });
  const over = async (tx_hash: string) => {
    const { memory, runtime } = setUp();
    const records = [...toEnvelopes(upTo(TAKER, PAID)), prepared(tx_hash)];
    await memory.append({ stream: streamOf(TAKER), expected: 0, records });
    return { memory, runtime, length: records.length };
  };

  it('accepts events with the same transaction', async () => {
    const { memory, runtime, length } = await over(sent.tx_hash);
    const appended = TAKER.events.length - PAID;
    expect(await runtime.importSwap(TAKER)).toMatchObject({ known: true, appended });
    const held = await memory.read(streamOf(TAKER));
    expect(held).toHaveLength(length + appended);
    expect(held.filter(({ type }) => isJournalType(type))).toHaveLength(1);
  });

  it('refuses events with another one', async () => {
    const { memory, runtime, length } = await over('cd'.repeat(32));
    const refusal = await refusalOf(runtime.importSwap(TAKER));
    expect(refusal).toMatchObject({ code: 'SWAP_EXISTS', retry: 'operator', facts: { signed: 'payment' } });
    expect(await memory.read(streamOf(TAKER))).toHaveLength(length);
  });
});

describe('what has grown', () => {
  it('is read again if others write at the same time, and given up after three tries', async () => {
    let appends = 0;
    const conflicting = (times: number) => (memory: EventLog) => ({
      append: (batch: Parameters<EventLog['append']>[0]) => {
        if (batch.expected > 0) {
          appends += 1;
          if (appends <= times) throw new LogConflictError({ stream: batch.stream, expected: 1, actual: 2 });
        }
        return memory.append(batch);
      },
    });
    const grow = async (times: number) => {
      const { runtime } = setUp(conflicting(times));
      await runtime.importSwap(upTo(TAKER, 4));
      appends = 0;
      return runtime.importSwap(TAKER);
    };
    expect(await grow(2)).toMatchObject({ known: true, appended: TAKER.events.length - 4 });
    expect(await refusalOf(grow(9))).toMatchObject({ code: 'LOG_UNAVAILABLE' });
    expect(appends).toBe(3);
  });

  it('is listed by itself for a text with many swaps', async () => {
    const { runtime } = setUp();
    await runtime.importSwap(upTo(TAKER, 4));
    await runtime.importSwap(MAKER);
    const { encodeSavedSwap } = await import('../../../src/events/encode.ts');
    const text = JSON.stringify([encodeSavedSwap(TAKER), encodeSavedSwap(MAKER)]);
    expect(await runtime.importText(text)).toEqual({
      imported: [],
      known: [MAKER.uuid],
      grown: [TAKER.uuid],
      skipped: [],
    });
  });
});

describeShared('the form in which the real node saves a swap again', () => {
  const rows = manifest().filter(({ resaved }) => resaved !== null);

  it.each(rows.map(({ file, resaved }) => [file, resaved as string]))('is the same swap: %s', async (file, resaved) => {
    const [source, again] = [logOf(readShared(`swaps/${file}`)), logOf(readShared(`swaps/${resaved}`))];
    const { runtime } = setUp();
    await runtime.importSwap(source);
    expect(await runtime.importSwap(again)).toEqual({ stream: streamOf(source), known: true });
    if (source.events.length < 2) return;
    // And it has grown: from either form to the other.
    for (const [first, second] of [[source, again] as const, [again, source] as const]) {
      const count = Math.ceil(first.events.length / 2);
      const fresh = setUp().runtime;
      await fresh.importSwap(upTo(first, count));
      expect(await fresh.importSwap(second)).toMatchObject({ known: true, appended: second.events.length - count });
    }
  });
});
