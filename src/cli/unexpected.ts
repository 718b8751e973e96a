import { SwapfoldError } from '../primitives/error.ts';

/**
 * What went wrong with one swap, as a typed error: one that was not foreseen is named by its kind alone, since its own
 * text may quote the log.
 */
export function swapError(error: unknown): SwapfoldError {
  if (error instanceof SwapfoldError) return error;
  return new SwapfoldError('Something went wrong here that should never go wrong.', {
    code: 'UNEXPECTED',
    facts: { kind: error instanceof Error ? error.name : typeof error },
    next: 'This is a bug in swapfold, not a fault of the log: please report it with the version (swapfold --version).',
  });
}
