// Not the global one: a suite that fakes its timers would wait forever.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { millisOf } from '../primitives/time.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Something that reports whether it has work at this moment: a runtime. */
export type Worker = { readonly sizes: () => { readonly ready: number; readonly underWay: number } };

/** What {@link runMinutes} advances together. */
export type TimedWorld = {
  readonly clock: VirtualClock;
  readonly runtimes: readonly Worker[];
  /** Each mines a block at the end of every minute. */
  readonly chains: readonly { readonly mine: () => unknown }[];
};

/** After this many turns of the event loop without work, none is left: enough for an append, its answer, and what that wakes. */
const QUIET_TURNS = 3;

/**
 * Lets runtimes work until each waits for time to pass, a block or a message. The clock does not move: only timers that are due fire.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createVirtualClock, runUntilIdle } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const [jobs, done]: [string[], string[]] = [['ask the chain', 'append'], []];
 * const work = () => {
 *   done.push(...jobs.splice(0, 1));
 *   if (jobs.length > 0) clock.wakeAt(clock.now(), work);
 * };
 * clock.wakeAt(clock.now(), work);
 * clock.wakeAt(millisOf(clock.now() + 60_000), () => done.push('look again'));
 * await runUntilIdle(clock, [{ sizes: () => ({ ready: jobs.length, underWay: 0 }) }]);
 * [done, clock.now()]; // → [['ask the chain', 'append'], 1_764_000_000_000]
 * ```
 */
export async function runUntilIdle(clock: VirtualClock, runtimes: readonly Worker[]): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await nextTurn();
    clock.advanceTo(clock.now());
    if (runtimes.some((each) => isBusy(each))) quiet = -1;
  }
}

/**
 * Plays a number of minutes: in each, runtimes work until they are idle, a minute passes, and every chain mines a block. Returns once all work of
 * these minutes is done.
 *
 * @param minutes a whole number from 0 on
 * @throws RangeError for another number
 *
 * @example
 * ```ts
 * import { decimalOf, millisOf, toUnixSeconds } from 'swapfold';
 * import { createSimChain, createVirtualClock, runMinutes, xorshift32 } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const now = () => toUnixSeconds(clock.now());
 * const chain = createSimChain('utxo', { coin: 'DOC', now, rng: xorshift32(1), startHeight: 500 });
 * chain.wallet({ party: 'alice', funds: decimalOf('2.5') });
 * await runMinutes({ clock, runtimes: [], chains: [chain] }, 3);
 * [chain.height(), clock.now()]; // → [503, 1_764_000_180_000]
 * runMinutes({ clock, runtimes: [], chains: [chain] }, 0.5); // throws RangeError
 * ```
 */
export async function runMinutes({ clock, runtimes, chains }: TimedWorld, minutes: number): Promise<void> {
  if (!Number.isInteger(minutes) || minutes < 0)
    throw new RangeError(`minutes is a whole number from 0 on, not ${minutes}`);
  for (let left = minutes; left > 0; left -= 1) {
    await runUntilIdle(clock, runtimes);
    clock.advanceTo(millisOf(clock.now() + 60_000));
    for (const chain of chains) chain.mine();
  }
  await runUntilIdle(clock, runtimes);
}

function isBusy(worker: Worker): boolean {
  const { ready, underWay } = worker.sizes();
  return ready + underWay > 0;
}
