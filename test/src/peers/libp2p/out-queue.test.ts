import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireStream } from '../../../../src/peers/libp2p/link.ts';
import { OutQueue } from '../../../../src/peers/libp2p/out-queue.ts';

const KIB = 1024;

/** A stream whose other side takes what it has been sent when a test says so. */
function slowStream() {
  const sent: Uint8Array[] = [];
  let waiting = 0;
  let idle = (): void => {};
  const stream: WireStream = {
    protocol: '/meshsub/1.1.0',
    send(bytes) {
      sent.push(bytes);
      waiting += bytes.length;
      return true;
    },
    waiting: () => waiting,
    onIdle: (tell) => {
      idle = tell;
    },
    ...{ read() {}, pause() {}, resume() {}, close() {}, abort() {} },
  };
  const take = (): void => {
    waiting = 0;
    idle();
  };
  return { stream, sent, take };
}

/** Bytes that begin with who said them and which of its words it is. */
function word(source: number, { count, length }: { readonly count: number; readonly length: number }): Uint8Array {
  const bytes = new Uint8Array(Math.max(2, length));
  bytes.set([source, count]);
  return bytes;
}

describe('what a node hears', () => {
  it('goes out at once, in order, while it reads', () => {
    const { stream, sent } = slowStream();
    const queue = new OutQueue({ stream, most: 100 * KIB, ahead: 10 * KIB });
    for (let count = 0; count < 10; count++) queue.push('a', word(1, { count, length: KIB }));
    expect(sent.map(([, count]) => count)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([queue.held(), queue.taken()]).toEqual([10 * KIB, 0]);
  });

  it('O6, O7: an honest message is delivered amid an endless flood', () => {
    const { stream, sent, take } = slowStream();
    const queue = new OutQueue({ stream, most: 2048 * KIB, ahead: 64 * KIB });
    let count = 0;
    const flood = (): void => {
      for (let words = 0; words < 400; words++)
        queue.push('flooder', word(9, { count: count++ & 255, length: 8 * KIB }));
    };
    flood();
    expect(queue.held()).toBeLessThanOrEqual(2048 * KIB);
    queue.push('honest', word(1, { count: 0, length: 2 * KIB }));
    flood();
    expect(queue.held()).toBeLessThanOrEqual(2048 * KIB);
    take();
    expect(sent.slice(0, 40).some(([source]) => source === 1)).toBe(true);
  });

  it('O6: a source that often says a little is delivered before one that says much', () => {
    const { stream, sent, take } = slowStream();
    const queue = new OutQueue({ stream, most: 4096 * KIB, ahead: 0 });
    for (let count = 0; count < 50; count++) queue.push('much', word(9, { count, length: 60 * KIB }));
    for (let count = 0; count < 30; count++) queue.push('little', word(1, { count, length: KIB }));
    for (let taken = 0; taken < 35; taken++) take();
    const told = sent.map(([source]) => source);
    expect(told.filter((source) => source === 1)).toHaveLength(30);
    expect(told.filter((source) => source === 9).length).toBeLessThanOrEqual(6);
  });

  it('O12: a message on another topic of the same source is delivered amid a flood on one', () => {
    const { stream, sent, take } = slowStream();
    const queue = new OutQueue({ stream, most: 256 * KIB, ahead: 0 });
    const flood = (): void => {
      for (let count = 0; count < 400; count++)
        queue.push('relay', word(9, { count, length: KIB }), { topic: 'flooded' });
    };
    flood();
    for (let count = 0; count < 3; count++) queue.push('relay', word(1, { count, length: KIB }), { topic: 'other' });
    flood();
    expect(queue.held()).toBeLessThanOrEqual(256 * KIB);
    for (let taken = 0; taken < 7; taken++) take();
    expect(sent.filter(([source]) => source === 1).map(([, count]) => count)).toEqual([0, 1, 2]);
  });

  it('O12: keeps the order of each topic, and few of them, however many a source makes up', () => {
    const { stream, sent, take } = slowStream();
    const queue = new OutQueue({ stream, most: 4096 * KIB, ahead: 0 });
    for (let round = 0; round < 3; round++) {
      for (let topic = 0; topic < 200; topic++)
        queue.push('source', word(topic, { count: round, length: 64 }), { topic: `topic ${topic}` });
    }
    for (let taken = 0; taken < 600; taken++) take();
    expect(sent).toHaveLength(600);
    for (let topic = 0; topic < 200; topic++) {
      expect(sent.filter(([of]) => of === topic).map(([, count]) => count)).toEqual([0, 1, 2]);
    }
  });

  it('O6, O7: keeps the order of each source, stays in its bound, and loses nothing of a source with little', () => {
    const step = fc.oneof(
      fc.record({ source: fc.integer({ min: 0, max: 4 }), length: fc.integer({ min: 2, max: 20 * KIB }) }),
      fc.constant('take' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { stream, sent, take } = slowStream();
        const [most, ahead] = [64 * KIB, 8 * KIB];
        const queue = new OutQueue({ stream, most, ahead });
        const said = [0, 0, 0, 0, 0];
        const pushed = [0, 0, 0, 0, 0];
        for (const one of steps) {
          if (one === 'take') take();
          else {
            said[one.source] = (said[one.source] ?? 0) + 1;
            pushed[one.source] = (pushed[one.source] ?? 0) + one.length;
            queue.push(`${one.source}`, word(one.source, { count: said[one.source] ?? 0, length: one.length }));
          }
          expect(queue.held()).toBeLessThanOrEqual(most + 20 * KIB);
        }
        for (let times = 0; times < 200; times++) take();
        expect(queue.held()).toBe(0);
        for (const source of [0, 1, 2, 3, 4]) {
          const told = sent.filter(([from]) => from === source).map(([, count]) => count ?? 0);
          expect(told).toEqual(told.toSorted((left, right) => left - right));
          // A fifth of the room is nobody else's, less what the stream has ahead.
          if ((pushed[source] ?? 0) < (most - ahead - 20 * KIB) / 5) expect(told).toHaveLength(said[source] ?? 0);
        }
      }),
      { numRuns: 200 },
    );
  });
});
