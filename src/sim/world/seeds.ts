// A seed below 2^32 draws a scenario. One above names such a seed and up to three variations of what it draws, so that a run to which
// a guide has led is seen again by its number alone.

/** Seeds below this one are drawn from scratch. */
export const ROOT_SEEDS = 0x1_0000_0000;

/** Variations of one step are numbered from 1 to 127. */
const STEP = 128;

/** The greatest seed: three variations. */
export const MOST_SEED = ROOT_SEEDS * STEP ** 3 - 1;

/** Whether a seed has room for one more variation. */
export function isVariable(seed: number): boolean {
  return seed < ROOT_SEEDS * STEP ** 2;
}

/** The seed of the n-th variation of what a seed draws. */
export function variationOf(seed: number, n: number): number {
  let place = ROOT_SEEDS;
  while (seed >= place) place *= STEP;
  return seed + place * n;
}

/** The seed from scratch, and the numbers of the variations in order. */
export function partsOfSeed(seed: number): { readonly root: number; readonly variations: readonly number[] } {
  const variations: number[] = [];
  for (let rest = Math.floor(seed / ROOT_SEEDS); rest > 0; rest = Math.floor(rest / STEP)) variations.push(rest % STEP);
  return { root: seed % ROOT_SEEDS, variations };
}
