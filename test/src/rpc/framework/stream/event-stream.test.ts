import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnvelopes } from '../../../../../src/events/jsonl.ts';
import { createMemoryLog, type MemoryLog } from '../../../../../src/log/memory/memory-log.ts';
import type { NewRecord } from '../../../../../src/ports/event-log.ts';
import type { Envelope } from '../../../../../src/primitives/envelope.ts';
import { type Millis, millisOf } from '../../../../../src/primitives/time.ts';
import { streamClients } from '../../../../../src/rpc/framework/stream/clients.ts';
import { type EventStreamOptions, openEventStream } from '../../../../../src/rpc/framework/stream/event-stream.ts';
import { messageReader } from '../../../../../src/rpc/framework/stream/message.ts';
import { buildSwap } from '../../../../../src/testing/index.ts';
import { type Frame, type FrameReader, frameOfType, frameReader } from '../../../../support/event-frames.ts';
import { settled, virtualClock } from '../../../../support/virtual-clock.ts';

const AT = 1_700_000_000_123 as Millis;
const UUID = '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91';

function append(log: MemoryLog, stream: string, ...records: readonly Partial<NewRecord>[]): void {
  const made = records.map((record) => ({ at: AT, type: 'Something', version: 1, data: {}, ...record }));
  log.append({ stream, expected: log.read(stream).length, records: made });
}

function opened(log: MemoryLog, options: Partial<EventStreamOptions> = {}) {
  const clock = virtualClock();
  const read = messageReader({ log, compatibility: 'specification' });
  const stream = openEventStream({ log, clock, read, after: null, ...options });
  return { clock, stream, reader: frameReader(stream.body) };
}

const isNews = ({ data }: Frame): boolean => data._type !== 'HEARTBEAT';

