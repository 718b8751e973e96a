import { BackendSilent } from '../../ports/silence.ts';

/** Open calls, each of which may be ended from outside. Finished calls are not kept, however long the connection lasts. */
export class PendingCalls {
  readonly #ends = new Set<(error: BackendSilent) => void>();

  /** The outcome of a call, unless it is ended first, or takes longer than the given milliseconds. @throws BackendSilent */
  run<T>(call: Promise<T>, { late, within }: { readonly late: string; readonly within: number }): Promise<T> {
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#ends.delete(end);
      };
      const end = (error: BackendSilent): void => {
        over();
        reject(error);
      };
      const timer = setTimeout(() => end(new BackendSilent(late)), within);
      this.#ends.add(end);
      call.then(resolve, reject).finally(over);
    });
  }

  /** All of them end with this. */
  end(why: BackendSilent): void {
    for (const end of [...this.#ends]) end(why);
  }

  count(): number {
    return this.#ends.size;
  }
}
