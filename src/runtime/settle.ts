import type { Awaitable } from '../ports/event-log.ts';

/**
 * Makes a call whose answer may be there at once or come later, and hands on what came of it: at once for an adapter in
 * memory, so that a simulation needs no promises. What the handlers throw is theirs.
 */
export function settle<T>(
  call: () => Awaitable<T>,
  { done, failed }: { readonly done: (value: T) => void; readonly failed: (error: unknown) => void },
): void {
  let answer: Awaitable<T>;
  try {
    answer = call();
  } catch (error) {
    failed(error);
    return;
  }
  if (isPromise(answer)) answer.then(done, failed);
  else done(answer);
}

function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
