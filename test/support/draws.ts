/** Whether suites do all that a release is held to, which takes hours, instead of what every change is: `SWAPFOLD_THOROUGH=1`. */
export const THOROUGH = process.env['SWAPFOLD_THOROUGH'] === '1';

/** Whether suites do all that a change is held to, instead of the sample in which `npm test` finds ordinary faults: `SWAPFOLD_SLOW=1`. */
export const SLOW = THOROUGH || process.env['SWAPFOLD_SLOW'] === '1';

/** How many of something are drawn, or tried; where it is a step, one in how many. */
export type Draws = {
  /** In `npm test`; as many as for a change by default. */
  readonly sample?: number;
  /** In `npm run test:slow`, and so in CI. */
  readonly change: number;
  /** In `npm run test:slow -- --thorough`; as many as for a change by default. */
  readonly release?: number;
};

/**
 * How many are drawn in this run. A fast suite that asks for a `sample` runs among the slow ones too: `vitest.config.ts` finds it by its
 * import of this file.
 */
export function draws({ change, sample = change, release = change }: Draws): number {
  if (THOROUGH) return release;
  return SLOW ? change : sample;
}

/** Of cases that are many: one in so many in `npm test`, from the first on, and all in the slow suite. */
export function oneIn<Case>(step: number, cases: readonly Case[]): readonly Case[] {
  return SLOW ? cases : cases.filter((_, place) => place % step === 0);
}
