import { SwapfoldError, type SwapfoldErrorOptions } from '../../primitives/error.ts';

/** Why a coin of an EVM chain cannot be used as described. */
export type EvmCoinCode = 'EVM_CONTRACT_ABSENT' | 'EVM_TOKEN_ABSENT' | 'EVM_TOKEN_DECIMALS' | 'EVM_TOKEN_NOT_STANDARD';

/**
 * A coin that cannot be used as described, distinguished by `code`.
 *
 * @example
 * ```ts
 * import { EvmCoinError } from 'swapfold/chains/evm';
 *
 * const options = { facts: { coin: 'USDC' }, next: 'Correct the address of the token.' };
 * const error = new EvmCoinError('EVM_TOKEN_ABSENT', 'There is no token here.', options);
 * [error.code, error.facts['coin']]; // → ['EVM_TOKEN_ABSENT', 'USDC']
 * ```
 */
export class EvmCoinError extends SwapfoldError {
  declare readonly code: EvmCoinCode;

  constructor(code: EvmCoinCode, message: string, options: Omit<SwapfoldErrorOptions, 'code'>) {
    super(message, { ...options, code });
  }
}
