import { asSwapfoldError } from '../../events/wrappers.ts';
import { SwapfoldError } from '../../primitives/error.ts';

/** Error codes for a line of a log file. */
export type JsonlCode = 'TORN_LINE' | 'LINE_TOO_LONG' | 'LINE_NOT_UTF8' | 'CHAIN_BROKEN';

/** A line of a log file that cannot be read as text of whole lines. */
export class JsonlError extends SwapfoldError {
  declare readonly code: JsonlCode;
}

/** A line that could not be read. All others are still read. */
export type LineError = {
  /** Number of the line in its file, from 1. */
  readonly line: number;
  /** The stream of the line, if known. */
  readonly stream: string | null;
  /** Its sequence number in that stream, if known. */
  readonly seq: number | null;
  readonly error: SwapfoldError;
};

/** Longest line accepted, in bytes without its line feed: a swap's largest record is some 10 KB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export function tooLong(line: number, bound: number): JsonlError {
  return new JsonlError('A line of the log is longer than a record can be.', {
    code: 'LINE_TOO_LONG',
    facts: { line, 'bound in bytes': bound },
    next: 'Check that the file is a swapfold log: one JSON object on each line.',
  });
}

export function torn(line: number, cause: unknown): JsonlError {
  return new JsonlError(
    'The last line of the log is incomplete: it ends in the middle of a record, without a line feed.',
    {
      code: 'TORN_LINE',
      facts: { line, found: asSwapfoldError(cause).shortMessage },
      next: 'A writer was interrupted. All lines before it were read; remove the incomplete line before you append.',
    },
  );
}

/** A stream that is not replayed, with records that differ from what its writer sealed. */
export function chainBroken(place: {
  readonly line: number;
  readonly stream: string;
  readonly seq: number;
  readonly why: string;
}): JsonlError {
  const { line, stream, seq, why } = place;
  return new JsonlError('A stream of the log changed after it was written.', {
    code: 'CHAIN_BROKEN',
    facts: { line, stream, seq, found: why },
    next: 'The stream is not a swap and was not replayed; restore it from a copy of the log.',
  });
}

export function notUtf8(line: number): JsonlError {
  return new JsonlError('A line of the log is not UTF-8 text.', {
    code: 'LINE_NOT_UTF8',
    facts: { line },
    next: 'The file was damaged or written in another encoding; restore the line from a copy.',
  });
}
