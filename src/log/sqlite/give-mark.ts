import { dirname } from 'node:path';
import { connect } from './connection.ts';
import { replaceWhole } from './files.ts';
import { sizeOf } from './handles.ts';
import { addMark } from './schema.ts';
import { takeSnapshot } from './snapshot.ts';

/**
 * Gives a log of an earlier release its mark, in a copy that replaces the file at once. So a file without a mark
 * never has a write-ahead log with one, which nothing would tell apart from that of another log.
 *
 * Uses connections without statements, which release their files when they are closed. The caller holds the lock.
 */
export async function giveMark(file: string): Promise<void> {
  if ((sizeOf(`${file}-wal`) ?? 0) > 0) {
    const connection = connect(file);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
  }
  const { file: copy, dispose } = await takeSnapshot(file, dirname(file));
  try {
    const connection = connect(copy);
    addMark(connection, { home: file });
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
    replaceWhole(file, copy);
  } finally {
    dispose();
  }
}
