type Held<Told, Taking> = {
  /** By ticker. */
  readonly told: ReadonlyMap<string, Told>;
  /** By id of what was signed since. */
  readonly taken: ReadonlyMap<string, Taking>;
};

/** What swaps will still take of one account, told by all of its coins, and what was signed of that since. */
export class SwapHolds<Told, Taking> {
  readonly #isNothing: (told: Told) => boolean;
  readonly #swaps = new Map<string, Held<Told, Taking>>();

  /** @param isNothing whether what is told is that the swap takes nothing any more */
  constructor(isNothing: (told: Told) => boolean) {
    this.#isNothing = isNothing;
  }

  /** Takes the place of what this coin told of the swap before. By then what was signed is no part of it any more. */
  set(swap: string, coin: string, told: Told): void {
    const others = new Map(this.#swaps.get(swap)?.told);
    if (this.#isNothing(told)) others.delete(coin);
    else others.set(coin, told);
    if (others.size === 0) this.#swaps.delete(swap);
    else this.#swaps.set(swap, { told: others, taken: new Map() });
  }

  /** The coin is not in use any more. */
  forget(coin: string): void {
    for (const [swap, { told, taken }] of this.#swaps) {
      const others = new Map([...told].filter(([name]) => name !== coin));
      if (others.size === 0) this.#swaps.delete(swap);
      else this.#swaps.set(swap, { told: others, taken });
    }
  }

  /** Something was signed for the swap: what it takes is not held beside it. */
  take(swap: string, id: string, taking: Taking): void {
    const held = this.#swaps.get(swap);
    if (held !== undefined) this.#swaps.set(swap, { ...held, taken: new Map(held.taken).set(id, taking) });
  }

  /** It will never go out, so that what it took is to be held again. */
  giveBack(id: string): void {
    for (const [swap, { told, taken }] of this.#swaps) {
      if (!taken.has(id)) continue;
      this.#swaps.set(swap, { told, taken: new Map([...taken].filter(([other]) => other !== id)) });
    }
  }

  /** What is held for all swaps but one, by what of each is. */
  protected sum(except: string | undefined, amountOf: (held: Held<Told, Taking>) => bigint): bigint {
    return sumOf([...this.#swaps].map(([swap, held]) => (swap === except ? 0n : amountOf(held))));
  }

  /** All that was told. */
  protected told(): readonly Told[] {
    return [...this.#swaps.values()].flatMap(({ told }) => [...told.values()]);
  }
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}
