import { setImmediate as pause } from 'node:timers/promises';

/** Work that can stop between any two of its steps; what it returns is its result. */
export type Steps<Result> = Generator<void, Result>;

/** Milliseconds of work after which others have their turn. */
const TURN = 20;

/** Does all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does the steps one after another, and lets all else of this process have its turn every 20 ms. A step itself is not interrupted. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let end = performance.now() + TURN;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await pause();
    end = performance.now() + TURN;
  }
}

/** For work whose steps are awaited: lets all else of this process have its turn where 20 ms have gone by since it last had. */
export function breaks(): () => Promise<void> {
  let end = performance.now() + TURN;
  return async () => {
    if (performance.now() < end) return;
    await pause();
    end = performance.now() + TURN;
  };
}
