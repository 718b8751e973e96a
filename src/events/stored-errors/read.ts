import { ERROR_KINDS, type StoredErrorKind, UNKNOWN_ERROR } from './kinds.ts';
import { reasonIn } from './reason.ts';

/** An error text of a log, read for people. */
export type StoredError = {
  readonly kind: StoredErrorKind;
  /** The text without places in the code, requests and whole transactions; empty where it says nothing but these. */
  readonly reason: string;
  /** What it means, as a sentence without its full stop. */
  readonly means: string;
  /** What to do about it before the step is tried again. */
  readonly cure: string;
};

/**
 * Reads an error text as nodes store them in events of type `…Failed` (stored-swap errors of the real node, and those of the nodes behind it). No rule of
 * the engine depends on it. The kind of `taker_swap:899] utxo:1009] 66: min relay fee not met`, for instance, is `feeTooLow`.
 */
export function readStoredError(text: string): StoredError {
  const reason = reasonIn(text);
  const row = ERROR_KINDS.find(({ words }) => words.test(reason));
  const { means, cure } = row ?? UNKNOWN_ERROR;
  return { kind: row?.kind ?? 'unknown', reason, means, cure };
}
