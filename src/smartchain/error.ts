import { SwapfoldError, type SwapfoldErrorOptions } from '../primitives/error.ts';

/** Every way in which the embedded chain refuses a request of its own program. Invalid data from peers is refused by value. */
export type SmartChainErrorCode =
  | 'SMARTCHAIN_KEY_INVALID'
  | 'SMARTCHAIN_OPTION_INVALID'
  | 'SMARTCHAIN_CONDITION_INVALID'
  | 'SMARTCHAIN_LEDGER_DAMAGED'
  | 'SMARTCHAIN_BLOCK_REFUSED'
  | 'SMARTCHAIN_CLOCK_INVALID'
  | 'SMARTCHAIN_TRANSACTION_INVALID'
  | 'SMARTCHAIN_SENDING_UNKNOWN'
  | 'SMARTCHAIN_WALLET_UNREADABLE'
  | 'SMARTCHAIN_WALLET_UNWRITABLE';

/**
 * The embedded chain cannot do what its caller requested.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { openSmartChain, SmartChainError } from 'swapfold/smartchain';
 *
 * const options = { log: createMemoryLog(), now: () => millisOf(1_764_000_000_000) };
 * const opening = openSmartChain({ ...options, params: { maturity: -1 } });
 * const fault: unknown = await opening.catch((error: unknown) => error);
 * fault instanceof SmartChainError && fault.code; // → 'SMARTCHAIN_OPTION_INVALID'
 * ```
 */
export class SmartChainError extends SwapfoldError {
  declare readonly code: SmartChainErrorCode;

  constructor(code: SmartChainErrorCode, shortMessage: string, options: Omit<SwapfoldErrorOptions, 'code'> = {}) {
    super(shortMessage, { ...options, code });
  }
}
