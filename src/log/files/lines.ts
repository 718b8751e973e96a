import { FileError } from '../file-error.ts';

/** Longest line read, in bytes. The longest swap seen takes a thousandth of it. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 10;

export type Line = {
  /** Number in the file, from 1. */
  readonly number: number;
  /** Without the line feed. */
  readonly bytes: Uint8Array;
  /** The bytes ended with an error in the middle of this line. */
  readonly cut?: true;
};

/**
 * Cuts bytes into lines; lines of white space alone are left out, but counted.
 *
 * @throws FileError FILE_TOO_LARGE for a line above {@link MAX_LINE_BYTES}.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Line> {
  let number = 0;
  let open: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bytes) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        number++;
        const last = chunk.subarray(start, end);
        const line = open.length === 0 ? last : Buffer.concat([...open, last]);
        if (!isBlank(line)) yield { number, bytes: line };
        open = [];
        size = 0;
        start = end + 1;
      }
      const rest = chunk.subarray(start);
      size += rest.length;
      if (size > MAX_LINE_BYTES) throw tooLong(file, number + 1);
      if (rest.length > 0) open.push(rest);
    }
  } catch (error) {
    const line = Buffer.concat(open);
    if (size <= MAX_LINE_BYTES && !isBlank(line)) yield { number: number + 1, bytes: line, cut: true };
    throw error;
  }
  const line = Buffer.concat(open);
  if (!isBlank(line)) yield { number: number + 1, bytes: line };
}

/** Whether there is white space alone. */
export function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13 || byte === LINE_FEED);
}

function tooLong(file: string, line: number): FileError {
  return new FileError('FILE_TOO_LARGE', 'A line of the file is too long.', {
    file,
    facts: { line, limitBytes: MAX_LINE_BYTES },
    next: 'A line holds one record or one swap; check that the file is a log and is not damaged.',
  });
}
