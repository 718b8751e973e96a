import type { Clock, Random } from '../../ports/clock.ts';
import { encodeFrame, type GossipFrame, MOST_FRAME_BYTES, type Publication } from '../kdf-wire/gossip-frame.ts';
import { messageId } from '../kdf-wire/message-id.ts';
import { PeerMessageError } from '../kdf-wire/problem.ts';
import { isSignedOfSecondVersion } from '../kdf-wire/second-version.ts';
import { HEALTH, isListenable, SECOND_VERSION, type TopicKind, topicKind } from '../kdf-wire/topics.ts';
import { MESSAGE_LIMITS } from '../message-bounds.ts';
import { isLoopback, sourceOf } from './address.ts';
import { type Read, readPublication } from './codec.ts';
import { withLength } from './frame-splitter.ts';
import type { Health } from './health.ts';
import type { NetworkLimits } from './limits.ts';
import type { Link, WireStream } from './link.ts';
import { Peer } from './peer.ts';
import { createPurses, type Purses } from './purses.ts';
import { createRecent, type Recent } from './recent.ts';
import { createSeen, type Seen } from './seen.ts';
import { createTurns } from './turns.ts';

export type GossipOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: NetworkLimits;
  /** Whether this node forwards what others say. */
  readonly relay: boolean;
  /** Peer id of this node. */
  readonly self: () => Uint8Array;
  /** The topics that this node listens to. */
  readonly topics: () => readonly string[];
  readonly health: Pick<Health, 'topic' | 'take'>;
  /** Passes on something that was signed, once. */
  readonly onMessage: (topic: string, read: Extract<Read, { is: 'signed' }>) => void;
  /** A node broke the protocol. */
  readonly onFault: (link: Link, fault: string) => void;
};

/** Source of repeated messages. */
const RECENT = 'recent';
const SEQNO_BYTES = 8;
/** Consecutive checks at which a node had taken nothing of what waits for it. */
const MOST_STUCK = 4;
/** Topics that one answer names. */
const MOST_PRUNES = 100;

/** Topics on which relays of the framework pass on nothing with a bad signature (`lp_network.rs`). */
const JUDGED: ReadonlySet<TopicKind> = new Set<TopicKind>(['swap', 'orders']);

/**
 * Publications among nodes as the framework's relays and light nodes exchange them: relays announce no topics, get
 * everything from the nodes that chose them as a relay, and pass on what is signed to listeners.
 *
 * - O4: a publication is checked once, before its signature; the same bytes on another topic are another publication.
 * - O5: what its key did not sign reaches nobody, neither here nor beyond; except a transaction, which its chain judges, and which is forwarded.
 */
export class Gossip {
  readonly #options: GossipOptions;
  readonly #turns = createTurns();
  readonly #peers = new Map<Link, Peer>();
  readonly #seen: Seen;
  readonly #recent: Recent<Peer>;
  readonly #purses: Purses;

  constructor(options: GossipOptions) {
    this.#options = options;
    this.#purses = createPurses(options.limits, { sharesTopics: options.relay });
    this.#seen = createSeen(options.limits.seen);
    this.#recent = createRecent(options.limits.recent);
  }

