/** What was asked for most recently, by a name; what was not asked for longest goes first where it would be more than a number. */
export class RecentMap<Value> {
  readonly #most: number;
  readonly #held = new Map<string, Value>();

  /** @param most how many to keep, at least 1 */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#held.size;
  }

  get(name: string): Value | undefined {
    const held = this.#held.get(name);
    if (held === undefined) return undefined;
    // The order of a map is that in which its members came.
    this.#held.delete(name);
    this.#held.set(name, held);
    return held;
  }

  set(name: string, value: Value): void {
    this.#held.delete(name);
    this.#held.set(name, value);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= this.#most) break;
      this.#held.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#held.delete(name);
  }
}
