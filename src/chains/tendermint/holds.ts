/** What is told of a swap by one coin of an account, in base units. */
export type Told = {
  readonly denom: string;
  /** All that the swap takes of the coin. */
  readonly amount: bigint;
  /** Fees of the denomination that pays them; a part of `amount` where that is the coin's own. */
  readonly fees: bigint;
};

/** What a signed transaction of a swap takes of what was told before it was signed, by denomination. */
export type Taking = ReadonlyMap<string, bigint>;

type Held = {
  /** By ticker. */
  readonly told: ReadonlyMap<string, Told>;
  /** By id of what was signed since. */
  readonly taken: ReadonlyMap<string, Taking>;
};

/** What swaps will still take of one account, told by all of its coins, all of which pay their fees with one. */
export class Holds {
  readonly #feeDenom: string;
  readonly #swaps = new Map<string, Held>();

  constructor(feeDenom: string) {
    this.#feeDenom = feeDenom;
  }

  /** Takes the place of what this coin told of the swap before. By then what was signed is no part of it any more. */
  set(swap: string, coin: string, told: Told): void {
    const others = new Map(this.#swaps.get(swap)?.told);
    if (told.amount === 0n && told.fees === 0n) others.delete(coin);
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

  /** What is held of a denomination for all swaps but one. */
  of(denom: string, except?: string): bigint {
    let total = 0n;
    for (const [swap, { told, taken }] of this.#swaps) {
      if (swap === except) continue;
      let all = 0n;
      for (const one of told.values()) all += this.#amountOf(one, denom);
      for (const taking of taken.values()) all -= taking.get(denom) ?? 0n;
      if (all > 0n) total += all;
    }
    return total;
  }

  /** Denominations of which anything is held. */
  denoms(): readonly string[] {
    const all = [...this.#swaps.values()].flatMap(({ told }) => [...told.values()].map(({ denom }) => denom));
    return [...new Set([...all, this.#feeDenom])].filter((denom) => this.of(denom) > 0n);
  }

  isAny(): boolean {
    return this.denoms().length > 0;
  }

  #amountOf({ denom: own, amount, fees }: Told, denom: string): bigint {
    const rest = own !== this.#feeDenom ? amount : amount > fees ? amount - fees : 0n;
    return (own === denom ? rest : 0n) + (denom === this.#feeDenom ? fees : 0n);
  }
}
