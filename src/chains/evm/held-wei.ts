import { weiToRaise } from './account.ts';
import type { Parts } from './parts.ts';
import { type DayPrices, usualPrice } from './prices.ts';
import type { Look } from './reader.ts';

/** Wei that swaps hold, and what it takes to make what they have signed to end payments as dear as it has to be now. */
export async function heldWei(
  { account }: Pick<Parts, 'account'>,
  { look, day }: { readonly look: Look; readonly day: DayPrices },
): Promise<bigint> {
  const price = usualPrice(account.prices, day).most;
  const waiting = account.waiting(await look.used(account.address));
  return waiting.reduce((sum, made) => sum + weiToRaise(made, price), account.holds.wei({ price }));
}
