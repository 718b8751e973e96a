/** Blocks whose times count. */
export const MEDIAN_SPAN = 11;

/** Median of the last {@link MEDIAN_SPAN} block times, seconds since 1970 (BIP 113); 0 for none. Of an even count, the upper one. */
export function medianTimePast(times: readonly number[]): number {
  const last = times.slice(-MEDIAN_SPAN).sort((left, right) => left - right);
  return last[last.length >> 1] ?? 0;
}
