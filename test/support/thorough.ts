/** Whether suites do all that a release is held to, which takes hours, instead of what every change is: `SWAPFOLD_THOROUGH=1`. */
export const THOROUGH = process.env['SWAPFOLD_THOROUGH'] === '1';

/** How many are drawn for a change, and how many for a release. */
export function draws(change: number, release: number): number {
  return THOROUGH ? release : change;
}
