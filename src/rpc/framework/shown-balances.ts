import type { ActiveCoin } from '../../node/active-coin.ts';
import { internalFailure } from './failure.ts';

/** An address and what it holds, as answers show it: texts without zeros behind the last digit. */
export type ShownBalances = {
  readonly address: string;
  readonly balance: string;
  readonly unspendable_balance: string;
};

/** @throws RpcFailure when the chain does not answer */
export async function shownBalances({ address, balances }: ActiveCoin): Promise<ShownBalances> {
  const found = await balances();
  if (!found.ok) throw internalFailure(`Transport: ${found.fault.message}`);
  return { address, balance: found.value.spendable, unspendable_balance: found.value.unspendable };
}
