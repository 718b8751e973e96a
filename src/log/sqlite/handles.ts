import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Files that this process has open for writing, by the system’s identity for them, with a handle to read them if there is one. */
const openedHere = new Map<string, { handle: number | undefined }>();

/**
 * Notes that this process opens a file for writing. Under POSIX it would lose the locks of all its connections to the file
 * by closing any other handle to it. So until the file is released, one handle serves all reads, and its index is
 * ignored: only a dead process can have left news there.
 *
 * @returns releases the file.
 */
export function noteOpening(file: string): () => void {
  const key = keyOf(file);
  if (key === undefined) return () => {};
  const entry = openedHere.get(key) ?? { handle: undefined };
  openedHere.set(key, entry);
  return () => {
    if (openedHere.get(key) !== entry) return;
    openedHere.delete(key);
    if (entry.handle !== undefined) closeSync(entry.handle);
  };
}

export function isOpenHere(file: string): boolean {
  const key = keyOf(file);
  return key !== undefined && openedHere.has(key);
}

/** Opens a file for reading without harming the locks of this process. @param action must be finished with the handle at its end. */
export function withHandle<T>(file: string, action: (handle: number) => T): T {
  const entry = openedHere.get(keyOf(file) ?? '');
  if (entry !== undefined) {
    entry.handle ??= openSync(file, 'r');
    return action(entry.handle);
  }
  const handle = openSync(file, 'r');
  try {
    return action(handle);
  } finally {
    closeSync(handle);
  }
}

/** Bytes of a file from an offset on, fewer if it ends before; undefined if there is no such file. */
export function readBytes(
  file: string,
  { at = 0, length }: { readonly at?: number; readonly length: number },
): Buffer | undefined {
  if (keyOf(file) === undefined) return undefined;
  return withHandle(file, (handle) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, at));
  });
}

const CHUNK_BYTES = 1 << 20;

/** All bytes of a file, piece by piece; each piece is overwritten by the next. */
export function* piecesOf(handle: number): Generator<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const read = readSync(handle, buffer, 0, buffer.length, at);
    if (read === 0) return;
    yield buffer.subarray(0, read);
    at += read;
  }
}

/** SHA-256 of a file, in hex. */
export function digestOfFile(file: string): string {
  const digest = createHash('sha256');
  withHandle(file, (handle) => {
    for (const bytes of piecesOf(handle)) digest.update(bytes);
  });
  return digest.digest('hex');
}

/** The identity of a file, whatever its name; undefined if there is no such file. */
export function keyOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

export function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
