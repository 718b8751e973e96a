import { isVariable, variationOf } from './seeds.ts';

/** Runs of a block. What a guide has learnt in one is forgotten in the next, so that threads can share the runs without changing any. */
export const GUIDED_BLOCK = 500;

/** One run in so many is a variation of an earlier one. */
const GUIDED_ONE_IN = 4;

/** Until then nearly everything is new, and new is nothing worth following. */
const LEARNS_FROM = 100;

/** How often one seed is followed before the next one is. */
const MOST_FOLLOWED = 12;

/**
 * Chooses the seed of each run. Most are those that follow one another; some are variations of seeds that reached a state, an event and a
 * fault in force together that no run of the block had reached. The later that was, the rarer it is: the last one is followed first.
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
