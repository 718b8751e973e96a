import { createAccountChain, createAutoRefundChain } from './account/chain.ts';
import { checkChainOptions } from './check-options.ts';
import type { SimChain, SimChainKind, SimChainOptions } from './types.ts';
import { createUtxoChain } from './utxo/chain.ts';

const CREATE: Readonly<Record<SimChainKind, (options: SimChainOptions) => SimChain>> = {
  utxo: createUtxoChain,
  account: createAccountChain,
  autoRefund: createAutoRefundChain,
};

/**
 * A simulated chain of the given kind. @throws RangeError for options out of bounds, MemberTypeError and MemberValueError for an unknown kind or
 * option.
 *
 * @example
 * ```ts
 * import { decimalOf, unixSecondsOf } from 'swapfold';
 * import { createSimChain, xorshift32 } from 'swapfold/testing';
 *
 * const now = () => unixSecondsOf(1_700_000_000);
 * const chain = createSimChain('account', { coin: 'ETH', decimals: 18, now, rng: xorshift32(7) });
 * chain.wallet({ party: 'alice', funds: decimalOf('2.5') });
 * chain.ledger.balance('alice').confirmed; // → 2_500_000_000_000_000_000n
 * const { height } = chain.mine();
 * [chain.height() === height, chain.ledger.imbalance()]; // → [true, null]
 * createSimChain('utxo', { coin: 'DOC', decimals: 19, now, rng: xorshift32(7) }); // throws RangeError
 * ```
 */
export function createSimChain(kind: SimChainKind, options: SimChainOptions): SimChain {
  checkChainOptions(kind, options);
  return CREATE[kind](options);
}
