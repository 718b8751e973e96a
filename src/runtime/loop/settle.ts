import type { Awaitable } from '../../ports/event-log.ts';

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
  let later: boolean;
  try {
    later = isPromise(answer);
    // Wrapped: what is no real promise may call back twice, or throw where it should reject.
    if (later) Promise.resolve(answer).then(done, failed);
  } catch (error) {
    failed(error);
    return;
  }
  if (!later) done(answer as T);
}

function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
