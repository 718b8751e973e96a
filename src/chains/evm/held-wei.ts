import { weiToRaise } from './account.ts';
import type { Parts } from './parts.ts';
import { type DayPrices, usualPrice } from './prices.ts';
import type { EvmLook } from './reader.ts';

/** Wei that swaps hold, except `except`, and what raising their signed claims and refunds to the current price takes. */
export async function heldWei(
  { account }: Pick<Parts, 'account'>,
  { look, day, except }: { readonly look: EvmLook; readonly day: DayPrices; readonly except?: string },
): Promise<bigint> {
  const price = usualPrice(account.prices, day).most;
  const waiting = account.waiting(await look.used(account.address));
  return waiting.reduce(
    (sum, made) => sum + weiToRaise(made, price),
    account.holds.wei({ price, ...(except === undefined ? {} : { except }) }),
  );
}
