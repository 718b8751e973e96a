import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../../src/ports/clock.ts';
import { type Millis, millisOf } from '../../../../src/primitives/time.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { createVirtualClock } from '../../../../src/sim/virtual-clock.ts';
import { clockContract } from '../../../../src/testing/contracts/clock-contract.ts';

const START = 1_700_000_000_000;

function virtual() {
  const clock = createVirtualClock(millisOf(START));
  return { clock, pass: (wait: number) => clock.advanceTo(millisOf(clock.now() + wait)) };
}

describe('the clock of simulations', () => {
  it.each(clockContract(virtual))('$title', async ({ run }) => {
    await run();
  });
});

describe('the clock of the host', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      now: START,
      toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const system = () => ({ clock: systemClock(), pass: (wait: number) => void vi.advanceTimersByTime(wait) });
  it.each(clockContract(system))('$title', async ({ run }) => {
    await run();
  });
});

describe('the suite', () => {
  const broken: Readonly<Record<string, (clock: Clock) => Clock>> = {
    'calls back inside of the call': (clock) => ({
      now: clock.now,
      wakeAt(at, wake) {
        if (at > clock.now()) return clock.wakeAt(at, wake);
        wake();
        return () => {};
      },
    }),
    'tells of time that does not pass': (clock) => ({ ...clock, elapsed: () => 7 }),
    'cannot be cancelled': (clock) => ({
      now: clock.now,
      wakeAt(at, wake) {
        clock.wakeAt(at, wake);
        return () => {};
      },
    }),
    'calls back early': (clock) => ({
      now: clock.now,
      wakeAt: (at, wake) => clock.wakeAt((at - 1000) as Millis, wake),
    }),
    'tells fractions': (clock) => ({ now: () => (clock.now() + 0.5) as Millis, wakeAt: clock.wakeAt }),
  };

  it.each(Object.entries(broken))('notices a clock that %s', async (_, breakIt) => {
    const failures: string[] = [];
    const open = () => {
      const { clock, pass } = virtual();
      return { clock: breakIt(clock), pass };
    };
    for (const { title, run } of clockContract(open)) await run().catch(() => void failures.push(title));
    expect(failures).not.toEqual([]);
  });
});
