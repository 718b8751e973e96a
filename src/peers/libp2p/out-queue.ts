import type { WireStream } from './link.ts';

export type OutQueueOptions = {
  readonly stream: WireStream;
  /** Most bytes that wait, in the stream and here. */
  readonly most: number;
  /** Bytes that the stream gets ahead of what the other side reads. @defaultValue 65,536 */
  readonly ahead?: number;
};

/** The queue of one topic, or of everything without a topic. */
type Lane = { readonly bytes: Uint8Array[]; held: number };
/** What waits to be sent to one node, by its source; the next lane is first. */
type Line = { readonly lanes: Map<string, Lane>; held: number; turn: number };

/** Lanes of one line. Further topics share one, so that a source with many invented topics makes no search long. */
const MOST_LANES = 32;
const ONE_LANE = '';

const AHEAD_BYTES = 64 * 1024;

/**
 * What is sent to one node.
 *
 * - O6: the source with the fewest bytes handed over goes first, so that a source with much to say does not delay one with little.
 * - O7: what waits is limited. If there is no room, the source that takes most of it loses its latest message, from the topic that takes most.
 * - O12: topics of one source take turns, so that a flood through a relay delays nobody on another topic.
 */
export class OutQueue {
  readonly #stream: WireStream;
  readonly #most: number;
  readonly #ahead: number;
  readonly #lines = new Map<string, Line>();
  #held = 0;
  /** The turn of the last one served: a new source counts as having had as much as that one. */
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

  /** Bytes that the other side has read. */
  taken(): number {
    return this.#given - this.#stream.waiting();
  }

  /** Keeps the order within one topic, and of what has no topic. */
  push(source: string, bytes: Uint8Array, { topic = ONE_LANE }: { readonly topic?: string } = {}): void {
    const line = this.#lineOf(source);
    const lane = laneOf(line, topic);
    lane.bytes.push(bytes);
    lane.held += bytes.length;
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
    const line = { lanes: new Map<string, Lane>(), held: 0, turn: this.#now };
    this.#lines.set(source, line);
    return line;
  }

  #flow(): void {
    while (this.#held > 0 && this.#stream.waiting() <= this.#ahead) {
      const [source, line] = this.#next();
      const [first] = line.lanes;
      if (first === undefined) return;
      const [topic, lane] = first;
      const bytes = lane.bytes.shift();
      if (bytes === undefined) return;
      this.#now = line.turn;
      line.turn += bytes.length;
      // Last among the lanes until its next turn.
      line.lanes.delete(topic);
      line.lanes.set(topic, lane);
      this.#leave({ source, line, topic, lane, bytes });
      this.#given += bytes.length;
      this.#stream.send(bytes);
    }
  }

  #next(): [string, Line] {
    return [...this.#lines].reduce((first, one) => (one[1].turn < first[1].turn ? one : first));
  }

  #shorten(): void {
    const [source, line] = [...this.#lines].reduce((first, one) => (one[1].held > first[1].held ? one : first));
    const [topic, lane] = [...line.lanes].reduce((first, one) => (one[1].held > first[1].held ? one : first));
    const bytes = lane.bytes.pop();
    if (bytes !== undefined) this.#leave({ source, line, topic, lane, bytes });
  }

  #leave({ source, line, topic, lane, bytes }: Leaving): void {
    for (const one of [line, lane]) one.held -= bytes.length;
    this.#held -= bytes.length;
    if (lane.bytes.length === 0) line.lanes.delete(topic);
    if (line.lanes.size === 0) this.#lines.delete(source);
  }
}

type Leaving = {
  readonly source: string;
  readonly line: Line;
  readonly topic: string;
  readonly lane: Lane;
  readonly bytes: Uint8Array;
};

function laneOf({ lanes }: Line, topic: string): Lane {
  const name = lanes.has(topic) || lanes.size < MOST_LANES - 1 ? topic : ONE_LANE;
  const known = lanes.get(name);
  if (known !== undefined) return known;
  const lane = { bytes: [], held: 0 };
  lanes.set(name, lane);
  return lane;
}
