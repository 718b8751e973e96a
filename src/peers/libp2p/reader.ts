import type { Clock } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Account, type Allowance, drawMessage, drawWeight, mayCome } from '../allowance.ts';
import { decodeFrame, type GossipFrame, MOST_FRAME_BYTES, type Publication } from '../kdf-wire/gossip-frame.ts';
import { createFrameSplitter } from './frame-splitter.ts';
import type { WireStream } from './link.ts';
import type { TopicShares } from './topic-shares.ts';
import type { Turns, Worker } from './turns.ts';

/** The allowance by which to read a node, what is left of it, and of that of each topic; null if topics have none of their own. */
export type Purse = { readonly allowance: Allowance; readonly account: Account; readonly topics: TopicShares | null };

export type ReaderOptions = {
  readonly stream: WireStream;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly purse: () => Purse;
  /** A frame, except for its publications. */
  readonly onFrame: (frame: GossipFrame) => void;
  readonly onPublication: (publication: Publication) => void;
  /** Much is kept until a frame is complete. */
  readonly onMuch: () => void;
  /** The bytes violate the protocol. */
  readonly onFault: (fault: string) => void;
  readonly onEnd: () => void;
};

const LEAST_SLEEP_MS = 20;
/** Above this, the reader checks what is kept for all. */
export const MUCH_BYTES = 64 * 1024;

/**
 * Reads a gossip stream.
 *
 * - O2: a node that has used up its allowance is read no further until it has some again; nothing is dropped, and its own window stops it.
 * - O3: publications of one node wait for their turn among those of all.
 */
export class Reader implements Worker {
  readonly #options: ReaderOptions;
  readonly #frames = createFrameSplitter(MOST_FRAME_BYTES);
  #waiting: Publication[] = [];
  /** Whether the topic of the first waiting one has paid for it. */
  #isPaid = false;
  #cancelSleep: (() => void) | null = null;
  #ended = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    options.stream.read({
      bytes: (chunk) => {
        if (this.#ended) return;
        this.#frames.push(chunk);
        this.#read();
        if (!this.#ended && this.#frames.held() > MUCH_BYTES) options.onMuch();
      },
      end: () => {
        this.close();
        options.onEnd();
      },
    });
  }

  /** Bytes that are kept. */
  held(): number {
    return this.#frames.held() + this.#waiting.reduce((sum, { data }) => sum + data.length, 0);
  }

  /** Takes one publication. */
  step(): boolean {
    const [publication] = this.#waiting;
    if (this.#ended || publication === undefined) return false;
    const isTaken = this.#isPaid || this.#isWithinShare(publication);
    if (isTaken && !this.#mayDraw(0)) {
      this.#isPaid = true;
      return false;
    }
    this.#isPaid = false;
    this.#waiting.shift();
    if (isTaken) this.#options.onPublication(publication);
    if (this.#waiting.length === 0) this.#read();
    return this.#waiting.length > 0 && this.#cancelSleep === null && !this.#ended;
  }

  close(): void {
    this.#ended = true;
    this.#cancelSleep?.();
    this.#cancelSleep = null;
    this.#waiting = [];
    this.#isPaid = false;
    this.#options.turns.leave(this);
    this.#options.stream.abort();
  }

  /** Reads frames until there is a publication to wait for, no complete frame, or no allowance left. */
  #read(): void {
    const { stream, turns, onFrame, onFault } = this.#options;
    while (this.#waiting.length === 0 && this.#cancelSleep === null && !this.#ended) {
      const length = this.#frames.peek();
      if (length !== null && !this.#mayDraw(length)) return;
      const next = this.#frames.next();
      if (next.is === 'none') {
        stream.resume();
        return;
      }
      const read = next.is === 'fault' ? null : decodeFrame(next.frame);
      if (read === null || !read.ok) {
        onFault(read === null ? 'a frame that is too long' : `a frame that is none: ${read.expected}`);
        return;
      }
      this.#waiting = [...read.value.publications];
      onFrame(read.value);
    }
    if (this.#waiting.length === 0 || this.#ended) return;
    stream.pause();
    if (this.#cancelSleep === null) turns.join(this);
  }

  #isWithinShare({ topic, data }: Publication): boolean {
    const { clock, purse } = this.#options;
    const { topics } = purse();
    return topics === null || topics.draw(topic, { weight: data.length, now: clock.now() });
  }

  /** Pays for a message of that weight, or sleeps until it can. */
  #mayDraw(weight: number): boolean {
    const { clock, purse } = this.#options;
    const { allowance, account } = purse();
    const draw = { allowance, now: clock.now() };
    if (mayCome(account, draw) && (weight === 0 || drawWeight(account, { ...draw, weight }))) {
      return drawMessage(account, draw);
    }
    const wanted = (left: number, perSecond: number): number => (Math.max(0, left) / perSecond) * 1000;
    const pause = Math.max(
      wanted(1 - account.messages.tokens, allowance.messages.perSecond),
      wanted(weight - account.weight.tokens, allowance.weight.perSecond),
    );
    this.#sleep((draw.now + Math.max(LEAST_SLEEP_MS, Math.ceil(pause))) as Millis);
    return false;
  }

  #sleep(until: Millis): void {
    this.#options.stream.pause();
    this.#cancelSleep = this.#options.clock.wakeAt(until, () => {
      this.#cancelSleep = null;
      if (this.#waiting.length > 0) this.#options.turns.join(this);
      else this.#read();
    });
  }
}
