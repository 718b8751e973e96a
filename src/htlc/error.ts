import { SwapfoldError, type SwapfoldErrorOptions } from '../primitives/error.ts';

/** Terms cannot be written as a script: a key, hash or lock time has no valid size, or a call of a contract has no valid address, gas or data. */
export class HtlcTermsError extends SwapfoldError {
  constructor(shortMessage: string, options: Omit<SwapfoldErrorOptions, 'code'> = {}) {
    super(shortMessage, { ...options, code: 'HTLC_TERMS_INVALID' });
  }
}

/** A claim or a refund cannot be made as it was asked for. */
export class HtlcSpendError extends SwapfoldError {
  constructor(problem: string) {
    super('The payment cannot be spent like this.', {
      code: 'HTLC_SPEND_INVALID',
      facts: { problem },
      next: 'Correct what is named; nothing was built, and the payment is where it was.',
    });
  }
}
