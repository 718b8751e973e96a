/** By number, what was signed with it, of which at most one can be included; the newest last. */
export class TakenNumbers<Made extends { readonly id: string }> {
  readonly #numberOf: (made: Made) => number;
  readonly #taken = new Map<number, readonly Made[]>();

  /** @param numberOf what an account signs with one after another: its nonce, its sequence */
  constructor(numberOf: (made: Made) => number) {
    this.#numberOf = numberOf;
  }

  take(made: Made): void {
    this.#taken.set(this.#numberOf(made), [...this.#beside(made), made]);
  }

  drop(made: Made): void {
    const others = this.#beside(made);
    if (others.length === 0) this.#taken.delete(this.#numberOf(made));
    else this.#taken.set(this.#numberOf(made), others);
  }

  /** All that was signed with a number. */
  holders(number: number): readonly Made[] {
    return this.#taken.get(number) ?? [];
  }

  has(number: number): boolean {
    return this.#taken.has(number);
  }

  isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /** Numbers from one on that something has, in order. */
  from(number: number): readonly number[] {
    return [...this.#taken.keys()].filter((one) => one >= number).sort((left, right) => left - right);
  }

  #beside(made: Made): readonly Made[] {
    return this.holders(this.#numberOf(made)).filter(({ id }) => id !== made.id);
  }
}
