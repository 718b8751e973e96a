import { notedState } from './belonging.ts';
import { ownPath } from './files.ts';
import { digestOfFile, isOpenHere, sizeOf } from './handles.ts';
import { notesAt } from './notes.ts';

/** A log that no process writes to: its file holds everything. */
export type RestingLog = {
  /** The one name of the log. */
  readonly file: string;
  /** SHA-256 over every byte of the file, in hex. Each writer changes it, since each opening renews the log's mark. */
  readonly digest: string;
  /** Id of the last opening that wrote to it; no other opening of any log has it. */
  readonly session: string;
};

export type RestingOptions = {
  /** A smaller file gives nothing, in bytes. @defaultValue any size */
  readonly least?: number;
};

/**
 * The digest of a log that its last writer has closed and that has no other files beside it. Undefined for any other log, and for one that
 * cannot be read: opening it says why.
 */
export function restingLog(path: string, { least = 0 }: RestingOptions = {}): RestingLog | undefined {
  try {
    const file = ownPath(path, { writing: false });
    if ((sizeOf(file) ?? -1) < least || !isAtRest(file)) return undefined;
    const digest = digestOfFile(file);
    const session = notesAt(file).mark?.session;
    // A writer that started meanwhile has left a file beside it, or another mark in it.
    return session !== undefined && isAtRest(file) ? { file, digest, session } : undefined;
  } catch {
    return undefined;
  }
}

/** The one name of a log in any state; undefined for a smaller one, and for one that cannot be read. */
export function logFile(path: string, { least = 0 }: RestingOptions = {}): string | undefined {
  try {
    const file = ownPath(path, { writing: false });
    return (sizeOf(file) ?? -1) < least ? undefined : file;
  } catch {
    return undefined;
  }
}

/** The opening of a log that writes to it, and the one before, as noted in its file; undefined if it notes none. */
export function sessionsOf(file: string): { readonly session: string; readonly before: string } | undefined {
  const { mark } = notesAt(file);
  return mark === undefined ? undefined : { session: mark.session, before: mark.before };
}

function isAtRest(file: string): boolean {
  const alone = (sizeOf(`${file}-wal`) ?? 0) === 0 && sizeOf(`${file}-journal`) === undefined;
  return alone && !isOpenHere(file) && notedState(file) === 'closed';
}
