import { closeSync, openSync, writeSync } from 'node:fs';
import { sizeOf } from './handles.ts';
import { INDEX_HEADER_BYTES } from './wal.ts';

/**
 * Makes SQLite read the whole write-ahead log again. It does so by itself when nobody has the file open, but a connection that this
 * process closed lives on until its statements are collected; the index that it keeps may lack the last transaction of another
 * process that was killed between writing it and counting it.
 */
export function forgetIndex(file: string): void {
  const index = `${file}-shm`;
  if ((sizeOf(index) ?? 0) < INDEX_HEADER_BYTES) return;
  const handle = openSync(index, 'r+');
  try {
    writeSync(handle, Buffer.alloc(INDEX_HEADER_BYTES), 0, INDEX_HEADER_BYTES, 0);
  } finally {
    closeSync(handle);
  }
}
