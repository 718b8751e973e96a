import type { SimChain } from './types.ts';

/** Whether a party's payment ever reached its chain. */
export function hasPaid({ ledger }: Pick<SimChain, 'ledger'>, party: 'maker' | 'taker'): boolean {
  return ledger.transactions(party).some(({ purpose }) => purpose === 'payment');
}
