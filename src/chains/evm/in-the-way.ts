import type { EvmAccount } from './account.ts';
import { type DayPrices, dayPrices, dearerOf, leastPrice, priceAt, replacementOf, within } from './prices.ts';
import type { EvmLook } from './reader.ts';
import { isKnownAlready } from './refusals.ts';
import { canBeDearer, type Made, type Price } from './transaction.ts';

type Way = { readonly made: Made; readonly look: EvmLook };

async function before(account: EvmAccount, { made, look }: Way): Promise<readonly Made[]> {
  return account.waiting(await look.used(account.address)).filter(({ nonce }) => nonce < made.nonce);
}

/** Asks what making way will ask, at the same time and before the account's turn, through a look that has each answer only once. Never fails. */
export async function askAhead(account: EvmAccount, way: Way): Promise<void> {
  const all = await before(account, way).catch(() => []);
  if (all.length === 0) return;
  const { look } = way;
  await Promise.allSettled([dayPrices(account.prices, look), ...all.map(({ id }) => look.transaction(id))]);
}

/**
 * Makes way for a claim or a refund: a transaction with an earlier nonce that waits at a price for which no block includes it, or that is well below
 * that of the one behind it, is offered again with the same content at a sufficient price, within the ceiling. One nonce is used once, so that nothing
 * is paid twice; a fee then has another id, and a payment is found by its terms. What no node has is sent again.
 *
 * @throws BackendSilent
 */
export async function clearWay(account: EvmAccount, { made, look }: Way): Promise<void> {
  const waiting = await before(account, { made, look });
  if (waiting.length === 0) return;
  const [day, all] = await Promise.all([
    dayPrices(account.prices, look),
    Promise.all(waiting.map(({ id }) => look.transaction(id))),
  ]);
  for (const [place, one] of waiting.entries()) {
    const known = all[place] ?? null;
    // What is signed and in no log yet must not go out.
    if (known?.isWaiting === false || (known === null && !account.isOut(one))) continue;
    const price = outbidding(account, { one, behind: made.price, day });
    if (price !== null) await offer(account, { one, price, day });
    else if (known === null) await account.reader.send(one.hex);
  }
}

type Bidding = { readonly one: Made; readonly behind: Price; readonly day: DayPrices };

/** Null if the price suffices, or if the ceiling permits none that would. */
function outbidding({ prices }: EvmAccount, { one, behind, day }: Bidding): Price | null {
  if (!canBeDearer(one)) return null;
  const least = leastPrice(prices, day);
  const offered = (price: Price) => within({ ...price, most: price.most - day.baseFee }, price.tip).most;
  const isShut = one.price.most < least.most;
  const isOutranked = offered(behind) * 8n > offered(one.price) * 9n;
  if (!isShut && !isOutranked) return null;
  const must = replacementOf(one.price);
  const wanted = [priceAt({ day, urgency: 0 }), least, behind].reduce(dearerOf, must);
  const { most, tip } = within(wanted, day.ceiling);
  if (most < must.most || tip < must.tip) return null;
  return { most, tip: day.legacy ? most : tip };
}

async function offer(
  account: EvmAccount,
  { one, price, day }: { readonly one: Made; readonly price: Price; readonly day: DayPrices },
): Promise<void> {
  const dearer = await account.signDearer(one, price, day);
  account.offer(dearer);
  const refusal = await account.reader.send(dearer.hex);
  if (refusal !== null && !isKnownAlready(refusal)) account.giveBack(dearer);
}