describe('J11: frames', () => {
  it('report public events, with the position of their record as id, and never the journal', async () => {
    const log = createMemoryLog();
    append(log, `watcher/${UUID}`, {});
    const { reader } = opened(log, { after: 0 });
    append(log, `maker-order/${UUID}`, { type: 'MakerOrderCreated', data: { base: 'MAK' } });
    append(
      log,
      `taker-swap/${UUID}`,
      { type: 'SwapRequested', data: { secret: null } },
      { type: 'Strange', data: [7] },
    );
    append(log, `activity-of-nobody/${UUID}`, {});
    append(log, `maker-order/${UUID}`, { type: 'OrderEnded', data: { reason: 'cancelled' } });
    const frames: Frame[] = [];
    while (frames.length < 3) frames.push(...((await reader.next()) ?? []).filter(isNews));
    expect(frames).toEqual([
      {
        id: '2',
        data: {
          _type: 'ORDER_STATUS',
          message: {
            order_type: 'Maker',
            order_data: {
              uuid: UUID,
              event: { timestamp: AT, event: { type: 'MakerOrderCreated', data: { base: 'MAK' } } },
            },
          },
        },
      },
      {
        id: '4',
        data: {
          _type: 'SWAP_STATUS',
          message: {
            swap_type: 'TakerV1',
            swap_data: { uuid: UUID, event: { timestamp: AT, event: { type: 'Strange', data: [7] } } },
          },
        },
      },
      { id: '6', data: { _type: 'ORDER_STATUS', message: expect.objectContaining({ order_type: 'Maker' }) } },
    ]);
  });

  it('report what happened to watches, and neither what a taker signed nor a secret', async () => {
    const log = createMemoryLog();
    const transaction = { tx_hex: '0400', tx_hash: 'ab'.repeat(32) };
    append(
      log,
      `watcher/${UUID}`,
      {
        type: 'WatchRequested',
        data: { watch: { uuid: UUID, taker_coin: 'TAK', maker_coin: 'MAK', taker_payment_refund_preimage: '00' } },
      },
      { type: 'TakerFeeValidated', data: null },
      { type: 'TransactionPrepared', data: { tx_hex: '00' } },
      { type: 'TakerPaymentSpendFound', data: { transaction, secret: '3e'.repeat(32) } },
    );
    const { reader } = opened(log, { after: 0 });
    const frames: Frame[] = [];
    while (frames.length < 3) frames.push(...((await reader.next()) ?? []).filter(isNews));
    const told = frames.map(({ data }) => data);
    const event = (type: string, data: object | null) => ({
      _type: 'WATCHER_STATUS',
      message: { watch: UUID, event: { timestamp: AT, event: { type, data } } },
    });
    expect(told).toEqual([
      event('WatchRequested', { uuid: UUID, taker_coin: 'TAK', maker_coin: 'MAK' }),
      event('TakerFeeValidated', null),
      event('TakerPaymentSpendFound', { transaction }),
    ]);
  });

  it('say where the client stands at once, and again with each heartbeat', async () => {
    const log = createMemoryLog();
    append(log, `maker-order/${UUID}`, {}, {});
    const { reader, clock } = opened(log);
    const at = clock.now();
    expect(await frameOfType(reader, 'HEARTBEAT')).toEqual({
      id: '2',
      data: { _type: 'HEARTBEAT', message: { timestamp: at } },
    });
    expect(reader.raw()).toContain('retry: 2000\n\n');
    append(log, `watcher/${UUID}`, {});
    await clock.advance(15_000);
    expect(await frameOfType(reader, 'HEARTBEAT')).toEqual({
      id: '3',
      data: { _type: 'HEARTBEAT', message: { timestamp: at + 15_000 } },
    });
  });

  it('show a maker’s events as its status does: without the secret, wherever it is', async () => {
    const log = createMemoryLog();
    const swap = buildSwap({ role: 'maker', path: ['Started', 'NegotiateFailed'] });
    const [started, failed] = toEnvelopes(swap).slice(1);
    const { secret } = (started as Envelope).data as { readonly secret: string };
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const { reader } = opened(log, { after: 0 });
    append(log, `maker-swap/${swap.uuid}`, { type: 'SwapRequested', data: { secret } }, started ?? {});
    append(log, `maker-swap/${swap.uuid}`, { ...failed, data: { error: `the peer said ${secret}` } });
    const first = await frameOfType(reader, 'SWAP_STATUS');
    const second = await frameOfType(reader, 'SWAP_STATUS');
    expect(first.data.message).toMatchObject({
      swap_type: 'MakerV1',
      swap_data: { event: { event: { type: 'Started', data: { secret: '0'.repeat(64) } } } },
    });
    expect(second.data.message).toMatchObject({
      swap_data: { event: { event: { type: 'NegotiateFailed', data: { error: 'the peer said [redacted]' } } } },
    });
    expect(reader.raw()).not.toContain(secret);
  });

  it('report a record that nobody can read, so that nobody waits for it', async () => {
    const log = createMemoryLog();
    const { reader } = opened(log, { after: 0 });
    append(log, `taker-swap/${UUID}`, { type: 'Negotiated', data: { maker_payment_locktime: 'soon' } });
    expect((await frameOfType(reader, 'UNREADABLE')).data.message).toMatchObject({
      stream: `taker-swap/${UUID}`,
      seq: 0,
    });
  });

  it('are those that were asked for', async () => {
    const log = createMemoryLog();
    append(log, `taker-swap/${UUID}`, { type: 'Strange' });
    append(log, `maker-order/${UUID}`, {});
    const { reader } = opened(log, { after: 0, wants: (type) => type === 'ORDER_STATUS' });
    const frame = await frameOfType(reader, 'ORDER_STATUS');
    expect([frame.id, reader.raw().includes('SWAP_STATUS')]).toEqual(['2', false]);
  });
});

/** One step of a client's life. */
type Step =
  | { readonly kind: 'append'; readonly machine: string; readonly count: number }
  | { readonly kind: 'read'; readonly chunks: number }
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('append' as const),
    machine: fc.constantFrom('maker-order', 'taker-order', 'taker-swap', 'watcher'),
    count: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ kind: fc.constant('read' as const), chunks: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('cut' as const), bytes: fc.integer({ min: 0, max: 400 }) }),
  fc.record({ kind: fc.constant('wait' as const) }),
);

