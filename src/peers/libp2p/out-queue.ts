import type { WireStream } from './link.ts';

export type OutQueueOptions = {
  readonly stream: WireStream;
  /** Bytes that wait at most, in the stream and here. */
  readonly most: number;
  /** Bytes that the stream is given ahead of what the other side takes. @defaultValue 65,536 */
  readonly ahead?: number;
};

/** What waits to be told to one node, by whom it came from. */
type Line = { readonly bytes: Uint8Array[]; held: number; turn: number };

const AHEAD_BYTES = 64 * 1024;

/**
 * What is told to one node.
 *
 * - O6: who has least of what was handed over goes first, by bytes, so that a source with much to say makes none with little wait.
 * - O7: what waits is bounded. Where there is no room, the source that takes most of it loses what it said last.
 */
export class OutQueue {
  readonly #stream: WireStream;
  readonly #most: number;
  readonly #ahead: number;
  readonly #lines = new Map<string, Line>();
  #held = 0;
  /** The turn of who went last: who comes anew has had as much as that one. */
  #now = 0;
  #given = 0;

  constructor({ stream, most, ahead = AHEAD_BYTES }: OutQueueOptions) {
    this.#stream = stream;
    this.#most = most;
    this.#ahead = ahead;
    stream.onIdle(() => this.#flow());
  }

  /** Bytes that wait. */
  held(): number {
    return this.#held + this.#stream.waiting();
  }

  /** Bytes that the other side has taken. */
  taken(): number {
    return this.#given - this.#stream.waiting();
  }

  push(source: string, bytes: Uint8Array): void {
    const line = this.#lineOf(source);
    line.bytes.push(bytes);
    line.held += bytes.length;
    this.#held += bytes.length;
    this.#flow();
    while (this.held() > this.#most && this.#held > 0) this.#shorten();
  }

  clear(): void {
    this.#lines.clear();
    this.#held = 0;
  }

  #lineOf(source: string): Line {
    const known = this.#lines.get(source);
    if (known !== undefined) return known;
    const line = { bytes: [], held: 0, turn: this.#now };
    this.#lines.set(source, line);
    return line;
  }

  #flow(): void {
    while (this.#held > 0 && this.#stream.waiting() <= this.#ahead) {
      const [source, line] = this.#next();
      const [bytes] = line.bytes.splice(0, 1);
      if (bytes === undefined) return;
      this.#now = line.turn;
      line.turn += bytes.length;
      this.#leave({ source, line, bytes });
      this.#given += bytes.length;
      this.#stream.send(bytes);
    }
  }

  #next(): [string, Line] {
    return [...this.#lines].reduce((first, one) => (one[1].turn < first[1].turn ? one : first));
  }

  #shorten(): void {
    const [source, line] = [...this.#lines].reduce((first, one) => (one[1].held > first[1].held ? one : first));
    const bytes = line.bytes.pop();
    if (bytes !== undefined) this.#leave({ source, line, bytes });
  }

  #leave({ source, line, bytes }: { readonly source: string; readonly line: Line; readonly bytes: Uint8Array }): void {
    line.held -= bytes.length;
    this.#held -= bytes.length;
    if (line.bytes.length === 0) this.#lines.delete(source);
  }
}
