type Held<Told, Taking> = {
  /** By ticker. */
  readonly told: ReadonlyMap<string, Told>;
  /** By id of what was signed since. */
  readonly taken: ReadonlyMap<string, Taking>;
};

/** What swaps will still take from one account, as reported by all of its coins, and what of that was signed since. */
export class SwapHolds<Told, Taking> {
  readonly #isNothing: (told: Told) => boolean;
  readonly #swaps = new Map<string, Held<Told, Taking>>();

  /** @param isNothing whether a report says that the swap takes nothing more */
  constructor(isNothing: (told: Told) => boolean) {
    this.#isNothing = isNothing;
  }

  /** Replaces this coin's earlier report about the swap. It no longer includes what was signed by then. */
  set(swap: string, coin: string, told: Told): void {
    const others = new Map(this.#swaps.get(swap)?.told);
    if (this.#isNothing(told)) others.delete(coin);
    else others.set(coin, told);
    if (others.size === 0) this.#swaps.delete(swap);
    else this.#swaps.set(swap, { told: others, taken: new Map() });
  }

  /** The coin is no longer in use. */
  forget(coin: string): void {
    for (const [swap, { told, taken }] of this.#swaps) {
      const others = new Map([...told].filter(([name]) => name !== coin));
      if (others.size === 0) this.#swaps.delete(swap);
      else this.#swaps.set(swap, { told: others, taken });
    }
  }

  /** Something was signed for the swap: what it takes is no longer held in addition. */
  take(swap: string, id: string, taking: Taking): void {
    const held = this.#swaps.get(swap);
    if (held !== undefined) this.#swaps.set(swap, { ...held, taken: new Map(held.taken).set(id, taking) });
  }

  /** It will never go out, so what it took is held again. */
  giveBack(id: string): void {
    for (const [swap, { told, taken }] of this.#swaps) {
      if (!taken.has(id)) continue;
      this.#swaps.set(swap, { told, taken: new Map([...taken].filter(([other]) => other !== id)) });
    }
  }

  /** What is held for all swaps but one, by the given amount of each. */
  protected sum(except: string | undefined, amountOf: (held: Held<Told, Taking>) => bigint): bigint {
    return sumOf([...this.#swaps].map(([swap, held]) => (swap === except ? 0n : amountOf(held))));
  }

  /** All reports. */
  protected told(): readonly Told[] {
    return [...this.#swaps.values()].flatMap(({ told }) => [...told.values()]);
  }
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}
