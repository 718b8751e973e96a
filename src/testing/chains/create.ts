import { createAccountChain, createAutoRefundChain } from './account/chain.ts';
import type { SimChain, SimChainKind, SimChainOptions } from './types.ts';
import { createUtxoChain } from './utxo/chain.ts';

const CREATE: Readonly<Record<SimChainKind, (options: SimChainOptions) => SimChain>> = {
  utxo: createUtxoChain,
  account: createAccountChain,
  autoRefund: createAutoRefundChain,
};

/** A simulated chain of the given kind. @throws RangeError for options out of bounds. */
export function createSimChain(kind: SimChainKind, options: SimChainOptions): SimChain {
  return CREATE[kind](options);
}
