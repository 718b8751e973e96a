import { SwapfoldError, type SwapfoldErrorOptions } from '../primitives/error.ts';

/** The terms of a hash time lock cannot be written as a script: a key, hash or lock time has no valid size. */
export class HtlcTermsError extends SwapfoldError {
  constructor(shortMessage: string, options: Omit<SwapfoldErrorOptions, 'code'> = {}) {
    super(shortMessage, { ...options, code: 'HTLC_TERMS_INVALID' });
  }
}
