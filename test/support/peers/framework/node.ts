import { randomBytes } from 'node:crypto';
import type { Connection, Ed25519PrivateKey, Libp2p, Stream } from '@libp2p/interface';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { readHealth, writeHealth } from './health.ts';
import { idOf } from './message-hash.ts';
import { lengthPrefixed } from './protobuf.ts';
import { type Published, type Rpc, readRpc, writeRpc } from './rpc.ts';
import {
  answerPeersExchange,
  answerPing,
  answerRequest,
  askForPeers,
  FLOODSUB,
  frames,
  isNearInTime,
  type KnownPeer,
  PEERS_EXCHANGE,
  PING,
  ping,
  REQUESTS,
  subscribePeers,
} from './side-protocols.ts';
import { openSigned } from './signed.ts';

// The other end of the network, as the framework's source and its descriptions have it: nothing here is shared with what it tests but the
// clock's shape and libp2p itself.

const GOSSIP = ['/meshsub/1.1.0', '/meshsub/1.0.0'] as const;
const KNOWN_FOR = 60_000;
const MAINTAINED_EVERY = 10_000;
const PINGED_EVERY = 15_000;

/** Fewest, usual and most relays in the own mesh. */
const MESH = { light: { low: 2, usual: 4, high: 6 }, relay: { low: 4, usual: 8, high: 12 } } as const;

export type FrameworkOptions = {
  readonly role: 'relay' | 'light';
  readonly clock: Clock;
  /** Seconds that it takes for now. @defaultValue those of the clock */
  readonly now?: () => number;
  /** @defaultValue a free port of this host, for a relay */
  readonly listen?: string;
  /** What it tells others who ask for relays. @defaultValue none */
  readonly known?: readonly KnownPeer[];
  /** What becomes of a frame with messages on its way out. @defaultValue it goes out */
  readonly disturb?: (frame: Buffer, write: (frame: Buffer) => void) => void;
};

