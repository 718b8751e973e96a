import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/ports/clock.ts';
import type { LogFields } from '../../../src/ports/logger.ts';
import { begin, end, type Loop } from '../../../src/runtime/loop/loop.ts';
import { type DrainOptions, drainLoop } from '../../../src/runtime/operate/drain.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** What a drain touches, with the order in which it ends things. */
function setUp(underWay = 0) {
  const clock = virtualClock();
  const order: string[] = [];
  const lines: [string, LogFields][] = [];
  const loop = {
    clock: clock as Clock,
    draining: false,
    held: false,
    underWay,
    onIdle: null,
    logger: { error: (message: string, fields: LogFields) => void lines.push([message, fields]) },
    scheduler: { stop: () => void order.push('scheduler') },
    log: {
      close: async () => {
        await Promise.resolve();
        order.push('log');
      },
    },
  } as unknown as Loop;
  const drain = (options: DrainOptions = {}, close = () => void order.push('subscriptions')) => {
    const drained = drainLoop(loop, options, close).then((result) => {
      order.push('drained');
      return result;
    });
    return drained;
  };
  return { clock, loop, order, lines, drain };
}
const ENDED = ['subscriptions', 'scheduler', 'log', 'drained'];

describe('a runtime that shuts down', () => {
  it('accepts nothing new from the first moment, and ends everything in order when nothing is under way', async () => {
    const { clock, loop, order, drain, lines } = setUp();
    const drained = drain();
    expect(loop).toMatchObject({ draining: true, held: true });
    expect(await drained).toEqual({ clean: true, abandoned: 0 });
    expect(order).toEqual(ENDED);
    expect(lines).toEqual([]);
    expect(clock.armed()).toBe(0);
  });

  it('waits for the last open call, and sets no timer that outlives it', async () => {
    const { clock, loop, order, drain } = setUp(2);
    const drained = drain();
    await clock.advance(10_000);
    end(loop);
    await clock.advance(10_000);
    expect(order).toEqual([]);
    expect(clock.armed()).toBe(1);
    end(loop);
    expect(clock.armed()).toBe(0);
    expect(await drained).toEqual({ clean: true, abandoned: 0 });
    expect(order).toEqual(ENDED);
  });

  it('waits 30 s and no longer, then reports how many calls it left', async () => {
    const { clock, loop, order, drain } = setUp(2);
    const drained = drain();
    await clock.advance(29_999);
    expect(order).toEqual([]);
    await clock.advance(1);
    expect(await drained).toEqual({ clean: false, abandoned: 2 });
    expect(loop.onIdle).toBeNull();
    end(loop);
    end(loop);
    expect(order).toEqual(ENDED);
  });

  it('waits as long as requested', async () => {
    const { clock, order, drain } = setUp(1);
    const drained = drain({ timeout: 5 });
    await clock.advance(4999);
    expect(order).toEqual([]);
    await clock.advance(1);
    expect(await drained).toMatchObject({ abandoned: 1 });
  });

  it('closes the log although a subscription cannot be ended, and says so', async () => {
    const { order, drain, lines } = setUp();
    const drained = drain({}, () => {
      throw Object.assign(new Error('wss://user:password@node'), { code: 'ECONNRESET' });
    });
    expect(await drained).toEqual({ clean: true, abandoned: 0 });
    expect(order).toEqual(['scheduler', 'log', 'drained']);
    expect(lines).toEqual([['a subscription did not end', { reason: 'Error ECONNRESET' }]]);
  });
});

describe('calls that are under way', () => {
  it('are counted, and only the end of the last is reported', () => {
    const { loop } = setUp();
    let idle = 0;
    loop.onIdle = () => {
      idle += 1;
    };
    begin(loop);
    begin(loop);
    end(loop);
    expect([loop.underWay, idle]).toEqual([1, 0]);
    end(loop);
    expect([loop.underWay, idle]).toEqual([0, 1]);
    loop.onIdle = null;
    begin(loop);
    end(loop);
    expect(loop.underWay).toBe(0);
  });
});
