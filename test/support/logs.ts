import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/log/sqlite/connection.ts';

/** A folder for one log, and the name of a log in it that does not exist yet. */
export function scratchLog(): { readonly folder: string; readonly path: string; readonly dispose: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-log-'));
  return { folder, path: join(folder, 'log.db'), dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Changes the payload of a stored record, and nothing else. */
export function alterRecord(path: string, stream: string, seq: number): void {
  const connection = connect(path);
  connection
    .prepare(`UPDATE records SET data = '"altered"' WHERE seq = ? AND stream = (SELECT id FROM streams WHERE name = ?)`)
    .run([seq, stream]);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
}
