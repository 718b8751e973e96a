import type { Awaitable } from '../../ports/event-log.ts';

/**
 * Makes a call whose answer may come immediately or later, and passes on the result: immediately for an adapter in
 * memory, so a simulation needs no promises. Errors of the handlers are not caught.
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
    // Wrapped, because a non-native promise may call back twice, or throw instead of rejecting.
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
