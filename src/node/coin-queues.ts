/** Lets one at a time do something with a coin. */
export class CoinQueues {
  readonly #last = new Map<string, Promise<void>>();

  /** Waits for the own turn; what is returned ends it. Null where the signal was aborted before: then there is none to end. */
  async enter(ticker: string, signal: AbortSignal): Promise<(() => void) | null> {
    const before = this.#last.get(ticker) ?? Promise.resolve();
    let leave = (): void => {};
    const over = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const mine = before.then(() => over);
    this.#last.set(ticker, mine);
    void mine.then(() => {
      if (this.#last.get(ticker) === mine) this.#last.delete(ticker);
    });
    await Promise.race([before, aborted(signal)]);
    if (!signal.aborted) return leave;
    leave();
    return null;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
