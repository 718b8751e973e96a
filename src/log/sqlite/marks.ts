import { type Connection, textOf } from './connection.ts';
import { type Mark, markAfter, markOfSession, markText, parseMark, sealedText } from './mark.ts';

/** Keeps the mark of a log that is open for writing. */
export type Marks = {
  /** Writes the mark of the current transaction. @throws MarkLost */
  readonly write: () => void;
  /** The transaction is durable. */
  readonly settle: () => void;
};

/** Another process has written to the log, whatever its lock says. */
export class MarkLost extends Error {}

/** Continues from the mark in the log. */
export function createMarks(connection: Connection): Marks {
  let mark: Mark | undefined;
  let written: Mark | undefined;
  // Only if it still is the one that this process wrote last.
  const update = connection.prepare(REPLACE);
  return {
    write() {
      mark ??= currentMark(connection);
      written = markAfter(mark);
      if (update.change([markText(written), markText(mark)]) !== 1) throw new MarkLost();
    },
    settle() {
      if (written !== undefined) mark = written;
    },
  };
}

/** Notes in the file itself, permanently, that the log is open, and under which name. */
export function beginSession(connection: Connection, file: string): void {
  const mark = currentMark(connection);
  const home = connection.prepare("UPDATE meta SET value = ? WHERE name = 'home' AND value <> ?1");
  inTransaction(connection, () => {
    replaceMark(connection, mark, markOfSession(mark));
    home.run([sealedText(file)]);
  });
  connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
}

/** Notes that the file alone is the complete log, and makes it so. */
export function endSession(connection: Connection): void {
  const mark = currentMark(connection);
  inTransaction(connection, () => replaceMark(connection, mark, markAfter(mark, 'closed')));
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

const REPLACE = "UPDATE meta SET value = ? WHERE name = 'mark' AND value = ?";

function currentMark(connection: Connection): Mark {
  const text = textOf(connection.value("SELECT CAST(value AS BLOB) FROM meta WHERE name = 'mark'"));
  const mark = parseMark(text ?? '');
  if (mark === undefined) throw new MarkLost();
  return mark;
}

function replaceMark(connection: Connection, before: Mark, after: Mark): void {
  const replaced = connection.prepare(REPLACE).change([markText(after), markText(before)]);
  if (replaced !== 1) throw new MarkLost();
}

function inTransaction(connection: Connection, action: () => void): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    action();
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
    throw error;
  }
}