export type FrameworkNode = {
  readonly id: string;
  readonly idBytes: Buffer;
  /** `host:port` where it listens. */
  readonly address: string;
  /** Messages that reached its application. */
  readonly heard: readonly Published[];
  /** Every frame that came, in order. */
  readonly frames: readonly { readonly from: string; readonly rpc: Rpc }[];
  /** Why it ended links. */
  readonly faults: readonly string[];
  readonly links: () => readonly string[];
  /** Relays in its own mesh, and nodes that have it in theirs. */
  readonly mesh: () => readonly string[];
  readonly includedBy: () => readonly string[];
  readonly subscribe: (topic: string) => void;
  readonly unsubscribe: (topic: string) => void;
  readonly publish: (topic: string, data: Buffer, given?: Partial<Published>) => void;
  /** Sends to one node what a frame says, or bytes as they are. */
  readonly say: (to: string, rpc: Partial<Rpc> | Buffer) => void;
  readonly askForPeers: (from: string) => Promise<readonly KnownPeer[] | null>;
  /** Asks whether a node is there; its answer is among {@link FrameworkNode.healthy}. */
  readonly askForHealth: (of: string) => Promise<void>;
  /** Nodes that told that they are there. */
  readonly healthy: readonly string[];
  readonly dial: (address: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

type Other = {
  readonly connection: Connection;
  readonly topics: Set<string>;
  readonly waiting: Buffer[];
  out: Stream | null;
  opening: boolean;
  isRelay: boolean;
  includesUs: boolean;
  inMesh: boolean;
};

type WithKey = FrameworkOptions & {
  /** Its identity on the network. */
  readonly key: Ed25519PrivateKey;
};

export async function frameworkNode(host: Libp2p, options: WithKey): Promise<FrameworkNode> {
  const node = new Framework(host, options);
  await node.start();
  return node.shown();
}

class Framework {
  readonly #host: Libp2p;
  readonly #options: WithKey;
  readonly #others = new Map<string, Other>();
  readonly #topics = new Set<string>();
  /** By id: when it was first seen, and from whom it came. */
  readonly #seen = new Map<string, { readonly at: number; readonly from: Set<string> }>();
  readonly #heard: Published[] = [];
  readonly #frames: { readonly from: string; readonly rpc: Rpc }[] = [];
  readonly #faults: string[] = [];
  readonly #healthy: string[] = [];
  readonly #mesh: { readonly low: number; readonly usual: number; readonly high: number };
  #over = false;

  constructor(host: Libp2p, options: WithKey) {
    this.#host = host;
    this.#options = options;
    this.#mesh = MESH[options.role];
  }

  async start(): Promise<void> {
    const { clock, known = [], now = () => Math.floor(clock.now() / 1000) } = this.#options;
    const host = this.#host;
    host.addEventListener('connection:open', ({ detail }) => this.#meet(detail));
    host.addEventListener('connection:close', ({ detail }) => {
      const id = detail.remotePeer.toString();
      if (this.#others.get(id)?.connection === detail) this.#others.delete(id);
    });
    for (const protocol of GOSSIP) {
      await host.handle(protocol, (stream, connection) => this.#read(stream, connection));
    }
    await host.handle(PING, answerPing);
    await host.handle(FLOODSUB, (stream) => frames(stream, () => {}));
    await host.handle(REQUESTS, (stream) => answerRequest(stream, now));
    await host.handle(PEERS_EXCHANGE, (stream) => answerPeersExchange(stream, () => known));
    this.#listen(`hcheck/${host.peerId.toString()}`, true);
    await host.start();
    this.#every(MAINTAINED_EVERY, () => this.#maintain());
    this.#every(PINGED_EVERY, () => {
      for (const other of this.#others.values()) void this.#ping(other);
    });
  }

  shown(): FrameworkNode {
    const idsOf = (holds: (other: Other) => boolean): readonly string[] =>
      [...this.#others].flatMap(([id, other]) => (holds(other) ? [id] : []));
    const [address] = this.#host.getMultiaddrs();
    const [, , ip = '', , port = ''] = (address?.toString() ?? '').split('/');
    return {
      id: this.#host.peerId.toString(),
      idBytes: Buffer.from(this.#host.peerId.toMultihash().bytes),
      address: address === undefined ? '' : `${ip}:${port}`,
      ...{ heard: this.#heard, frames: this.#frames, faults: this.#faults, healthy: this.#healthy },
      links: () => idsOf(() => true),
      mesh: () => idsOf(({ inMesh }) => inMesh),
      includedBy: () => idsOf(({ includesUs }) => includesUs),
      subscribe: (topic) => this.#listen(topic, true),
      unsubscribe: (topic) => this.#listen(topic, false),
      publish: (topic, data, given) => this.#publish({ topic, data, ...this.#signature(), ...given }),
      say: (to, rpc) => this.#send(this.#other(to), Buffer.isBuffer(rpc) ? rpc : lengthPrefixed(writeRpc(rpc))),
      askForPeers: (from) => askForPeers(this.#other(from).connection, this.#options.clock),
      askForHealth: (of) => this.#sayHealth(of, false),
      dial: (to) => this.#dial(to),
      close: async () => {
        this.#over = true;
        await this.#host.stop();
      },
    };
  }

  #signature(): { readonly from: Buffer; readonly seqno: Buffer } {
    return { from: Buffer.from(this.#host.peerId.toMultihash().bytes), seqno: randomBytes(8) };
  }

  #other(id: string): Other {
    const other = this.#others.get(id);
    if (other === undefined) throw new Error(`there is no link to ${id}`);
    return other;
  }

  async #dial(address: string): Promise<string> {
    const { multiaddr } = await import('@multiformats/multiaddr');
    const [ip, port] = address.split(':');
    const connection = await this.#host.dial(multiaddr(`/ip4/${ip}/tcp/${port}`));
    return connection.remotePeer.toString();
  }

  #every(pause: number, act: () => void): void {
    const { clock } = this.#options;
    clock.wakeAt((clock.now() + pause) as Millis, () => {
      if (this.#over) return;
      act();
      this.#every(pause, act);
    });
  }

  #meet(connection: Connection): void {
    const id = connection.remotePeer.toString();
    const { clock, role, now = () => Math.floor(clock.now() / 1000) } = this.#options;
    if (this.#others.has(id)) return;
    const other: Other = {
      ...{ connection, topics: new Set<string>(), waiting: [], out: null, opening: false },
      ...{ isRelay: false, includesUs: false, inMesh: false },
    };
    this.#others.set(id, other);
    if (role === 'relay') this.#tell(other, { iAmRelay: true });
    else if (this.#topics.size > 0) this.#tell(other, { subscriptions: this.#subscriptions() });
    void isNearInTime(connection, { clock, now }).then((near) => near || this.#leave(other, 'its clock differs'));
    void subscribePeers(connection).then((good) => good || this.#leave(other, 'it has no floodsub'));
  }

  #leave({ connection }: Other, fault: string): void {
    if (this.#over || connection.status !== 'open') return;
    this.#faults.push(fault);
    connection.abort(new Error(fault));
  }

  async #ping(other: Other): Promise<void> {
    if (!(await ping(other.connection, this.#options.clock))) this.#leave(other, 'it answers no ping');
  }

  #subscriptions(): Rpc['subscriptions'] {
    return [...this.#topics].map((topic) => ({ subscribe: true, topic }));
  }

  /** Relays hear everything, and say nothing of topics. */
  #listen(topic: string, subscribe: boolean): void {
    if (this.#options.role === 'relay') return;
    if (subscribe) this.#topics.add(topic);
    else this.#topics.delete(topic);
    for (const other of this.#others.values()) this.#tell(other, { subscriptions: [{ subscribe, topic }] });
  }

  #tell(other: Other, rpc: Partial<Rpc>): void {
    this.#send(other, lengthPrefixed(writeRpc(rpc)));
  }

  /** The own stream is opened when there is something to say. */
  #send(other: Other, frame: Buffer): void {
    other.waiting.push(frame);
    if (other.out !== null) this.#flush(other, other.out);
    else if (!other.opening) {
      other.opening = true;
      void other.connection.newStream([...GOSSIP]).then(
        (stream) => {
          other.out = stream;
          this.#flush(other, stream);
        },
        () => this.#faults.push('it has no gossip'),
      );
    }
  }

  #flush({ waiting }: Other, out: Stream): void {
    for (const frame of waiting.splice(0)) if (out.writeStatus === 'writable') out.send(frame);
  }

  /** A frame that is none ends the stream, and not the link. */
  #read(stream: Stream, connection: Connection): void {
    const id = connection.remotePeer.toString();
    // A stream may come before libp2p tells of its connection.
    this.#meet(connection);
    frames(stream, (frame) => {
      const other = this.#others.get(id);
      if (other === undefined) return;
      try {
        const rpc = readRpc(frame);
        this.#frames.push({ from: id, rpc });
        this.#hear(other, { id, rpc });
      } catch (error) {
        this.#faults.push(`a frame that is none: ${String(error)}`);
        stream.abort(new Error('a frame that is none'));
      }
    });
  }

  #hear(other: Other, { id, rpc }: { readonly id: string; readonly rpc: Rpc }): void {
    for (const { subscribe, topic } of rpc.subscriptions) {
      if (subscribe) other.topics.add(topic);
      else other.topics.delete(topic);
    }
    for (const message of rpc.published) this.#receive(message, id);
    if (rpc.iAmRelay === true && other.topics.size === 0) {
      other.isRelay = true;
      if (this.#inMesh().length < this.#mesh.low) this.#include(other);
    }
    if (rpc.included !== null && this.#options.role === 'relay') this.#included(other, rpc.included.included);
  }

  #included(other: Other, included: boolean): void {
    if (!included) {
      other.includesUs = false;
      other.inMesh = false;
    } else if (!other.isRelay) other.includesUs = true;
    else if (this.#inMesh().length > this.#mesh.high) this.#exclude(other);
    else other.inMesh = true;
  }

  #include(other: Other): void {
    other.inMesh = true;
    this.#tell(other, { included: { included: true, meshSize: this.#inMesh().length } });
  }

  #exclude(other: Other): void {
    other.inMesh = false;
    this.#tell(other, { included: { included: false, meshSize: this.#inMesh().length } });
  }

  #inMesh(): readonly Other[] {
    return [...this.#others.values()].filter(({ inMesh }) => inMesh);
  }

  #maintain(): void {
    const { low, usual, high } = this.#mesh;
    const outside = [...this.#others.values()].find(({ isRelay, inMesh }) => isRelay && !inMesh);
    if (this.#inMesh().length < low && outside !== undefined) this.#include(outside);
    if (this.#inMesh().length > high) for (const other of this.#inMesh().slice(usual)) this.#exclude(other);
    const mesh = this.#inMesh();
    for (const other of mesh) this.#tell(other, { meshSize: mesh.length });
  }

  #publish(message: Published): void {
    const self = this.#host.peerId.toString();
    this.#seen.set(idOf(message), { at: this.#options.clock.now(), from: new Set([self]) });
    this.#forward(message, self);
  }

  #receive(message: Published, source: string): void {
    const now = this.#options.clock.now();
    for (const [id, { at }] of this.#seen) if (now - at >= KNOWN_FOR) this.#seen.delete(id);
    const known = this.#seen.get(idOf(message));
    if (known !== undefined) {
      known.from.add(source);
      return;
    }
    this.#seen.set(idOf(message), { at: now, from: new Set([source]) });
    if (message.topic.startsWith('hcheck/')) {
      void this.#hearHealth(message, source);
      return;
    }
    this.#heard.push(message);
    if (this.#options.role === 'relay' && isHandedOn(message)) this.#forward(message, source);
  }

  async #sayHealth(to: string, isReply: boolean): Promise<void> {
    const { clock, key } = this.#options;
    const until = Math.floor(clock.now() / 1000) + 10;
    this.#publish({ topic: `hcheck/${to}`, data: await writeHealth(key, { until, isReply }), ...this.#signature() });
  }

  /** Whoever hears a question answers it, whomever it was for, and whoever is a relay hands on what is good. */
  async #hearHealth(message: Published, source: string): Promise<void> {
    const { clock, role } = this.#options;
    const told = await readHealth(message.data, Math.floor(clock.now() / 1000));
    if (told === null) return;
    if (told.isReply) this.#healthy.push(told.from);
    else await this.#sayHealth(told.from, true);
    if (role === 'relay') this.#forward(message, source);
  }

  #forward(message: Published, source: string): void {
    const { role, disturb = (frame, write) => write(frame) } = this.#options;
    const frame = lengthPrefixed(writeRpc({ published: [message] }));
    const from = this.#seen.get(idOf(message))?.from ?? new Set();
    for (const [id, other] of this.#others) {
      const listens = role === 'relay' && other.includesUs && other.topics.has(message.topic);
      if (!(listens || other.inMesh) || id === source || from.has(id)) continue;
      if (other.connection.remotePeer.toMultihash().bytes.every((byte, index) => byte === message.from[index]))
        continue;
      disturb(frame, (bytes) => this.#send(other, bytes));
    }
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a relay that trades nothing and watches nothing hands on, by the beginning of the topic. */
function isHandedOn({ topic, data }: Published): boolean {
  const [prefix, name] = topic.split('/');
  switch (prefix) {
    case 'orbk':
      return name !== undefined && openSigned(data) !== null;
    case 'swap':
      return UUID.test(name ?? '') && (openSigned(data) !== null || data[0] === 0x7b);
    case 'swapv2':
      return UUID.test(name ?? '');
    case 'swpwtchr':
      return true;
    case 'txhlp':
      return name !== undefined;
    default:
      return false;
  }
}
