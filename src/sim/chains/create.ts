import { createAccountChain, createAutoRefundChain } from './account/chain.ts';
import { checkChainOptions } from './check-options.ts';
import type { SimChain, SimChainKind, SimChainOptions } from './types.ts';
import { createUtxoChain } from './utxo/chain.ts';

const CREATE: Readonly<Record<SimChainKind, (options: SimChainOptions) => SimChain>> = {
  utxo: createUtxoChain,
  account: createAccountChain,
  autoRefund: createAutoRefundChain,
};

/** A simulated chain of the given kind. @throws RangeError for options out of bounds, MemberTypeError and MemberValueError for a kind or an option that there is not. */
export function createSimChain(kind: SimChainKind, options: SimChainOptions): SimChain {
  checkChainOptions(kind, options);
  return CREATE[kind](options);
}
