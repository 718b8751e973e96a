import { setImmediate as pause } from 'node:timers/promises';

/** Work that can pause between any two of its steps; its return value is its result. */
export type Steps<Result> = Generator<void, Result>;

/** Milliseconds of work after which other work runs. */
const TURN = 20;

/** Runs all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs the steps one after another, and lets other work of this process run every 20 ms. A step itself is not interrupted. */
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

/** The same, and other work runs before the first step: what led to it may have taken long already. */
export async function inTurnsAfterOthers<Result>(steps: Steps<Result>): Promise<Result> {
  await pause();
  return inTurns(steps);
}

/**
 * For work whose steps are awaited: lets other work of this process run once 20 ms have passed since the last time. Undefined
 * where nothing is to be waited for.
 */
export function breaks(): () => Promise<void> | undefined {
  let end = performance.now() + TURN;
  const others = async (): Promise<void> => {
    await pause();
    end = performance.now() + TURN;
  };
  return () => (performance.now() < end ? undefined : others());
}
