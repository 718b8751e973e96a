import { randomBytes } from 'node:crypto';
import type { Connection, Ed25519PrivateKey, Libp2p, Stream } from '@libp2p/interface';
import type { Millis } from '../../../../src/primitives/time.ts';
import { isHandedOn } from './handed-on.ts';
import { readHealth, writeHealth } from './health.ts';
import { Mesh } from './mesh.ts';
import { idOf } from './message-hash.ts';
import type { FrameworkNode, FrameworkOptions } from './node.ts';
import { GOSSIP, type Other, otherOf, send, tell } from './other.ts';
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
  PEERS_EXCHANGE,
  PING,
  ping,
  REQUESTS,
  subscribePeers,
} from './side-protocols.ts';

const KNOWN_FOR = 60_000;
const MAINTAINED_EVERY = 10_000;
const PINGED_EVERY = 15_000;

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
  readonly #mesh: Mesh;
  readonly #fault = (fault: string): void => void this.#faults.push(fault);
  #over = false;

  constructor(host: Libp2p, options: WithKey) {
    this.#host = host;
    this.#options = options;
    this.#mesh = new Mesh({
      role: options.role,
      others: () => this.#others.values(),
      tell: (other, rpc) => this.#tell(other, rpc),
    });
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
    this.#every(MAINTAINED_EVERY, () => this.#mesh.maintain());
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
    const other = otherOf(connection);
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
    tell(other, rpc, this.#fault);
  }

  #send(other: Other, frame: Buffer): void {
    send(other, frame, this.#fault);
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
    this.#mesh.hear(other, rpc);
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
