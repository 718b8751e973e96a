import { SwapHolds, sumOf } from '../accounts/swap-holds.ts';

/** What one coin of an account reports about a swap: wei, base units of the coin, and gas. */
export type Told = {
  /** The token concerned, 40 hex digits; null for the chain's own coin, whose `amount` is everything that the swap takes of it. */
  readonly token: string | null;
  readonly amount: bigint;
  /** Wei of fees; a part of `amount` if that is in the chain's own coin. */
  readonly fees: bigint;
  /** Gas of the unsigned spends that those fees are for. */
  readonly gas: bigint;
};

/** What a signed transaction of a swap takes of what was reported before it was signed. */
export type Taking = { readonly wei: bigint; readonly token: string | null; readonly tokens: bigint };

/** The question about an account. `price`: wei that a unit of gas costs now. `except`: a swap that is not counted. */
export type Asked = { readonly price: bigint; readonly except?: string };

/**
 * What swaps will still take from one account, reported by all of its coins, whichever of them the swaps trade: all pay their gas with the chain's own
 * coin, which nobody needs to have in use, and each may be moved by bytes that are sent through another.
 */
export class Holds extends SwapHolds<Told, Taking> {
  constructor() {
    super(({ amount, fees, gas }) => amount === 0n && fees === 0n && gas === 0n);
  }

  /** In wei; for ends of payments, at least their current cost. */
  wei({ price, except }: Asked): bigint {
    return this.sum(except, ({ told, taken }) => {
      let [own, fees, ends, atPrice] = [0n, 0n, 0n, 0n];
      for (const { token, amount, fees: some, gas } of told.values()) {
        if (token === null) own = amount;
        fees += some;
        ends += some > gas * price ? some : gas * price;
        atPrice += gas * price;
      }
      // The report on the chain's own coin includes the fees of all coins of the account.
      const all = ends + (own > fees ? own - fees : 0n);
      const left = all - sumOf([...taken.values()].map(({ wei }) => wei));
      return left > atPrice ? left : atPrice;
    });
  }

  /** In base units of the token. */
  tokens(token: string, { except }: Pick<Asked, 'except'> = {}): bigint {
    return this.sum(except, ({ told, taken }) => {
      const all = sumOf([...told.values()].map((one) => (one.token === token ? one.amount : 0n)));
      const left = all - sumOf([...taken.values()].map((one) => (one.token === token ? one.tokens : 0n)));
      return left > 0n ? left : 0n;
    });
  }

  /** The tokens with a reservation. */
  heldTokens(): readonly string[] {
    const all = this.told().map(({ token }) => token);
    return [...new Set(all.filter((token) => token !== null))].filter((token) => this.tokens(token) > 0n);
  }
}
