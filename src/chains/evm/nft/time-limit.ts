/** A signal that ends after a time, or with another one. */
export type TimeLimit = {
  readonly signal: AbortSignal;
  /** Stops ending anything. */
  readonly over: () => void;
};

/**
 * `AbortSignal.any` over `AbortSignal.timeout` keeps neither signal alive. Once an engine has collected one of them, nothing ends in time, and a
 * silent server is waited for as long as the connection lasts.
 *
 * @param milliseconds after which it ends with a `TimeoutError`
 * @param outer ends it too, with its reason
 */
export function timeLimit(milliseconds: number, outer?: AbortSignal): TimeLimit {
  const ending = new AbortController();
  const follow = (): void => ending.abort(outer?.reason);
  const late = setTimeout(() => ending.abort(new DOMException('', 'TimeoutError')), milliseconds);
  if (outer?.aborted === true) follow();
  outer?.addEventListener('abort', follow);
  const over = (): void => {
    clearTimeout(late);
    outer?.removeEventListener('abort', follow);
  };
  return { signal: ending.signal, over };
}
