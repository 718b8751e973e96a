import { LogError } from '../log-error.ts';
import { digestOfFile, readBytes, sizeOf } from './handles.ts';
import { follows, type Mark, sameMark } from './mark.ts';
import { headerOf, META_PAGE, markIn, notesAt } from './notes.ts';
import { PAGE_BYTES, UNMARKED_FORMAT } from './schema.ts';
import type { WalReport } from './wal.ts';

/**
 * How a write-ahead log relates to the file next to it.
 *
 * - `own`: part of it, or nothing shows that it is not.
 * - `foreign`: of another log, or of another time of this one.
 * - `leftover`: of a damaged log that this file replaced, and kept with it.
 */
export type Belonging = 'own' | 'foreign' | 'leftover';

/** Judges a write-ahead log by the marks in it (I1). */
export function belongingOf(file: string, wal: WalReport): Belonging {
  if (wal.frames.length === 0) return 'own';
  const { mark, replaced } = notesAt(file);
  if (replaced !== undefined && replaced.wal === walDigest(file)) return 'leftover';
  const marks = marksOf(file, wal);
  const [first] = marks;
  if (mark === undefined) {
    return first !== undefined && headerOf(file)?.format === UNMARKED_FORMAT ? 'foreign' : 'own';
  }
  // A damaged one may lack any mark; one without all of them is damage to report.
  if (wal.state === 'damaged')
    return first === undefined || marks.some(({ log }) => log === mark.log) ? 'own' : 'foreign';
  const fits = first !== undefined && (follows(mark, first) || marks.some((one) => sameMark(one, mark)));
  return fits ? 'own' : 'foreign';
}

function marksOf(file: string, { frames }: WalReport): readonly Mark[] {
  return frames.flatMap(({ page, offset }) => {
    if (page !== META_PAGE) return [];
    const image = readBytes(`${file}-wal`, { at: offset, length: PAGE_BYTES });
    return (image === undefined ? undefined : markIn(image)) ?? [];
  });
}

/** SHA-256 of the write-ahead log beside a file, in hex; `none` if it is missing or empty. */
export function walDigest(file: string): string {
  const wal = `${file}-wal`;
  return (sizeOf(wal) ?? 0) === 0 ? 'none' : digestOfFile(wal);
}

/** Whether a file says that a write-ahead log with a transaction lies beside it (I2); undefined if it says nothing. */
export function notedState(file: string): Mark['state'] | undefined {
  return notesAt(file).mark?.state;
}

export function walForeign(file: string): LogError {
  return new LogError(
    'LOG_WAL_FOREIGN',
    'The write-ahead log next to the log belongs to another log; nothing was read or changed.',
    {
      facts: { file, wal: `${file}-wal`, log: notesAt(file).mark?.log },
      next: 'Move it to another folder, or restore the file that it belongs to. Never delete one that may belong to a log.',
      retry: 'operator',
    },
  );
}

export function journalForeign(file: string): LogError {
  return new LogError(
    'LOG_WAL_FOREIGN',
    'A rollback journal lies next to the log, which never has one; nothing was read or changed.',
    {
      facts: { file, journal: `${file}-journal` },
      next: 'Move it to another folder: SQLite would write its pages over the log.',
      retry: 'operator',
    },
  );
}
