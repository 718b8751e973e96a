import { SwapfoldError } from '../../primitives/error.ts';

/** Codes of why the other party's log cannot be made out of a log. */
export type RecreateCode =
  | 'RECREATE_NOT_STARTED'
  | 'RECREATE_NOT_NEGOTIATED'
  | 'RECREATE_UNEXPECTED_EVENT'
  | 'RECREATE_NO_SUCH_COIN'
  | 'RECREATE_NO_SECRET_HASH'
  | 'RECREATE_FIELD_MISSING';

/** The error as the real node's `recreate_swap_data` answers it; its text is the `shortMessage`. */
export type KdfRecreateError =
  | { readonly error_type: 'SwapIsNotStarted' | 'SwapIsNotNegotiated' | 'NoSecretHash' }
  | {
      readonly error_type: 'UnexpectedEvent';
      readonly error_data: { readonly expected: string; readonly found: string };
    }
  | { readonly error_type: 'NoSuchCoin'; readonly error_data: { readonly coin: string } }
  | { readonly error_type: 'Internal'; readonly error_data: string };

/**
 * The other party's log cannot be made out of this one. The `shortMessage` is KDF's text.
 *
 * @example
 * ```ts
 * import { RecreateError, recreateSwap } from 'swapfold/replay';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'taker', path: ['Started'] });
 * let told: unknown;
 * try {
 *   recreateSwap(log);
 * } catch (error) {
 *   if (error instanceof RecreateError) told = error.kdf;
 * }
 * told; // → { error_type: 'SwapIsNotNegotiated' }
 * ```
 */
export class RecreateError extends SwapfoldError {
  declare readonly code: RecreateCode;
  readonly kdf: KdfRecreateError;

  constructor(
    code: RecreateCode,
    text: string,
    { kdf, next }: { readonly kdf: KdfRecreateError; readonly next: string },
  ) {
    super(text, { code, next });
    this.kdf = kdf;
  }
}

const NOTHING_AT_STAKE = 'Neither party has paid before the negotiation ended, so there is nothing to recover.';

/** The log holds no event. */
export function notStarted(): RecreateError {
  return new RecreateError('RECREATE_NOT_STARTED', "Swap hasn't been started. Swap not recoverable", {
    kdf: { error_type: 'SwapIsNotStarted' },
    next: NOTHING_AT_STAKE,
  });
}

/** The log ends after Started. */
export function notNegotiated(): RecreateError {
  return new RecreateError('RECREATE_NOT_NEGOTIATED', "Swap hasn't been negotiated. Swap not recoverable", {
    kdf: { error_type: 'SwapIsNotNegotiated' },
    next: NOTHING_AT_STAKE,
  });
}

/** One of the first two events is another one. `found` is the status line of that event. */
export function unexpectedEvent(expected: 'Started' | 'Negotiated', found: string): RecreateError {
  return new RecreateError('RECREATE_UNEXPECTED_EVENT', `Expected '${expected}' event, found '${found}'`, {
    kdf: { error_type: 'UnexpectedEvent', error_data: { expected, found } },
    next: 'Check whether the log is whole: it must begin with Started and Negotiated.',
  });
}

/** The coin that would have to read the secret from a transaction is not active. */
export function noSuchCoin(coin: string): RecreateError {
  return new RecreateError('RECREATE_NO_SUCH_COIN', `No such coin ${coin}`, {
    kdf: { error_type: 'NoSuchCoin', error_data: { coin } },
    next: `Activate ${coin} and try again.`,
  });
}

/** Neither Started nor Negotiated says the hash of the secret. */
export function noSecretHash(): RecreateError {
  return new RecreateError('RECREATE_NO_SECRET_HASH', "'secret_hash' not found in swap data", {
    kdf: { error_type: 'NoSecretHash' },
    next: 'Without it no payment of the swap can be found or spent. Look for a fuller copy of the log.',
  });
}

/** A member is null that the other party's log is derived from; the real node does not load such a log. */
export function fieldMissing(member: string): RecreateError {
  return new RecreateError('RECREATE_FIELD_MISSING', `'${member}' not found in swap data`, {
    kdf: { error_type: 'Internal', error_data: `'${member}' not found in swap data` },
    next: 'Look for a fuller copy of the log: this one lost a member that the other log needs.',
  });
}
