import { expect, it } from 'vitest';
import { type Millis, millisOf } from '../../../../src/primitives/time.ts';
import { createScheduler, type Scheduler } from '../../../../src/runtime/loop/scheduler.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const START = 1_700_000_000_000;

function setUp(batch?: number, turn: (id: number, scheduler: Scheduler) => void = () => {}) {
  const clock = virtualClock(START);
  const turns: (readonly [id: number, after: number])[] = [];
  const scheduler: Scheduler = createScheduler({
    clock,
    run: (id, now) => {
      turns.push([id, now - START]);
      turn(id, scheduler);
    },
    ...(batch === undefined ? {} : { batch }),
  });
  return { clock, turns, scheduler };
}

it('S1: has one timer, however many wait', async () => {
  const { clock, scheduler, turns } = setUp();
  for (let id = 0; id < 1000; id++) scheduler.at(id, START + 10_000 - id * 10);
  expect(clock.armed()).toBe(1);
  await clock.advance(10_000);
  expect(turns).toHaveLength(1000);
  expect(turns.map(([id]) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => 999 - index));
  expect(clock.mostArmed()).toBe(1);
  expect(clock.armed()).toBe(0);
});

it('S2: no stream has a second turn before all others had theirs', async () => {
  const { clock, scheduler, turns } = setUp(2, (id, own) => {
    if (turns.length < 12) own.soon(id);
  });
  for (const id of [1, 2, 3, 4]) scheduler.soon(id);
  await clock.advance(0);
  expect(turns.slice(0, 12).map(([id]) => id)).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
});

it('S3: gives no turn inside of the call that asks for it', async () => {
  const { clock, scheduler, turns } = setUp();
  scheduler.soon(1);
  scheduler.at(2, START - 5);
  expect(turns).toEqual([]);
  await clock.advance(0);
  expect(turns.map(([id]) => id).toSorted()).toEqual([1, 2]);
});

it('a moment between two milliseconds comes with the later one', async () => {
  const { clock, scheduler, turns } = setUp();
  scheduler.at(1, START + 100 + 1 / 3);
  await clock.advance(100);
  expect(turns).toEqual([]);
  await clock.advance(1);
  expect(turns).toEqual([[1, 101]]);
});

it('a moment that is moved or taken back does not come', async () => {
  const { clock, scheduler, turns } = setUp();
  scheduler.at(1, START + 100);
  scheduler.at(1, START + 5000);
  scheduler.at(2, START + 200);
  scheduler.never(2);
  await clock.advance(1000);
  expect(turns).toEqual([]);
  await clock.advance(4000);
  expect(turns).toEqual([[1, 5000]]);
});

it('notices within a minute that the clock was set ahead', async () => {
  const { clock, scheduler, turns } = setUp();
  scheduler.at(1, START + 3 * 3_600_000);
  clock.jump(4 * 3_600_000);
  await clock.advance(60_000);
  expect(turns.map(([id]) => id)).toEqual([1]);
});

it('gives a turn after the requested time, even if the clock stands still', async () => {
  const truth = virtualClock(START);
  const turns: number[] = [];
  const still = {
    now: () => START as Millis,
    wakeAt: (at: Millis, wake: () => void) => truth.wakeAt(millisOf(truth.now() + at - START), wake),
  };
  const scheduler = createScheduler({ clock: still, run: (id) => void turns.push(id) });
  scheduler.at(1, START + 1000);
  scheduler.at(2, START + 1001);
  await truth.advance(999);
  expect(turns).toEqual([]);
  await truth.advance(1);
  expect(turns).toEqual([1]);
  await truth.advance(1001);
  expect(turns).toEqual([1, 2]);
  expect(truth.armed()).toBe(0);
});

it('gives no turn after it was stopped', async () => {
  const { clock, scheduler, turns } = setUp();
  scheduler.soon(1);
  scheduler.at(2, START + 10);
  scheduler.stop();
  await clock.advance(100);
  scheduler.soon(3);
  await clock.advance(100);
  expect(turns).toEqual([]);
});
