import type { Clock } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import type { ContractCase } from './contract-case.ts';

/** A clock under test, and a way to let time go by on it. */
export type ClockUnderTest = {
  readonly clock: Clock;
  /** Lets so many milliseconds go by, calling back whatever is due in them. */
  readonly pass: (milliseconds: number) => Promise<void> | void;
};

export type ClockContractCase = ContractCase;

function expectThat(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`the contract of Clock is broken: expected ${claim}`);
}

function expectEqual(actual: number, expected: number, what: string): void {
  expectThat(actual === expected, `${expected} ${what}, got ${actual}`);
}

type Case = { readonly title: string; readonly check: (subject: ClockUnderTest) => Promise<void> };

const DAY = 86_400_000;

const CASES: readonly Case[] = [
  {
    title: 'returns whole milliseconds that never go back while time passes',
    check: async ({ clock, pass }) => {
      const before = clock.now();
      expectThat(Number.isSafeInteger(before), `whole milliseconds, not ${before}`);
      await pass(5);
      expectThat(clock.now() >= before + 5, 'five milliseconds more');
    },
  },
  {
    title: 'returns an elapsed time that rises with the time and by as much, if it has one',
    check: async ({ clock, pass }) => {
      if (clock.elapsed === undefined) return;
      const before = clock.elapsed();
      expectThat(Number.isFinite(before), `milliseconds, not ${before}`);
      await pass(1500);
      const passed = clock.elapsed() - before;
      expectThat(passed >= 1499 && clock.elapsed() >= before, `1500 milliseconds more, not ${passed}`);
    },
  },
  {
    title: 'calls back once, at or after the moment',
    check: async ({ clock, pass }) => {
      const called: number[] = [];
      const at = (clock.now() + 1500) as Millis;
      clock.wakeAt(at, () => void called.push(clock.now()));
      await pass(1400);
      expectEqual(called.length, 0, 'calls before the moment');
      await pass(5000);
      expectEqual(called.length, 1, 'calls in total');
      expectThat((called[0] ?? 0) >= at, 'not before the moment');
    },
  },
  {
    title: 'calls back for a past moment, never during the call itself',
    check: async ({ clock, pass }) => {
      let calls = 0;
      clock.wakeAt((clock.now() - 5000) as Millis, () => {
        calls += 1;
      });
      clock.wakeAt(clock.now(), () => {
        calls += 1;
      });
      expectEqual(calls, 0, 'calls during the call itself');
      await pass(1);
      expectEqual(calls, 2, 'calls soon after');
    },
  },
  {
    title: 'does not call back what was cancelled, near or far, and can be cancelled twice',
    check: async ({ clock, pass }) => {
      let calls = 0;
      const cancels = [0, 10, 40 * DAY].map((wait) =>
        clock.wakeAt((clock.now() + wait) as Millis, () => {
          calls += 1;
        }),
      );
      for (const cancel of [...cancels, ...cancels]) cancel();
      await pass(41 * DAY);
      expectEqual(calls, 0, 'calls after the cancellation');
    },
  },
  {
    title: 'waits longer than a timer of the platform can',
    check: async ({ clock, pass }) => {
      let calls = 0;
      clock.wakeAt((clock.now() + 40 * DAY) as Millis, () => {
        calls += 1;
      });
      await pass(39 * DAY);
      expectEqual(calls, 0, 'calls before the moment');
      await pass(2 * DAY);
      expectEqual(calls, 1, 'calls after it');
    },
  },
];

/**
 * What every clock must do for the runtime. Each case gets a clock of its own.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { clockContract, createVirtualClock } from 'swapfold/testing';
 *
 * const open = () => {
 *   const clock = createVirtualClock(millisOf(1_764_000_000_000));
 *   return { clock, pass: (ms: number) => clock.advanceTo(millisOf(clock.now() + ms)) };
 * };
 * const broken: string[] = [];
 * for (const { title, run } of clockContract(open)) await run().catch(() => broken.push(title));
 * broken; // → []
 * ```
 */
export function clockContract(open: () => ClockUnderTest): readonly ClockContractCase[] {
  return CASES.map(({ title, check }) => ({ title, run: async () => check(open()) }));
}
