import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Millis, millisOf } from '../../../src/primitives/time.ts';
import { runMinutes, runUntilIdle } from '../../../src/sim/run-until-idle.ts';
import { createVirtualClock } from '../../../src/sim/virtual-clock.ts';

const START = millisOf(1_700_000_000_000);

/** Has so many pieces of work one after another, each of which takes turns of the event loop, and begins with the next one when its timer fires. */
function worker(clock: ReturnType<typeof createVirtualClock>, given: { pieces: number; turns: number; every: number }) {
  const done: Millis[] = [];
  let busy = false;
  const begin = async () => {
    busy = true;
    for (let turn = 0; turn < given.turns; turn += 1) await nextTurn();
    done.push(clock.now());
    busy = false;
    if (done.length < given.pieces) clock.wakeAt(millisOf(clock.now() + given.every), () => void begin());
  };
  clock.wakeAt(clock.now(), () => void begin());
  return { done, sizes: () => ({ ready: 0, underWay: busy ? 1 : 0 }) };
}

describe('runUntilIdle', () => {
  it('fires what is due, waits until the slowest has handled it, and leaves the time as it is', async () => {
    const clock = createVirtualClock(START);
    const [quick, slow] = [1, 40].map((turns) => worker(clock, { pieces: 3, turns, every: 1000 }));
    await runUntilIdle(
      clock,
      [quick, slow].map((each) => each as NonNullable<typeof each>),
    );
    expect([quick?.done, slow?.done, clock.now()]).toEqual([[START], [START], START]);
  });

  it('continues with work that begins work at once', async () => {
    const clock = createVirtualClock(START);
    const eager = worker(clock, { pieces: 25, turns: 2, every: 0 });
    await runUntilIdle(clock, [eager]);
    expect(eager.done).toEqual(Array.from({ length: 25 }, () => START));
  });

  it('ends if there is nothing to do', async () => {
    const clock = createVirtualClock(START);
    await runUntilIdle(clock, []);
    expect(clock.now()).toBe(START);
  });
});

describe('runMinutes', () => {
  it('mines a block on every chain at the end of each minute, when the work of that minute is done', async () => {
    const clock = createVirtualClock(START);
    const busy = worker(clock, { pieces: 9, turns: 7, every: 30_000 });
    const blocks: string[] = [];
    const chains = ['DOC', 'MARTY'].map((coin) => ({
      mine: () => blocks.push(`${coin} at ${clock.now() - START}, work done: ${busy.done.length}`),
    }));
    await runMinutes({ clock, runtimes: [busy], chains }, 2);
    expect(clock.now()).toBe(START + 120_000);
    expect(blocks).toEqual([
      'DOC at 60000, work done: 1',
      'MARTY at 60000, work done: 1',
      'DOC at 120000, work done: 2',
      'MARTY at 120000, work done: 2',
    ]);
    expect(busy.done.length).toBe(3);
  });

  it.each([-1, 0.5, Number.NaN])('refuses %d minutes', async (minutes) => {
    const clock = createVirtualClock(START);
    await expect(runMinutes({ clock, runtimes: [], chains: [] }, minutes)).rejects.toThrow(RangeError);
  });
});
