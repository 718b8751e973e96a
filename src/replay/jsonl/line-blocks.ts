// Chunks of any size go in; runs of whole lines come out, in one stretch of memory. What is left of an unfinished line
// moves to the front, so the memory needed is that of a chunk and of the longest line.

/** Memory in which lines are put together. Addresses are positions in `bytes`. */
export type LineMemory = {
  readonly bytes: Uint8Array;
  readonly base: number;
  readonly reserve: (capacity: number) => void;
};

export type LineBlockHandler = {
  /** Whole lines: the byte before `end` is a line feed. The bytes are valid only during the call. */
  readonly block: (start: number, end: number) => void;
  /** What stands after the last line feed of the input, at its end. */
  readonly rest: (start: number, end: number) => void;
  /** A line has passed the bound; it is skipped up to its line feed. */
  readonly tooLong: () => void;
};

export type LineBlocks = {
  /** Takes the next bytes, of any length; they are not kept. */
  readonly push: (chunk: Uint8Array) => void;
  /** Room for the next bytes, which saves copying them there; valid until {@link LineBlocks.filled} is told how many came. */
  readonly room: (length: number) => Uint8Array;
  readonly filled: (length: number) => void;
  readonly end: () => void;
};

const LINE_FEED = 10;
/** Larger chunks are taken in pieces, so that a file given in one chunk is not copied whole. */
const PIECE = 4 * 1024 * 1024;

/** Puts lines together in `memory`, each at most `maxLineBytes` long without its line feed. */
export function createLineBlocks(
  memory: LineMemory,
  handler: LineBlockHandler,
  { maxLineBytes }: { readonly maxLineBytes: number },
): LineBlocks {
  let held = 0;
  let skipping = false;

  const room = (length: number): Uint8Array => {
    memory.reserve(held + length);
    return memory.bytes.subarray(memory.base + held, memory.base + held + length);
  };

  /** The count of new bytes that belong to lines worth reading: a line too long is skipped up to its line feed. */
  const afterSkipped = (length: number): number => {
    if (!skipping) return length;
    const { bytes, base } = memory;
    const lineFeed = bytes.subarray(base, base + length).indexOf(LINE_FEED);
    if (lineFeed < 0) return 0;
    skipping = false;
    bytes.copyWithin(base, base + lineFeed + 1, base + length);
    return length - lineFeed - 1;
  };

  const filled = (given: number): void => {
    const length = afterSkipped(given);
    const { bytes, base } = memory;
    const last = bytes.subarray(base + held, base + held + length).lastIndexOf(LINE_FEED);
    const all = held + length;
    const end = last < 0 ? base : base + held + last + 1;
    if (last >= 0) {
      handler.block(base, end);
      bytes.copyWithin(base, end, base + all);
    }
    held = base + all - end;
    if (held > maxLineBytes) {
      held = 0;
      skipping = true;
      handler.tooLong();
    }
  };

  return {
    room,
    filled,
    push(chunk) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE);
        room(piece.length).set(piece);
        filled(piece.length);
      }
    },
    end() {
      if (held > 0) handler.rest(memory.base, memory.base + held);
      held = 0;
      skipping = false;
    },
  };
}

/** Plain memory that grows as needed. */
export function plainMemory(): LineMemory {
  let bytes = new Uint8Array(1 << 16);
  return {
    get bytes() {
      return bytes;
    },
    base: 0,
    reserve(capacity) {
      if (capacity <= bytes.length) return;
      const grown = new Uint8Array(Math.max(capacity, Math.min(2 * bytes.length, bytes.length + PIECE)));
      grown.set(bytes);
      bytes = grown;
    },
  };
}
