import type { Clock } from '../../ports/clock.ts';
import { openAccount } from '../allowance.ts';
import { encodeFrame, type GossipFrame, type Publication } from '../kdf-wire/gossip-frame.ts';
import { withLength } from './frame-splitter.ts';
import type { NetworkLimits } from './limits.ts';
import type { Link, WireStream } from './link.ts';
import { MUCH_BYTES, type Purse, Reader } from './reader.ts';
import type { Turns } from './turns.ts';

/** Newest first, as libp2p negotiates them. */
export const GOSSIP_PROTOCOLS: readonly string[] = ['/meshsub/1.1.0', '/meshsub/1.0.0'];

/** Words that wait until the own stream is open. */
const MOST_EARLY = 64;

export type PeerOptions = {
  readonly link: Link;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly limits: NetworkLimits;
  readonly onFrame: (peer: Peer, frame: GossipFrame) => void;
  readonly onPublication: (peer: Peer, publication: Publication) => void;
  readonly onMuch: () => void;
  readonly onFault: (peer: Peer, fault: string) => void;
};

/** Another node while there is a link to it: what it said of itself, and both directions of gossip. */
export class Peer {
  readonly link: Link;
  /** What it listens to. */
  readonly topics = new Set<string>();
  /** Whether it said that it is a relay, which anybody can say. */
  isRelay = false;
  /** Whether it takes this node for one of its relays. */
  includesUs = false;
  /** Whether this node takes it for one of its relays. */
  isIncluded = false;
  readonly #options: PeerOptions;
  readonly #readers = new Set<Reader>();
  readonly #purses: { readonly usual: Purse; readonly relay: Purse };
  #out: WireStream | null = null;
  #early: Uint8Array[] = [];
  #stuckAt = 0;
  #stuckFor = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.link = options.link;
    const { each, relay } = options.limits;
    const now = options.clock.now();
    this.#purses = {
      usual: { allowance: each, account: openAccount(each, now) },
      relay: { allowance: relay, account: openAccount(relay, now) },
    };
  }

  /** Opens the own stream. @returns false where the other side speaks no gossip */
  async open(): Promise<boolean> {
    try {
      const stream = await this.link.open(GOSSIP_PROTOCOLS);
      stream.read({ bytes: () => {}, end: () => this.link.drop() });
      this.#out = stream;
    } catch {
      return false;
    }
    for (const bytes of this.#early.splice(0)) this.sendBytes(bytes);
    return true;
  }

  /** Reads a stream that the other side has opened. */
  read(stream: WireStream): void {
    const { clock, turns, onFrame, onPublication, onMuch, onFault } = this.#options;
    const reader: Reader = new Reader({
      ...{ stream, clock, turns, onMuch },
      purse: () => (this.isIncluded ? this.#purses.relay : this.#purses.usual),
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

  /** The same of bytes that are a frame with its length. What a node that does not read cannot take is lost. */
  sendBytes(bytes: Uint8Array): void {
    if (this.#out === null) {
      if (this.#early.length < MOST_EARLY) this.#early.push(bytes);
      return;
    }
    const waiting = this.#out.waiting();
    if (waiting > this.#options.limits.waitingBytes) return;
    this.#out.send(bytes);
    if (waiting > MUCH_BYTES) this.#options.onMuch();
  }

  /** Bytes that are kept for this node. */
  held(): number {
    let sum = this.#out?.waiting() ?? 0;
    for (const reader of this.#readers) sum += reader.held();
    return sum;
  }

  /** Looks whether what waits for the node goes out. @returns looks in a row at which nothing had */
  stuck(): number {
    const waiting = this.#out?.waiting() ?? 0;
    this.#stuckFor = waiting > 0 && waiting >= this.#stuckAt ? this.#stuckFor + 1 : 0;
    this.#stuckAt = waiting;
    return this.#stuckFor;
  }

  close(): void {
    for (const reader of [...this.#readers]) reader.close();
    this.#early = [];
    this.#out?.abort();
    this.topics.clear();
  }
}