describe('J12: a client that is cut anywhere and comes back with the last id that it saw', () => {
  it('gets every record for clients, once, in order, and only durable ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 60 }), async (steps) => {
        const log = createMemoryLog();
        const clock = virtualClock();
        const readNow = messageReader({ log, compatibility: 'specification' });
        const read: EventStreamOptions['read'] = async (entry) => {
          // Some records take so long to read that a heartbeat overtakes them.
          if (entry.position % 3 === 0) {
            await new Promise<void>((resolve) => clock.wakeAt(millisOf(clock.now() + 22_000), resolve));
          }
          return readNow(entry);
        };
        const expected: number[] = [];
        const seen: number[] = [];
        // So little room that the stream waits for its reader again and again.
        const limits = { waiting: 300, patience: 1e9 };
        const open = (lastId: string | null) => {
          const after = lastId === null ? null : Number(lastId);
          return frameReader(openEventStream({ log, clock, read, after, limits }).body, lastId);
        };
        let reader = open(null);
        const take = async (most?: number): Promise<void> => {
          for (const { id, data } of (await reader.next(most)) ?? []) {
            expect(Number(id)).toBeLessThanOrEqual(log.end());
            if (data._type !== 'HEARTBEAT') seen.push(Number(id));
          }
        };
        const takeOne = async (most?: number): Promise<void> => {
          // A heartbeat, so that a read never waits for ever.
          await clock.advance(15_000);
          await take(most);
        };
        // Whoever has seen no id yet has seen nothing, and begins anew.
        while (reader.lastId() === null) await take();
        for (const now of steps) {
          if (now.kind === 'append') {
            for (let left = now.count; left > 0; left--) append(log, `${now.machine}/${UUID}`, { type: 'Strange' });
            if (now.machine !== 'watcher') {
              for (let back = now.count - 1; back >= 0; back--) expected.push(log.end() - back);
            }
          } else if (now.kind === 'read') for (let left = now.chunks; left > 0; left--) await takeOne();
          else if (now.kind === 'wait') await clock.advance(40_000);
          else {
            await takeOne(now.bytes);
            await reader.cut();
            reader = open(reader.lastId());
          }
        }
        for (let left = 400; left > 0 && seen.length < expected.length; left--) await takeOne();
        expect(seen).toEqual(expected);
        await reader.cut();
        await clock.advance(30_000);
        expect(clock.armed()).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('is refused with a position that the log has not reached', () => {
    const log = createMemoryLog();
    append(log, `maker-order/${UUID}`, {});
    expect(() => opened(log, { after: 2 })).toThrow(expect.objectContaining({ code: 'LOG_CURSOR_AHEAD' }));
  });
});

describe('J13: a client that does not read', () => {
  const big = { data: { text: 'x'.repeat(1000) } };

  it('holds back the reading of the log, and is cut when it read nothing for too long', async () => {
    const log = createMemoryLog();
    let read = 0;
    let cuts = 0;
    const counting: EventStreamOptions['read'] = async ({ position }) => {
      read += 1;
      return { _type: 'ORDER_STATUS', message: { position, ...big.data } };
    };
    const cut = () => {
      cuts += 1;
    };
    let ends = 0;
    const onEnd = () => {
      ends += 1;
    };
    const { clock } = opened(log, { read: counting, cut, onEnd, after: 0, limits: { waiting: 5000 } });
    append(log, `maker-order/${UUID}`, ...Array.from({ length: 500 }, () => big));
    await clock.advance(1);
    expect(read).toBe(5);
    await clock.advance(59_000);
    expect([read, cuts]).toEqual([5, 0]);
    await clock.advance(31_000);
    expect([read, cuts, ends, clock.armed()]).toEqual([5, 1, 1, 0]);
  });

  it('is not cut while it reads, however slowly', async () => {
    const log = createMemoryLog();
    let cuts = 0;
    const cut = () => {
      cuts += 1;
    };
    const { clock, reader } = opened(log, { cut, after: 0, limits: { waiting: 3000 } });
    append(log, `maker-order/${UUID}`, ...Array.from({ length: 60 }, () => big));
    let news = 0;
    while (news < 60) {
      await clock.advance(14_000);
      news += ((await reader.next()) ?? []).filter(isNews).length;
    }
    await clock.advance(50_000);
    expect(cuts).toBe(0);
    await clock.advance(millisOf(10_000));
    expect((await reader.next())?.filter(isNews)).toEqual([]);
  });

  it('fails if nobody can cut the connection, and ends in order when the node does', async () => {
    const log = createMemoryLog();
    const slow = opened(log, { after: 0, limits: { waiting: 100 } });
    append(log, `maker-order/${UUID}`, big, big);
    await slow.clock.advance(90_000);
    await expect(slow.reader.next()).rejects.toThrow('does not read');
    const calm = opened(log, { after: 3 - 1 });
    await calm.reader.next();
    calm.stream.close();
    while ((await calm.reader.next()) !== null);
    expect(calm.clock.armed()).toBe(0);
  });
});

/** Reads all that there is, each time it is called. */
function drained(reader: FrameReader): () => Promise<void> {
  let reading: Promise<unknown> | null = null;
  return async () => {
    for (;;) {
      reading ??= reader.next().then(() => {
        reading = null;
      });
      const now = reading;
      await Promise.race([now, settled()]);
      if (reading === now) return;
    }
  };
}

describe('a stream whose client chooses', () => {
  const order = `maker-order/${UUID}`;
  const swap = `taker-swap/${UUID}`;
  const ids = (text: string): readonly string[] => [...text.matchAll(/^id: (\d+)\ndata/gm)].map(([, id = '']) => id);

  function chosen(log: MemoryLog, after: number | null = null) {
    const clients = streamClients();
    const client = clients.open(7, after !== null);
    const given = opened(log, { choice: client, after });
    const drain = drained(given.reader);
    const told = async (): Promise<readonly string[]> => {
      await given.clock.advance(15_000);
      await drain();
      return ids(given.reader.raw());
    };
    return { ...given, clients, client, told, drain };
  }

  it('carries only its position, then what is enabled from that moment on, until it is disabled', async () => {
    const log = createMemoryLog();
    const { clients, told, reader } = chosen(log);
    append(log, order, {});
    expect(await told()).toEqual([]);
    expect([reader.raw().includes('data'), reader.lastId()]).toEqual([false, '1']);
    clients.enable(7, 'ORDER_STATUS');
    append(log, order, {});
    append(log, swap, { type: 'Strange' });
    expect(await told()).toEqual(['2']);
    clients.disable(7, 'ORDER_STATUS');
    append(log, order, {});
    expect(await told()).toEqual(['2']);
    clients.enable(7, 'SWAP_STATUS');
    append(log, order, {});
    append(log, swap, { type: 'Strange' });
    expect(await told()).toEqual(['2', '6']);
  });

  it('J14: that comes back with nothing chosen misses nothing of what is chosen step by step', async () => {
    const log = createMemoryLog();
    append(log, order, {});
    for (let left = 3; left > 0; left--) append(log, order, {});
    append(log, swap, { type: 'Strange' });
    const { clients, client, told, reader, clock } = chosen(log, 1);
    expect(await told()).toEqual([]);
    expect(reader.lastId()).toBe('1');
    // That the node runs is nothing of the log.
    clients.enable(7, 'HEARTBEAT', { interval: 3600 });
    await clock.advance(10_000);
    clients.enable(7, 'SWAP_STATUS');
    await clock.advance(1999);
    clients.enable(7, 'ORDER_STATUS');
    await clock.advance(1999);
    append(log, order, {});
    expect((await told()).filter((id) => id !== '1')).toEqual(['2', '3', '4', '5', '6']);
    expect(client.isEmpty()).toBe(false);
  });

  it('carries heartbeats as often as its client wants them, and none that would wait for it', async () => {
    const log = createMemoryLog();
    const { clients, clock, reader, stream, drain } = chosen(log);
    const beats = (): number => reader.raw().split('HEARTBEAT').length - 1;
    clients.enable(7, 'HEARTBEAT', { interval: 2.5 });
    await clock.advance(10_000);
    await drain();
    expect(beats()).toBe(5);
    clients.disable(7, 'HEARTBEAT');
    await clock.advance(15_000);
    await drain();
    expect([beats(), clock.armed()]).toEqual([5, 1]);
    clients.enable(7, 'HEARTBEAT', { interval: 1 });
    stream.close();
    expect(clock.armed()).toBe(0);
    const choice = clients.open(8, false);
    clients.enable(8, 'HEARTBEAT', { interval: 1 });
    const unread = opened(log, { choice, limits: { waiting: 200, patience: 1e9 } });
    await unread.clock.advance(3_600_000);
    await drained(unread.reader)();
    expect(unread.reader.raw()).toContain('HEARTBEAT');
    expect(unread.reader.raw().length).toBeLessThan(1000);
  });
});
