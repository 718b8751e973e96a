export type UnmarkedOptions<Made> = {
  /** What bytes represent; null for nothing. */
  readonly madeOf: (hex: string) => Made | null;
  /** Of the signed ones, those that no node knows. @throws BackendSilent */
  readonly unknown: (made: readonly Made[]) => Promise<readonly Made[]>;
  readonly giveBack: (made: Made) => void;
};

/**
 * What one coin has signed and nobody has marked or sent. Once the engine has resumed and marked what its logs hold, the rest is in no log, and its
 * numbers are given back, except for what a node knows anyway.
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
