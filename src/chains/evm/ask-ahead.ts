import type { PrepareRequest } from '../../ports/chain.ts';
import { allowanceOf, erc20Balance } from './contract-calls.ts';
import { useOf } from './nonce-use.ts';
import type { Parts } from './parts.ts';
import { dayPrices } from './prices.ts';
import type { EvmLook } from './reader.ts';
import { namedOf } from './terms.ts';
import { madeOf } from './transaction.ts';

/** What will be made; `purpose` decides what it takes. */
export type Coming = {
  readonly request: PrepareRequest;
  /** A look that asks each question only once. */
  readonly look: EvmLook;
};

/**
 * Asks everything at once that making and signing will ask about the account, so that a claim waits for a slow node once and not seven times, and the
 * claims of several swaps wait together. Never fails: code that needs an answer learns then that there is none.
 */
export async function askAhead(parts: Parts, { request, look }: Coming): Promise<void> {
  const { account, coin } = parts;
  const asked: Promise<unknown>[] = [
    askedToPay(parts, { look, moves: request.purpose === 'fee' || request.purpose === 'payment' }),
  ];
  const replaced = 'replaces' in request && request.replaces !== null ? madeOf(request.replaces.tx_hex) : null;
  if (replaced?.from === account.address)
    asked.push(useOf(look, { made: replaced, others: account.prepared.withNonceOf(replaced) }));
  const spender = request.purpose === 'payment' ? namedOf(request.terms, coin)?.contract : undefined;
  if (coin.token !== undefined && spender !== undefined)
    asked.push(allowanceOf(look, { token: coin.token.address, owner: account.address, spender }));
  await Promise.allSettled(asked);
}

/** What signing a transaction asks about the account; `moves`: also its amount of the coin, if that is a token. */
export async function askedToPay(
  { account, coin }: Pick<Parts, 'account' | 'coin'>,
  { look, moves }: { readonly look: EvmLook; readonly moves: boolean },
): Promise<unknown> {
  const { address: owner } = account;
  const token = moves ? coin.token?.address : undefined;
  return Promise.allSettled([
    ...[look.used(owner), look.promised(owner), look.balance(owner), dayPrices(account.prices, look)],
    ...(token === undefined ? [] : [erc20Balance(look, { token, owner })]),
  ]);
}
