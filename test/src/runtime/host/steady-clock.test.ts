import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/ports/clock.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { nextMoment, steadyClock } from '../../../../src/runtime/host/steady-clock.ts';

function setUp(elapsed: (() => number) | undefined, host: { wall: number }) {
  const wakings: number[] = [];
  const clock: Clock = {
    now: () => millisOf(Math.floor(host.wall)),
    wakeAt: (at) => {
      wakings.push(at);
      return () => {};
    },
    ...(elapsed === undefined ? {} : { elapsed }),
  };
  return { clock, steady: steadyClock(clock), wakings };
}

describe('a clock that keeps running when the host is set back', () => {
  it('is the host’s own if that one reports no elapsed time', () => {
    const { clock, steady } = setUp(undefined, { wall: 5000 });
    expect(steady).toBe(clock);
  });

  it('follows the host forward, and keeps running by elapsed time when it is set back', () => {
    const host = { wall: 100_000 };
    let passed = 7.75;
    const { steady, wakings } = setUp(() => passed, host);
    const after = (milliseconds: number, set = 0) => {
      passed += milliseconds;
      host.wall += milliseconds + set;
      return steady.now();
    };
    expect(steady.now()).toBe(100_000);
    expect(after(1000)).toBe(101_000);
    expect(after(1000, -50_000)).toBe(102_000);
    for (let step = 0; step < 1000; step += 1) after(0.5);
    expect(steady.now()).toBe(102_500);
    // The host is 50 s behind, so that its timers are asked for a moment of its own.
    steady.wakeAt(millisOf(103_500), () => {});
    expect(wakings).toEqual([53_500]);
    expect(after(0, 49_000)).toBe(102_500);
    expect(after(0, 6000)).toBe(107_500);
    expect(after(0, -9000)).toBe(107_500);
  });

  it('does not go back if its source does', () => {
    let passed = 10_000;
    const { steady } = setUp(() => passed, { wall: 3000 });
    passed = 0;
    expect(steady.now()).toBe(3000);
    passed = 400;
    expect(steady.now()).toBe(3400);
  });
});

it('a clock begins at the time that the host shows, and never goes back from there', () => {
  const first = nextMoment({ told: null, wall: 9000, steady: 9000 });
  expect(first.now).toBe(9000);
  const back = nextMoment({ told: first, wall: 2000, steady: 9500 });
  expect(back.now).toBe(9500);
  expect(nextMoment({ told: back, wall: 12_000, steady: 12_000 }).now).toBe(12_000);
  expect(nextMoment({ told: null, wall: 2000, steady: 9500 }).now).toBe(2000);
});
