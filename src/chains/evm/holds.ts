/** What is told of a swap by one coin of an account: wei, base units of the coin, and gas. */
export type Told = {
  /** The token that it is told of, 40 hex digits; null for the chain's own coin, whose `amount` is all that the swap takes of it. */
  readonly token: string | null;
  readonly amount: bigint;
  /** Wei of fees; a part of `amount` where that is of the chain's own coin. */
  readonly fees: bigint;
  /** Gas of spends that those are for and that are not signed. */
  readonly gas: bigint;
};

/** What a signed transaction of a swap takes of what was told before it was signed. */
export type Taking = { readonly wei: bigint; readonly token: string | null; readonly tokens: bigint };

type Held = {
  /** By ticker. */
  readonly told: ReadonlyMap<string, Told>;
  /** By id of what was signed since. */
  readonly taken: ReadonlyMap<string, Taking>;
};

/** What of an account is asked for. `price`: wei that a unit of gas costs now. `except`: a swap that is not counted. */
export type Asked = { readonly price: bigint; readonly except?: string };

/**
 * What swaps will still take of one account, told by all of its coins, whichever of them the swaps trade: all pay their gas with the chain's own coin,
 * which nobody needs to have in use, and each may be moved by bytes that are sent through another.
 */
export class Holds {
  readonly #swaps = new Map<string, Held>();

  /** Takes the place of what this coin told of the swap before. By then what was signed is no part of it any more. */
  set(swap: string, coin: string, told: Told): void {
    const others = new Map(this.#swaps.get(swap)?.told);
    if (told.amount === 0n && told.fees === 0n && told.gas === 0n) others.delete(coin);
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

  /** In wei; of what ends payments no less than it costs now. */
  wei({ price, except }: Asked): bigint {
    return this.#sum(except, ({ told, taken }) => {
      let [own, fees, ends, atPrice] = [0n, 0n, 0n, 0n];
      for (const { token, amount, fees: some, gas } of told.values()) {
        if (token === null) own = amount;
        fees += some;
        ends += some > gas * price ? some : gas * price;
        atPrice += gas * price;
      }
      // What is told of the chain's own coin holds the fees of all coins of the account.
      const all = ends + (own > fees ? own - fees : 0n);
      const left = all - sumOf([...taken.values()].map(({ wei }) => wei));
      return left > atPrice ? left : atPrice;
    });
  }

  /** In base units of the token. */
  tokens(token: string, { except }: Pick<Asked, 'except'> = {}): bigint {
    return this.#sum(except, ({ told, taken }) => {
      const all = sumOf([...told.values()].map((one) => (one.token === token ? one.amount : 0n)));
      const left = all - sumOf([...taken.values()].map((one) => (one.token === token ? one.tokens : 0n)));
      return left > 0n ? left : 0n;
    });
  }

  /** The tokens of which anything is held. */
  heldTokens(): readonly string[] {
    const all = [...this.#swaps.values()].flatMap(({ told }) => [...told.values()].map(({ token }) => token));
    return [...new Set(all.filter((token) => token !== null))].filter((token) => this.tokens(token) > 0n);
  }

  #sum(except: string | undefined, amountOf: (held: Held) => bigint): bigint {
    return sumOf([...this.#swaps].map(([swap, held]) => (swap === except ? 0n : amountOf(held))));
  }
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
