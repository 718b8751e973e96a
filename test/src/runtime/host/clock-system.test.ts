import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Millis } from '../../../../src/primitives/time.ts';
import { systemClock } from '../../../../src/runtime/index.ts';

const START = 1_700_000_000_000;
const DAY = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function wakings(clock = systemClock()) {
  const woken: number[] = [];
  return {
    clock,
    woken,
    wakeAt: (at: number) => clock.wakeAt(at as Millis, () => void woken.push(Date.now() - START)),
  };
}

it('calls back at the moment, once', () => {
  const { woken, wakeAt } = wakings();
  wakeAt(START + 1500);
  vi.advanceTimersByTime(1499);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(100_000);
  expect(woken).toEqual([1500]);
});

it('waits for longer than a timer of the platform can', () => {
  const { woken, wakeAt } = wakings();
  wakeAt(START + 80 * DAY);
  vi.advanceTimersByTime(80 * DAY - 1);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(woken).toEqual([80 * DAY]);
});

it('a moment that is past is called back soon, never inside the call', () => {
  const { woken, wakeAt } = wakings();
  wakeAt(START - 5000);
  wakeAt(START);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(0);
  expect(woken).toEqual([0, 0]);
});

it('a waking that was cancelled does not come, near or far', () => {
  const { woken, wakeAt } = wakings();
  const cancels = [START, START + 10, START + 40 * DAY].map(wakeAt);
  for (const cancel of cancels) cancel();
  vi.advanceTimersByTime(50 * DAY);
  const late = wakeAt(Date.now() + 40 * DAY);
  vi.advanceTimersByTime(30 * DAY);
  late();
  vi.advanceTimersByTime(30 * DAY);
  expect(woken).toEqual([]);
});

it('reads the time in whole milliseconds', () => {
  expect(wakings().clock.now()).toBe(START);
});

it('calls back after the intended time, whatever the clock is set to meanwhile', () => {
  vi.useRealTimers();
  vi.useFakeTimers({
    now: START,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
  });
  const clock = systemClock();
  const before = clock.elapsed?.() ?? 0;
  const { woken, wakeAt } = wakings(clock);
  wakeAt(START + 60_000);
  vi.advanceTimersByTime(10_000);
  vi.setSystemTime(START - 6 * 3_600_000);
  vi.advanceTimersByTime(49_000);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(woken).toHaveLength(1);
  expect(Math.round((clock.elapsed?.() ?? 0) - before)).toBe(61_000);
});
