import { SwapHolds, sumOf } from '../accounts/swap-holds.ts';

/** What one coin of an account reserves for a swap, in base units. */
export type Told = {
  readonly denom: string;
  /** Everything that the swap takes of the coin. */
  readonly amount: bigint;
  /** Fees of the denomination that pays them; a part of `amount` where that is the coin's own. */
  readonly fees: bigint;
};

/** By denomination, the part of the reservation that signed transactions of the swap take. */
export type Taking = ReadonlyMap<string, bigint>;

/** What swaps will still take of one account, told by all of its coins, all of which pay their fees with one. */
export class Holds extends SwapHolds<Told, Taking> {
  readonly #feeDenom: string;

  constructor(feeDenom: string) {
    super(({ amount, fees }) => amount === 0n && fees === 0n);
    this.#feeDenom = feeDenom;
  }

  /** What is held of a denomination for all swaps but one. */
  of(denom: string, except?: string): bigint {
    return this.sum(except, ({ told, taken }) => {
      const all = sumOf([...told.values()].map((one) => this.#amountOf(one, denom)));
      const left = all - sumOf([...taken.values()].map((taking) => taking.get(denom) ?? 0n));
      return left > 0n ? left : 0n;
    });
  }

  /** Denominations with a reservation. */
  denoms(): readonly string[] {
    const all = this.told().map(({ denom }) => denom);
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
