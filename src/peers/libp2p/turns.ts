/** Something with work that is done bit by bit. */
export type Worker = {
  /** Does one piece of work. False if there is nothing more to do for now. */
  readonly step: () => boolean;
};

/** Lets all with work take turns, one piece at a time, so that one with much of it delays no other. */
export type Turns = {
  readonly join: (worker: Worker) => void;
  readonly leave: (worker: Worker) => void;
};

/** Bits between two turns for other work of the process: a bit may be the verification of a signature. */
const BITS_AT_ONCE = 8;

export function createTurns(): Turns {
  const waiting = new Set<Worker>();
  let running = false;

  const run = (): void => {
    for (let bits = 0; bits < BITS_AT_ONCE; bits++) {
      const [worker] = waiting;
      if (worker === undefined) break;
      waiting.delete(worker);
      if (worker.step()) waiting.add(worker);
    }
    running = waiting.size > 0;
    if (running) setImmediate(run);
  };
  return {
    join(worker) {
      waiting.add(worker);
      if (running) return;
      running = true;
      setImmediate(run);
    },
    leave: (worker) => void waiting.delete(worker),
  };
}
