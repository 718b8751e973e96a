import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createMarket } from '../../../../src/sim/market/market.ts';
import { runMarket } from '../../../../src/sim/market/run.ts';
import { twoPartyMarket } from '../../../support/two-party-market.ts';

function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** What is held for good is so after any number of turns. */
const TURNS = 100;

function held(worlds: readonly WeakRef<object>[]): number {
  return worlds.filter((world) => world.deref() !== undefined).length;
}

/** Runs a market to its end and lets go of it. */
async function ended(market: Parameters<typeof createMarket>[0]): Promise<WeakRef<object>> {
  const world = createMarket(market);
  await runMarket(world);
  return new WeakRef(world);
}

describe('a finished market', () => {
  it('is forgotten, also with processes that died in the middle of something', async () => {
    const crashes = [
      { at: 3, when: 'before', downFor: 40 },
      { at: 9, when: 'after', downFor: 70 },
    ] as const;
    const worlds = [await ended(twoPartyMarket()), await ended(twoPartyMarket({ crashes }))];
    // Node lets go of the last immediate with the one after it, and of what waits for nothing any more a turn later. A function that
    // another thread is compiling is kept until that is done, which takes turns of its own on a busy machine.
    for (let turn = 0; turn < TURNS && held(worlds) > 0; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      // Nobody waits here for time to pass: the turn of the timers is where a finished compilation is taken in.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (turn > 0) collect();
    }
    expect(held(worlds)).toBe(0);
  });
});
