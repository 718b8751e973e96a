import { notedState } from './belonging.ts';
import { ownPath } from './files.ts';
import { digestOfFile, isOpenHere, sizeOf } from './handles.ts';

/** A log that nobody writes to: its file alone is all of it. */
export type RestingLog = {
  /** The one name of the log. */
  readonly file: string;
  /** SHA-256 over every byte of the file, in hex. Each writer changes it, since each opening renews the log's mark. */
  readonly digest: string;
};

export type RestingOptions = {
  /** A smaller file gives nothing, in bytes. @defaultValue any will do */
  readonly least?: number;
};

/**
 * The digest of a log that its last writer has closed and beside which nothing lies. Undefined for any other log, and for what cannot be
 * read: opening it tells why.
 */
export function restingLog(path: string, { least = 0 }: RestingOptions = {}): RestingLog | undefined {
  try {
    const file = ownPath(path, { writing: false });
    if ((sizeOf(file) ?? -1) < least || !isAtRest(file)) return undefined;
    const digest = digestOfFile(file);
    // Whoever has begun to write meanwhile has left something beside it, or another mark in it.
    return isAtRest(file) ? { file, digest } : undefined;
  } catch {
    return undefined;
  }
}

function isAtRest(file: string): boolean {
  const alone = (sizeOf(`${file}-wal`) ?? 0) === 0 && sizeOf(`${file}-journal`) === undefined;
  return alone && !isOpenHere(file) && notedState(file) === 'closed';
}