  peers(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  /** Adopts a link, and greets the other side. */
  async attach(link: Link): Promise<void> {
    const { clock, limits, relay, topics, onFault } = this.#options;
    const peer = new Peer({
      ...{ link, clock, limits, turns: this.#turns, purses: this.#purses.take(link.host, clock.now()) },
      ...{ onFault: ({ link: of }, fault) => onFault(of, fault) },
      onFrame: (from, frame) => this.#hear(from, frame),
      onPublication: (from, publication) => this.#take(from, publication),
      onMuch: () => this.#shed(),
    });
    this.#peers.set(link, peer);
    link.onEnd(() => {
      this.#peers.delete(link);
      peer.close();
      this.#purses.giveBack(link.host, clock.now());
    });
    if (relay) peer.send({ iAmRelay: true });
    else if (topics().length > 0) peer.send({ subscriptions: topics().map((topic) => ({ subscribe: true, topic })) });
    if (!(await peer.open())) link.drop();
  }

  /** Reads a stream opened by the other side. */
  read(stream: WireStream, link: Link): void {
    const peer = this.#peers.get(link);
    if (peer === undefined) stream.abort();
    else peer.read(stream);
  }

  /** Tells the nodes concerned that this node listens to a topic, or no longer does. Relays hear everything and say nothing. */
  announce(topic: string, subscribe: boolean): void {
    if (this.#options.relay || !isListenable(topic)) return;
    for (const peer of this.#peers.values()) peer.send({ subscriptions: [{ subscribe, topic }] });
  }

  /** Sends to all relays of this node and to all subscribers. @throws PeerMessageError for more than a frame holds */
  publish(topic: string, data: Uint8Array): void {
    const { clock, random, self } = this.#options;
    const publication = { from: self(), data, seqno: random.bytes(SEQNO_BYTES), topic };
    const bytes = framed(publication);
    if (bytes.length > MOST_FRAME_BYTES)
      throw new PeerMessageError(topic, `${data.length} bytes are more than a frame holds`);
    this.#seen.isNew(idOf(publication), clock.now());
    const told = this.#remember(topic, bytes);
    for (const peer of this.#peers.values()) {
      if (!peer.isIncluded && (peer.isRelay || !peer.topics.has(topic))) continue;
      peer.sendBytes(bytes);
      told?.add(peer);
    }
  }

  /** Whether a link of that age in milliseconds is useful, and not too much waits for its node. */
  isWell(link: Link, age: number): boolean {
    const peer = this.#peers.get(link);
    const { silence } = this.#options.limits;
    return peer !== undefined && (peer.speaks() || age < silence) && peer.stuck() < MOST_STUCK;
  }

  /** Tells relays that they are still wanted. */
  keepMesh(): void {
    const meshSize = this.#meshSize();
    for (const peer of this.#peers.values()) if (peer.isIncluded) peer.send({ meshSize });
  }

  #hear(peer: Peer, frame: GossipFrame): void {
    for (const { subscribe, topic } of frame.subscriptions) {
      if (!subscribe) peer.topics.delete(topic);
      else if (isListenable(topic) && peer.topics.size < this.#options.limits.topics) peer.topics.add(topic);
    }
    if (frame.iAmRelay === true && !peer.isRelay && peer.topics.size === 0) this.#include(peer);
    const wasIncluded = peer.includesUs;
    if (frame.included !== null) this.#included(peer, frame.included.included);
    if (peer.includesUs && !wasIncluded) this.#catchUp(peer, peer.topics);
    else if (peer.includesUs) this.#catchUp(peer, new Set(frame.subscriptions.map(({ topic }) => topic)));
    // Nobody is in a mesh of topics here.
    if (frame.grafts.length > 0) peer.send({ prunes: frame.grafts.slice(0, MOST_PRUNES) });
  }

  /** A relay that has removed this one from its mesh wants nothing more; for light nodes, only relays take note. */
  #included(peer: Peer, included: boolean): void {
    peer.includesUs = included;
    if (!included && this.#options.relay && !peer.link.dialed) peer.isIncluded = false;
  }

  /** Sends a node what was said a moment before it listened. */
  #catchUp(peer: Peer, topics: ReadonlySet<string>): void {
    const now = this.#options.clock.now();
    for (const topic of topics) {
      if (!peer.topics.has(topic)) continue;
      for (const bytes of this.#recent.missed(peer, { topic, now })) peer.sendBytes(bytes, { source: RECENT });
    }
  }

  /** Everyone whom this node has dialed, and of those that came by themselves as many as there is room for. */
  #include(peer: Peer): void {
    peer.isRelay = true;
    const { relay, limits } = this.#options;
    const others = [...this.#peers.values()].filter(({ isIncluded, link }) => isIncluded && !link.dialed);
    // One address must not take all places.
    const { host } = peer.link;
    const beside = isLoopback(host) ? 0 : others.filter(({ link }) => sourceOf(link.host) === sourceOf(host)).length;
    const isFull = others.length >= limits.relays || beside >= limits.relaysPerAddress;
    if (!peer.link.dialed && (!relay || isFull)) return;
    peer.isIncluded = true;
    peer.send({ included: { included: true, meshSize: this.#meshSize() } });
  }

  /** Ends the link for which the most is kept, if all together keep too much. */
  #shed(): void {
    let [sum, most] = [0, 0];
    let greediest: Peer | null = null;
    for (const peer of this.#peers.values()) {
      const held = peer.held();
      sum += held;
      if (held > most) [most, greediest] = [held, peer];
    }
    if (sum > this.#options.limits.heldBytes) greediest?.link.drop();
  }

  #meshSize(): number {
    return [...this.#peers.values()].filter(({ isIncluded }) => isIncluded).length;
  }

  #take(peer: Peer, publication: Publication): void {
    const { clock, onMessage, onFault } = this.#options;
    const { topic, data } = publication;
    if (!isListenable(topic) || !this.#seen.isNew(idOf(publication), clock.now())) return;
    if (this.#isHandedOn(publication) && this.#options.relay) this.#handOn(peer, publication);
    const kind = topicKind(topic);
    if (kind === null) return;
    const read = readPublication(kind, data);
    if (read.is === 'forged' && JUDGED.has(kind)) onFault(peer.link, 'a message whose signature is not good');
    if (read.is !== 'signed') return;
    if (this.#options.relay && kind !== 'helpers') this.#handOn(peer, publication);
    onMessage(topic, read);
  }

  /** Messages that others can use, even if this node cannot. */
  #isHandedOn(publication: Publication): boolean {
    const { topic, data } = publication;
    const { relay, health } = this.#options;
    if (topic.startsWith(HEALTH)) return (relay || topic === health.topic) && health.take(topic, data);
    return relay && isOfOthers(publication);
  }

  #handOn(source: Peer, publication: Publication): void {
    const bytes = framed(publication);
    const { id, host } = source.link;
    const by = isLoopback(host) ? id : sourceOf(host);
    const told = this.#remember(publication.topic, bytes);
    told?.add(source);
    for (const peer of this.#peers.values()) {
      if (peer === source || !(peer.isIncluded || (peer.includesUs && peer.topics.has(publication.topic)))) continue;
      peer.sendBytes(bytes, { source: by, topic: publication.topic });
      told?.add(peer);
    }
  }

  #remember(topic: string, bytes: Uint8Array): WeakSet<Peer> | null {
    const { relay, clock } = this.#options;
    return relay && topicKind(topic) === 'swap' ? this.#recent.add({ topic, bytes }, clock.now()) : null;
  }
}

/** What only nodes of the framework use: swaps of the second version, and transactions for nodes of their coin. */
function isOfOthers({ topic, data }: Publication): boolean {
  if (topic.startsWith(SECOND_VERSION)) return isSignedOfSecondVersion(data);
  return topicKind(topic) === 'helpers' && data.length > 0 && data.length <= MESSAGE_LIMITS.transactionBytes;
}

function framed(publication: Publication): Uint8Array {
  return withLength(encodeFrame({ publications: [publication] }));
}

function idOf({ topic, data, seqno }: Publication): string {
  return `${messageId({ data, seqno })} ${topic}`;
}
