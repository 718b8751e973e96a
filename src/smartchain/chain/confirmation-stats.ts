/** Fees and the number of blocks to confirmation, in buckets of similar fees; older blocks count ever less. */
export type ConfirmationStats = {
  /** Upper bounds of the buckets, the last one infinite. */
  readonly bounds: readonly number[];
  /** By blocks to confirm minus 1, then by bucket: how many were confirmed within that many blocks. */
  readonly confirmed: readonly number[][];
  /** By bucket: how many were confirmed in total. */
  readonly counted: number[];
  /** By bucket: the sum of their fees. */
  readonly paid: number[];
  /** By height modulo the maximum number of blocks, then by bucket: how many arrived at that height and are still pending. */
  readonly waiting: readonly number[][];
  /** By bucket: how many have been pending longer than that. */
  readonly waitingLong: number[];
};

/** Maximum number of blocks of an estimate. */
export const MOST_BLOCKS = 25;

const DECAY = 0.998;

/** Empty statistics with buckets from `from` up to `to`, each `spacing` times the one below. */
export function confirmationStats(range: { readonly from: number; readonly to: number; readonly spacing: number }) {
  const bounds: number[] = [];
  for (let bound = range.from; bound <= range.to; bound *= range.spacing) bounds.push(bound);
  bounds.push(Number.POSITIVE_INFINITY);
  const row = () => bounds.map(() => 0);
  const rows = () => Array.from({ length: MOST_BLOCKS }, row);
  return {
    bounds,
    confirmed: rows(),
    counted: row(),
    paid: row(),
    waiting: rows(),
    waitingLong: row(),
  } satisfies ConfirmationStats;
}

export function bucketOf({ bounds }: ConfirmationStats, value: number): number {
  return bounds.findIndex((bound) => bound >= value);
}

/** Adds a payment that is pending since a height. */
export function noteWaiting(
  { waiting }: ConfirmationStats,
  at: { readonly height: number; readonly bucket: number },
): void {
  add(waiting[at.height % MOST_BLOCKS], at.bucket, 1);
}

/** Removes a pending payment, confirmed or not. `best` is the height of the last block. */
export function forgetWaiting(
  { waiting, waitingLong }: ConfirmationStats,
  at: { readonly height: number; readonly bucket: number; readonly best: number },
): void {
  const age = at.best === 0 ? 0 : at.best - at.height;
  const row = age >= MOST_BLOCKS ? waitingLong : waiting[at.height % MOST_BLOCKS];
  if (age >= 0 && (row?.[at.bucket] ?? 0) > 0) add(row, at.bucket, -1);
}

/** A payment of a block: its value, and after how many blocks it was confirmed, at least 1. */
export type Confirmation = { readonly value: number; readonly blocks: number };

/** Counts a block: earlier data decays, and its payments are added. */
export function countBlock(stats: ConfirmationStats, height: number, payments: readonly Confirmation[]): void {
  const { confirmed, counted, paid, waiting, waitingLong } = stats;
  const turned = waiting[height % MOST_BLOCKS] ?? [];
  for (const [bucket, count] of turned.entries()) {
    add(waitingLong, bucket, count);
    turned[bucket] = 0;
  }
  for (const row of [...confirmed, counted, paid]) {
    for (const [bucket, value] of row.entries()) row[bucket] = value * DECAY;
  }
  for (const { value, blocks } of payments) {
    const bucket = bucketOf(stats, value);
    for (let within = blocks; within <= MOST_BLOCKS; within++) add(confirmed[within - 1], bucket, 1);
    add(counted, bucket, 1);
    add(paid, bucket, value);
  }
}

export type MedianQuery = {
  /** Blocks within which payments should have been confirmed, 1 to {@link MOST_BLOCKS}. */
  readonly within: number;
  /** Payments per block that a range of buckets needs for an estimate. */
  readonly enough: number;
  /** Fraction of the payments that must have been confirmed in time, or must not. */
  readonly part: number;
  /** Whether to search the lowest range above the fraction, from the top; otherwise the highest one below it, from the bottom. */
  readonly above: boolean;
  /** Height of the last block. */
  readonly height: number;
};

/** Median payment of the last range of buckets that meets the query; undefined if none does. */
export function medianPayment(stats: ConfirmationStats, query: MedianQuery): number | undefined {
  const range = lastRange(stats, query);
  if (range === undefined) return undefined;
  const { counted, paid } = stats;
  const [low, high] = range[0] < range[1] ? range : [range[1], range[0]];
  let half = 0;
  for (let bucket = low; bucket <= high; bucket++) half += (counted[bucket] as number) / 2;
  if (half === 0) return undefined;
  for (let bucket = low; bucket <= high; bucket++) {
    const count = counted[bucket] as number;
    if (count >= half) return (paid[bucket] as number) / count;
    half -= count;
  }
  return undefined;
}

function lastRange(stats: ConfirmationStats, query: MedianQuery): [number, number] | undefined {
  const { bounds, confirmed, counted } = stats;
  const { within, enough, part, above } = query;
  const step = above ? -1 : 1;
  let near = above ? bounds.length - 1 : 0;
  let inTime = 0;
  let all = 0;
  let late = 0;
  let best: [number, number] | undefined;
  for (let bucket = near; bucket >= 0 && bucket < bounds.length; bucket += step) {
    inTime += confirmed[within - 1]?.[bucket] ?? 0;
    all += counted[bucket] ?? 0;
    late += overdue(stats, { bucket, within, height: query.height });
    if (all < enough / (1 - DECAY)) continue;
    const reached = inTime / (all + late);
    if (above ? reached < part : reached > part) break;
    best = [near, bucket];
    near = bucket + step;
    inTime = 0;
    all = 0;
    late = 0;
  }
  return best;
}

/** How many of a bucket have been pending for that many blocks or longer. */
function overdue(
  { waiting, waitingLong }: ConfirmationStats,
  { bucket, within, height }: { readonly bucket: number; readonly within: number; readonly height: number },
): number {
  let count = waitingLong[bucket] ?? 0;
  for (let age = within; age < MOST_BLOCKS; age++) {
    if (height >= age) count += waiting[(height - age) % MOST_BLOCKS]?.[bucket] ?? 0;
  }
  return count;
}

function add(row: number[] | undefined, bucket: number, amount: number): void {
  if (row !== undefined) row[bucket] = (row[bucket] ?? 0) + amount;
}
