const FIRST_CAPACITY = 1024;
/** Most bytes of the length before a frame; the framework's longest frame needs three. */
const MOST_LENGTH_BYTES = 4;

/** What comes next: a frame, nothing until more bytes arrive, or a fault if the bytes violate the protocol. */
export type NextFrame =
  | { readonly is: 'frame'; readonly frame: Uint8Array }
  | { readonly is: 'none' }
  | { readonly is: 'fault' };

/** Splits incoming bytes into frames, each preceded by its length as a varint. */
export type FrameSplitter = {
  readonly push: (chunk: Uint8Array) => void;
  /** Takes the next frame out. A fault stays a fault. */
  readonly next: () => NextFrame;
  /** Length of the frame that {@link FrameSplitter.next} takes; null if there is none. */
  readonly peek: () => number | null;
  /** Bytes that are kept in memory. */
  readonly held: () => number;
};

/**
 * - O1: memory grows with what has arrived, not with what a length announces.
 */
export function createFrameSplitter(most: number): FrameSplitter {
  let buffer = new Uint8Array(FIRST_CAPACITY);
  let [from, to] = [0, 0];

  const grow = (count: number): void => {
    const kept = buffer.subarray(from, to);
    let capacity = FIRST_CAPACITY;
    while (capacity < kept.length + count) capacity *= 2;
    const target = capacity === buffer.length ? buffer : new Uint8Array(capacity);
    if (target === buffer) buffer.copyWithin(0, from, to);
    else target.set(kept);
    buffer = target;
    [from, to] = [0, kept.length];
  };
  const head = (): { readonly at: number; readonly length: number } | 'none' | 'fault' => {
    let length = 0;
    for (let index = 0; index < MOST_LENGTH_BYTES; index++) {
      if (from + index >= to) return 'none';
      const byte = buffer[from + index] as number;
      length += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return length > most ? 'fault' : { at: from + index + 1, length };
    }
    return 'fault';
  };

  return {
    push(chunk) {
      if (buffer.length - to < chunk.length) grow(chunk.length);
      buffer.set(chunk, to);
      to += chunk.length;
    },
    next() {
      const found = head();
      if (typeof found === 'string') return found === 'none' ? { is: 'none' } : { is: 'fault' };
      if (to - found.at < found.length) return { is: 'none' };
      from = found.at + found.length;
      const frame = buffer.slice(found.at, from);
      if (from === to) {
        [from, to] = [0, 0];
        if (buffer.length > FIRST_CAPACITY) buffer = new Uint8Array(FIRST_CAPACITY);
      }
      return { is: 'frame', frame };
    },
    peek() {
      const found = head();
      return typeof found === 'string' || to - found.at < found.length ? null : found.length;
    },
    held: () => buffer.length,
  };
}

/** A frame with its length before it. */
export function withLength(frame: Uint8Array): Uint8Array {
  const head: number[] = [];
  let rest = frame.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) head.push((rest % 0x80) | 0x80);
  head.push(rest);
  const bytes = new Uint8Array(head.length + frame.length);
  bytes.set(head);
  bytes.set(frame, head.length);
  return bytes;
}
