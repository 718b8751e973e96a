// A large file is split for threads where a stream begins. Splitting is a guess by the fronts of lines in canonical form;
// whoever puts the results together checks that no stream went on beyond its range.

const LINE_FEED = 0x0a;
const KEY = /^\{"stream":"((?:taker|maker)-swap\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})","seq":/;
/** Longest front that {@link KEY} matches, with the digit 0 and the comma behind it. */
const FRONT_LENGTH = 68;

/** A run of bytes of a file: from `start` up to and without `end`. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Position in `bytes` of the first line that begins a stream: its sequence number is 0, and the line before it belongs
 * to another stream. The text up to the first line feed is taken for the rest of a line. Undefined where there is none.
 */
export function findStreamStart(bytes: Uint8Array): number | undefined {
  let previous: string | undefined;
  for (let at = bytes.indexOf(LINE_FEED) + 1; at > 0 && at < bytes.length; at = bytes.indexOf(LINE_FEED, at) + 1) {
    const front = String.fromCharCode(...bytes.subarray(at, at + FRONT_LENGTH));
    const match = KEY.exec(front);
    const key = match?.[1];
    if (key === undefined || match === null) {
      previous = undefined;
      continue;
    }
    if (previous !== undefined && key !== previous && front.startsWith('0,', match[0].length)) return at;
    previous = key;
  }
  return undefined;
}

/**
 * Splits a file of `size` bytes into ranges of about `rangeBytes`, each but the first starting where a stream begins.
 *
 * @param startAfter finds the first such place at or after a position; undefined where there is none before `until`.
 */
export function splitAtStreams(
  { size, rangeBytes }: { readonly size: number; readonly rangeBytes: number },
  startAfter: (position: number, until: number) => number | undefined,
): readonly ByteRange[] {
  const ranges: ByteRange[] = [];
  let start = 0;
  for (let nominal = rangeBytes; nominal < size; nominal += rangeBytes) {
    if (nominal <= start) continue;
    const next = startAfter(nominal, Math.min(nominal + rangeBytes, size));
    if (next === undefined || next <= start) continue;
    ranges.push({ start, end: next });
    start = next;
  }
  ranges.push({ start, end: size });
  return ranges;
}
