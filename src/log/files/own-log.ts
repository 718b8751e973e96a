import { open, stat } from 'node:fs/promises';
import { APPLICATION_ID } from '../sqlite/schema.ts';
import { isLogFile } from './log-file.ts';

// Offset of the application id in the header of an SQLite file (https://www.sqlite.org/fileformat.html, section 1.3).
const ID_OFFSET = 68;
const HEADER_BYTES = 100;

/**
 * Whether a file that was found in a folder is an event log of this package: other programs keep databases beside stored swaps.
 * A log whose first transaction still lies in the file beside it has no mark yet, and is taken. So is what cannot be read.
 */
export async function isOwnLog(path: string): Promise<boolean> {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = await open(path);
    try {
      await file.read(header, 0, HEADER_BYTES, 0);
    } finally {
      await file.close();
    }
  } catch {
    return true;
  }
  if (!isLogFile(header)) return false;
  const id = header.readUInt32BE(ID_OFFSET);
  if (id !== 0) return id === APPLICATION_ID;
  const beside = await stat(`${path}-wal`).catch(() => null);
  return beside !== null && beside.size > 0;
}
