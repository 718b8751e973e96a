import type { Clock } from '../../ports/clock.ts';
import { encodeFrame, type GossipFrame, type Publication } from '../kdf-wire/gossip-frame.ts';
import { withLength } from './frame-splitter.ts';
import type { NetworkLimits } from './limits.ts';
import type { Link, WireStream } from './link.ts';
import { OutQueue } from './out-queue.ts';
import type { PursePair } from './purses.ts';
import { MUCH_BYTES, Reader } from './reader.ts';
import type { Turns } from './turns.ts';

/** Newest first, as libp2p negotiates them. */
export const GOSSIP_PROTOCOLS: readonly string[] = ['/meshsub/1.1.0', '/meshsub/1.0.0'];

/** Source of this node’s own messages. */
const OWN = '';
const NO_TOPIC = '';

/** Messages that wait until the own stream is open. */
const MOST_EARLY = 64;

/** Its source and topic; by default this node, and no topic. */
export type Said = { readonly source?: string; readonly topic?: string };

export type PeerOptions = {
  readonly link: Link;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly limits: NetworkLimits;
  /** The reader of its gossip. */
  readonly purses: PursePair;
  readonly onFrame: (peer: Peer, frame: GossipFrame) => void;
  readonly onPublication: (peer: Peer, publication: Publication) => void;
  readonly onMuch: () => void;
  readonly onFault: (peer: Peer, fault: string) => void;
};

/** Bytes on the own gossip stream, which is for sending only, after which a link ends. */
const MOST_BACK_BYTES = 64 * 1024;

/** Another node while there is a link to it: what it said about itself, and both directions of gossip. */
export class Peer {
  readonly link: Link;
  /** The topics that it listens to. */
  readonly topics = new Set<string>();
  /** Whether it said that it is a relay, which anyone can say. */
  isRelay = false;
  /** Whether it uses this node as one of its relays. */
  includesUs = false;
  /** Whether this node uses it as one of its relays. */
  isIncluded = false;
  readonly #options: PeerOptions;
  readonly #readers = new Set<Reader>();
  #out: { readonly stream: WireStream; readonly queue: OutQueue } | null = null;
  #early: { readonly bytes: Uint8Array; readonly said: Said }[] = [];
  #takenBefore = 0;
  #stuckFor = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.link = options.link;
  }

  /** Opens the own stream. @returns false if the other side does not support gossip */
  async open(): Promise<boolean> {
    try {
      const stream = await this.link.open(GOSSIP_PROTOCOLS);
      let back = 0;
      stream.read({
        // The protocol sends nothing that way.
        bytes: (chunk) => {
          back += chunk.length;
          if (back > MOST_BACK_BYTES) this.link.drop();
        },
        end: () => this.link.drop(),
      });
      this.#out = { stream, queue: new OutQueue({ stream, most: this.#options.limits.waitingBytes }) };
    } catch {
      return false;
    }
    for (const { bytes, said } of this.#early.splice(0)) this.sendBytes(bytes, said);
    return true;
  }

  /** Reads a stream opened by the other side. */
  read(stream: WireStream): void {
    const { clock, turns, purses, onFrame, onPublication, onMuch, onFault } = this.#options;
    const reader: Reader = new Reader({
      ...{ stream, clock, turns, onMuch },
      purse: () => (this.isIncluded ? purses.relay : purses.usual),
      onFrame: (frame) => onFrame(this, frame),
      onPublication: (publication) => onPublication(this, publication),
      onFault: (fault) => onFault(this, fault),
      onEnd: () => void this.#readers.delete(reader),
    });
    this.#readers.add(reader);
  }

  /** Whether it has opened a stream. */
  speaks(): boolean {
    return this.#readers.size > 0;
  }

  send(frame: Partial<GossipFrame>): void {
    this.sendBytes(withLength(encodeFrame(frame)));
  }

  /** The same for bytes that are a frame with its length, from a source. What a node that does not read cannot take is lost. */
  sendBytes(bytes: Uint8Array, { source = OWN, topic = NO_TOPIC }: Said = {}): void {
    if (this.#out === null) {
      if (this.#early.length < MOST_EARLY) this.#early.push({ bytes, said: { source, topic } });
      return;
    }
    const { queue } = this.#out;
    queue.push(source, bytes, { topic });
    if (queue.held() > MUCH_BYTES) this.#options.onMuch();
  }

  /** Bytes that are kept for this node. */
  held(): number {
    let sum = this.#out?.queue.held() ?? 0;
    for (const reader of this.#readers) sum += reader.held();
    return sum;
  }

  /** Checks whether what waits for the node goes out. @returns consecutive checks at which nothing had */
  stuck(): number {
    const { queue } = this.#out ?? {};
    const taken = queue?.taken() ?? 0;
    this.#stuckFor = (queue?.held() ?? 0) > 0 && taken === this.#takenBefore ? this.#stuckFor + 1 : 0;
    this.#takenBefore = taken;
    return this.#stuckFor;
  }

  close(): void {
    for (const reader of [...this.#readers]) reader.close();
    this.#early = [];
    this.#out?.queue.clear();
    this.#out?.stream.abort();
    this.topics.clear();
  }
}
