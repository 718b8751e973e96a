export type UnmarkedOptions<Made> = {
  /** What bytes stand for; null for none. */
  readonly madeOf: (hex: string) => Made | null;
  /** Of what was signed that which no node knows. @throws BackendSilent */
  readonly unknown: (made: readonly Made[]) => Promise<readonly Made[]>;
  readonly giveBack: (made: Made) => void;
};

/**
 * What one coin has signed and nobody has marked or sent. When whoever uses the wallet has come back and has marked what its logs hold, the rest
 * is in no log, and its numbers are given back; but for what a node knows all the same.
 */
export class Unmarked<Made extends { readonly id: string }> {
  readonly #options: UnmarkedOptions<Made>;
  readonly #made = new Map<string, Made>();

  constructor(options: UnmarkedOptions<Made>) {
    this.#options = options;
  }

  note(hex: string): void {
    const made = this.#options.madeOf(hex);
    if (made !== null) this.#made.set(made.id, made);
  }

  /** It is in a log, or on its way. */
  keep(id: string): void {
    this.#made.delete(id);
  }

  async giveBack(): Promise<void> {
    const found = [...this.#made.values()];
    this.#made.clear();
    if (found.length === 0) return;
    for (const made of await this.#options.unknown(found)) this.#options.giveBack(made);
  }
}
