import { SwapfoldError, type SwapfoldErrorOptions } from '../primitives/error.ts';

/**
 * Terms cannot be written as a script: a key, hash or lock time has an invalid size, or a contract call has an invalid address, gas or data.
 *
 * @example
 * ```ts
 * import { HtlcTermsError, htlcRedeemScript, unixSecondsOf } from 'swapfold/htlc';
 *
 * const key = new Uint8Array(33).fill(2);
 * const lockTime = unixSecondsOf(1_734_579_600);
 * const terms = { lockTime, senderKey: key, receiverKey: key, secretHash: new Uint8Array(19) };
 * htlcRedeemScript(terms); // throws HtlcTermsError
 * new HtlcTermsError('No script holds these terms.').code; // → 'HTLC_TERMS_INVALID'
 * ```
 */
export class HtlcTermsError extends SwapfoldError {
  constructor(shortMessage: string, options: Omit<SwapfoldErrorOptions, 'code'> = {}) {
    super(shortMessage, { ...options, code: 'HTLC_TERMS_INVALID' });
  }
}

/**
 * The requested claim or refund cannot be built.
 *
 * @example
 * ```ts
 * import { HtlcSpendError } from 'swapfold/htlc';
 *
 * const error = new HtlcSpendError('the secret is not that of the terms');
 * error.code; // → 'HTLC_SPEND_INVALID'
 * error.facts; // → { problem: 'the secret is not that of the terms' }
 * ```
 */
export class HtlcSpendError extends SwapfoldError {
  constructor(problem: string) {
    super('The payment cannot be spent in this way.', {
      code: 'HTLC_SPEND_INVALID',
      facts: { problem },
      next: 'Correct the named value; nothing was built, and the payment is unchanged.',
    });
  }
}
