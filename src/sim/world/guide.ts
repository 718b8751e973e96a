import { isVariable, variationOf } from './seeds.ts';

/**
 * The number of runs in a block. A guide forgets in each block what it learned in the one before, so that threads can share the runs without changing
 * any.
 */
export const GUIDED_BLOCK = 500;

/** One run in this many is a variation of an earlier one. */
const GUIDED_ONE_IN = 4;

/** Until then nearly everything is new, so nothing is worth following. */
const LEARNS_FROM = 100;

/** How often a guide follows one seed before the next. */
const MOST_FOLLOWED = 12;

/**
 * Chooses the seed of each run. Most are consecutive; some are variations of seeds that reached a state, an event and a fault together that no
 * earlier run of the block had reached. The later it was reached, the rarer it is, so the latest is followed first.
 */
export type Guide = {
  readonly seedOf: (index: number) => number;
  /** After a run: what it reached that was new. */
  readonly learn: (index: number, told: { readonly seed: number; readonly found: number }) => void;
};

type Followed = { readonly seed: number; tries: number };

export function createGuide(first: number): Guide {
  let queue: Followed[] = [];
  return {
    seedOf(index) {
      const inBlock = index % GUIDED_BLOCK;
      if (inBlock === 0) queue = [];
      const best = inBlock % GUIDED_ONE_IN === GUIDED_ONE_IN - 1 ? queue.at(-1) : undefined;
      if (best === undefined) return first + index;
      best.tries += 1;
      if (best.tries >= MOST_FOLLOWED) queue.pop();
      return variationOf(best.seed, 1 + ((inBlock * 31) % 127));
    },
    learn(index, { seed, found }) {
      if (found > 0 && index % GUIDED_BLOCK >= LEARNS_FROM && isVariable(seed)) queue.push({ seed, tries: 0 });
    },
  };
}
