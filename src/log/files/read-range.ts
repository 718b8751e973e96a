import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../../replay/jsonl/ranges.ts';

/** Reads a range of an open file straight to where it is worked on. */
export function readRangeSync(
  { file, range, chunkBytes }: { readonly file: number; readonly range: ByteRange; readonly chunkBytes: number },
  target: { readonly room: (length: number) => Uint8Array; readonly filled: (length: number) => void },
): void {
  for (let position = range.start; position < range.end; ) {
    const room = target.room(Math.min(chunkBytes, range.end - position));
    const length = readSync(file, room, 0, room.length, position);
    if (length === 0) return;
    target.filled(length);
    position += length;
  }
}

/** Reads a range through two buffers: the next chunk is read while the present one is worked on. */
export async function readRange(
  { file, range, chunkBytes }: { readonly file: FileHandle; readonly range: ByteRange; readonly chunkBytes: number },
  onChunk: (bytes: Uint8Array) => void,
): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
  const read = (buffer: Buffer, position: number) =>
    file.read(buffer, 0, Math.min(chunkBytes, range.end - position), position);
  let position = range.start;
  if (position >= range.end) return;
  let pending = read(buffers[0], position);
  for (let turn = 0; ; turn++) {
    const { bytesRead, buffer } = await pending;
    if (bytesRead === 0) return;
    position += bytesRead;
    const more = position < range.end;
    if (more) pending = read(turn % 2 === 0 ? buffers[1] : buffers[0], position);
    // A callback that throws must not leave a read without anybody to hear of its failure.
    if (more) pending.catch(() => undefined);
    onChunk(buffer.subarray(0, bytesRead));
    if (!more) return;
  }
}
