import assert from 'node:assert/strict';

/** One line of a benchmark's result. */
export type Row = {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly reference: number;
  /** How many times better ours is; for costs, ours divided by the reference. */
  readonly ratio: number;
};

/** A suite gives its rows one by one, each after its results were found correct. */
export type Suite = (options: SuiteOptions) => AsyncIterable<Row>;

export type SuiteOptions = {
  /** Rounds over all candidates, of which the median counts. */
  readonly rounds: number;
  /** Swaps in the file, where the suite reads one; each suite has its own default. */
  readonly swaps: number | undefined;
};

/** Something to be timed: does the work once and tells how many events that were. */
export type Candidate = () => number | Promise<number>;

/** Median nanoseconds per event of each candidate, in interleaved rounds after one round to warm up. */
export async function measure<K extends string>(
  candidates: Readonly<Record<K, Candidate>>,
  { rounds, warmUp = 1 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Readonly<Record<K, number>>> {
  const names = Object.keys(candidates) as K[];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      const events = await candidates[name]();
      const nanoseconds = ((performance.now() - start) * 1e6) / events;
      if (round >= 0) times.get(name)?.push(nanoseconds);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<K, number>;
}

/** CPU time of this process so far, in milliseconds: what a machine that others use does not stretch as much as the clock's. */
export function cpuMillis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** A row of throughputs, from nanoseconds per event. */
export function rateRow(name: string, { ours, reference }: { readonly ours: number; readonly reference: number }): Row {
  return { name, unit: 'events/s', ours: 1e9 / ours, reference: 1e9 / reference, ratio: reference / ours };
}

/** Two ways to the same result must give the same result, or their times mean nothing. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  assert.deepEqual(actual, expected, `the candidates disagree: ${what}`);
}
