/** Ids of tasks: one count for all families of a node, from 0 (as in the real node). */
export class TaskIds {
  #next = 0;

  /** The id that is given out next. */
  next(): number {
    return this.#next;
  }

  take(): number {
    this.#next += 1;
    return this.#next - 1;
  }

  /** An earlier process has given it out. */
  used(id: number): void {
    this.#next = Math.max(this.#next, id + 1);
  }
}
