import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { OrderStreams } from '../../../../src/node/orders/streams.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { millisOf } from '../../../../src/primitives/time.ts';

const UUID = '55555555-5555-4555-8555-555555555555';
const recordOf = (data: number) => ({ type: 'OrderTaken', version: 1, at: millisOf(1_800_000_000_000 + data), data });

/** A log whose next append fails, with the records in it or without them. */
function failing() {
  const log = createMemoryLog();
  const next = { fails: null as 'before' | 'after' | null };
  const wrapped: EventLog = {
    ...log,
    async append(batch) {
      const { fails } = next;
      next.fails = null;
      if (fails === 'before') throw new Error('nobody answered');
      const written = await log.append(batch);
      if (fails === 'after') throw new Error('nobody answered');
      return written;
    },
  };
  const data = async () => (await wrapped.read(`maker-order/${UUID}`)).map((record) => record.data);
  return { streams: new OrderStreams(wrapped), next, data };
}

describe('an order of which an append failed', () => {
  it.each([
    ['before', 'the same', 2, [1, 2, 4]],
    ['before', 'another', 3, [1, 3, 4]],
    ['after', 'the same', 2, [1, 2, 4]],
    ['after', 'another', 3, [1, 2, 3, 4]],
  ] as const)('holds each record once: it failed %s writing, and %s is appended then', async (fails, _, then, held) => {
    const { streams, next, data } = failing();
    const append = (number: number) => streams.append('maker', UUID, { record: recordOf(number) });
    await append(1);
    next.fails = fails;
    await expect(append(2)).rejects.toThrow('nobody answered');
    await append(then);
    await append(4);
    expect(await data()).toEqual(held);
  });
});
