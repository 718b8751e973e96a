/** Counts what is under way. */
export type Tally = {
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  readonly count: () => number;
  /** Fulfilled when nothing is under way. */
  readonly idle: () => Promise<void>;
};

export function openTally(): Tally {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    async during(work) {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) {
          const told = waiting;
          waiting = [];
          for (const tell of told) tell();
        }
      }
    },
    count: () => count,
    async idle() {
      while (count > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
