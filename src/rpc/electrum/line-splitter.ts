/** Bytes that all connections hold: of lines that have not ended, and of answers that nobody has read. */
export type HeldBytes = { bytes: number; unread: number };

/** Why a line is not waited for any longer. */
export type LineProblem = 'tooLong' | 'tooMuchHeld';

export type LineLimits = {
  /** Longest line, in bytes. */
  readonly most: number;
  /** Bytes that all connections may hold at a time. */
  readonly mostHeld: number;
};

const LINE_FEED = 0x0a;

/** Cuts what comes into lines, and holds no more of one that has not ended than it may. */
export class LineSplitter {
  readonly #held: HeldBytes;
  readonly #limits: LineLimits;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(held: HeldBytes, limits: LineLimits) {
    this.#held = held;
    this.#limits = limits;
  }

  /** The lines that end with this chunk, and what is wrong with the one that goes on. */
  take(chunk: Buffer): { readonly lines: readonly string[]; readonly problem?: LineProblem } {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, end);
      from = end + 1;
      if (this.#length + part.length > this.#limits.most) return { lines, problem: 'tooLong' };
      lines.push(this.#length === 0 ? part.toString('utf8') : Buffer.concat([...this.#chunks, part]).toString('utf8'));
      this.release();
    }
    this.#hold(chunk.subarray(from));
    if (this.#length > this.#limits.most) return { lines, problem: 'tooLong' };
    return this.#held.bytes > this.#limits.mostHeld && this.#length > 0 ? { lines, problem: 'tooMuchHeld' } : { lines };
  }

  /** Forgets the line that has not ended. */
  release(): void {
    this.#held.bytes -= this.#length;
    this.#chunks = [];
    this.#length = 0;
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    // A copy: a small part would keep the whole chunk in memory.
    this.#chunks.push(Buffer.from(part));
    this.#length += part.length;
    this.#held.bytes += part.length;
  }
}
