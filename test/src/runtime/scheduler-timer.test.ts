import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/ports/clock.ts';
import { createScheduler, type Scheduler } from '../../../src/runtime/loop/scheduler.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const START = 1_700_000_000_000;

/** A scheduler whose timers are counted as they are set and taken back. */
function setUp({ batch, turn = () => {} }: { batch?: number; turn?: (id: number, own: Scheduler) => void } = {}) {
  const inner = virtualClock(START);
  const timers: number[] = [];
  const cancelled: number[] = [];
  const clock: Clock = {
    now: inner.now,
    wakeAt(at, wake) {
      timers.push(at - START);
      const cancel = inner.wakeAt(at, wake);
      return () => {
        cancelled.push(at - START);
        cancel();
      };
    },
  };
  const turns: number[] = [];
  const scheduler: Scheduler = createScheduler({
    clock,
    run: (id) => {
      turns.push(id);
      turn(id, scheduler);
    },
    ...(batch === undefined ? {} : { batch }),
  });
  return { clock: inner, scheduler, timers, cancelled, turns };
}

describe('S1: the timer', () => {
  it('is set for the earliest moment, and moved only to an earlier one', () => {
    const { scheduler, timers, cancelled } = setUp();
    scheduler.at(1, START + 500);
    scheduler.at(2, START + 900);
    scheduler.at(3, START + 500);
    expect([timers, cancelled]).toEqual([[500], []]);
    scheduler.at(4, START + 499);
    expect([timers, cancelled]).toEqual([[500, 499], [500]]);
  });

  it('fires now while a stream is ready, and is set once', () => {
    const { scheduler, timers } = setUp();
    scheduler.at(1, START + 500);
    scheduler.soon(2);
    scheduler.soon(3);
    scheduler.soon(2);
    expect(timers).toEqual([500, 0]);
    expect(scheduler.sizes()).toEqual({ ready: 2, waiting: 1 });
  });

  it('is for a minute ahead at the most', () => {
    const { scheduler, timers } = setUp();
    scheduler.at(1, START + 60_000);
    expect(timers).toEqual([60_000]);
    const far = setUp();
    far.scheduler.at(1, START + 60_001);
    expect(far.timers).toEqual([60_000]);
  });

  it('is set for what is left after it has fired, and not at all if nothing is', async () => {
    const { scheduler, timers, clock, turns } = setUp();
    scheduler.at(1, START + 100);
    scheduler.at(2, START + 300);
    await clock.advance(100);
    expect([turns, timers]).toEqual([[1], [100, 300]]);
    await clock.advance(200);
    expect([turns, timers]).toEqual([
      [1, 2],
      [100, 300],
    ]);
    expect(clock.armed()).toBe(0);
    scheduler.never(9);
    scheduler.soon(3);
    await clock.advance(0);
    expect(turns).toEqual([1, 2, 3]);
  });

  it('is not set while turns are given, but after them', async () => {
    const { scheduler, timers, clock } = setUp({
      turn: (id, own) => {
        if (id === 1) own.at(1, START + 50);
        if (id === 2) own.at(2, START + 40);
      },
    });
    scheduler.soon(1);
    scheduler.soon(2);
    await clock.advance(0);
    expect(timers).toEqual([0, 40]);
  });
});

describe('turns in one batch', () => {
  it('are at most 256, and the rest follows after other work', async () => {
    const { scheduler, timers, clock, turns } = setUp();
    for (let id = 0; id < 257; id++) scheduler.soon(id);
    await clock.advance(0);
    expect(turns).toHaveLength(257);
    expect(timers).toEqual([0, 0]);
    const one = setUp();
    for (let id = 0; id < 256; id++) one.scheduler.soon(id);
    await one.clock.advance(0);
    expect(one.timers).toEqual([0]);
  });

  it('do not include those that were asked for meanwhile', async () => {
    const { scheduler, timers, clock, turns } = setUp({
      turn: (id, own) => {
        if (id < 3) own.soon(id + 10);
      },
    });
    for (const id of [1, 2]) scheduler.soon(id);
    await clock.advance(0);
    expect(turns).toEqual([1, 2, 11, 12]);
    expect(timers).toEqual([0, 0]);
  });

  it('come soon instead of at the moment that was set', async () => {
    const { scheduler, clock, turns } = setUp();
    scheduler.at(1, START + 500);
    scheduler.soon(1);
    expect(scheduler.sizes()).toEqual({ ready: 1, waiting: 0 });
    await clock.advance(1000);
    expect(turns).toEqual([1]);
  });

  it('end with the turn in which the scheduler stops', async () => {
    const { scheduler, clock, turns, timers } = setUp({ turn: (id, own) => id === 2 && own.stop() });
    for (const id of [1, 2, 3]) scheduler.soon(id);
    await clock.advance(0);
    expect(turns).toEqual([1, 2]);
    expect(timers).toEqual([0]);
    expect(clock.armed()).toBe(0);
  });
});

it('a stop cancels the timer once', () => {
  const { scheduler, clock, cancelled } = setUp();
  scheduler.at(1, START + 500);
  scheduler.stop();
  scheduler.stop();
  expect(cancelled).toEqual([500]);
  expect(clock.armed()).toBe(0);
  scheduler.at(2, START + 100);
  expect(clock.armed()).toBe(0);
});
