import { randomBytes } from 'node:crypto';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { OrderEnvelope, Orders } from '../../ports/orders.ts';
import type { PeerEnvelope, Peers, SwapMessage } from '../../ports/peers.ts';
import type { Signer } from '../../ports/signer.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Millis } from '../../primitives/time.ts';
import { signEnvelope } from '../kdf-wire/envelope.ts';
import { addressText, parsePeerAddress } from './address.ts';
import { type Capture, createWatch } from './capture.ts';
import { answerRequests, REQUEST_PROTOCOL } from './clock-check.ts';
import { orderPayload, peerPayload } from './codec.ts';
import { PeerNetworkError } from './error.ts';
import { FLOOD_PROTOCOL, passOver } from './floodsub.ts';
import { Gossip } from './gossip.ts';
import { createHealth } from './health.ts';
import { type Host, type HostOptions, openHost } from './host.ts';
import { answerPings, PING_PROTOCOL } from './keeping.ts';
import { type NetworkLimits, USUAL_LIMITS } from './limits.ts';
import type { Link, StreamHandler, WireStream } from './link.ts';
import { Links } from './links.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { type ResolveName, resolveName } from './names.ts';
import { loadPackages } from './packages.ts';
import { GOSSIP_PROTOCOLS } from './peer.ts';
import { DEFAULT_NETID, peerPort } from './ports.ts';
import { createQuestions } from './questions.ts';
import { isPublicIpv4, type RelayRules } from './relay-addresses.ts';
import { answerRelays, EXCHANGE_PROTOCOL } from './relay-exchange.ts';
import { type KeptRelays, keepRelays } from './relay-keeping.ts';

export type Libp2pOptions = {
  /** Signs what the node says about its swaps and orders, and identifies it to others. */
  readonly signer: Signer;
  /** Another own key to sign a message with, 33 bytes in hex. @defaultValue none */
  readonly signerOf?: (key: string, message: SwapMessage) => Signer | undefined;
  readonly clock: Clock;
  /** Number of the network, from which the usual port follows; 0 to 14428. @defaultValue 0 */
  readonly netid?: number;
  /** Nodes to stay connected to: `host` or `host:port`. A node that passes nothing on draws twelve if there are more, and searches the others if these do not suffice. @defaultValue none */
  readonly seeds?: readonly string[];
  /** Whether to announce and look for relays at an address. @defaultValue IPv4 addresses that are reached over the internet */
  readonly isPublic?: (host: string) => boolean;
  /** Finds the IP addresses of a seed node's name. @defaultValue as the system does */
  readonly resolve?: ResolveName;
  /** Addresses to listen on, in the same form; port 0 for a free one. @defaultValue none */
  readonly listen?: readonly string[];
  /** Whether it forwards what others say, as the framework's seed nodes do. @defaultValue false */
  readonly relay?: boolean;
  /** Seed of the node's identity on the network, 32 bytes; it names no key of a wallet. @defaultValue drawn at each start, as light nodes of the framework do */
  readonly identity?: Uint8Array;
  /** @defaultValue nobody */
  readonly logger?: Logger;
  /** @defaultValue that of the platform */
  readonly random?: Random;
  /** What other nodes may take of this one, if not the usual limits. */
  readonly limits?: Partial<NetworkLimits>;
  /** Hears everything that goes over links, in order. @defaultValue nothing is recorded */
  readonly capture?: Capture;
};

/** A link for display. */
export type PeerLink = {
  /** Peer id of the other node. */
  readonly id: string;
  readonly address: string;
  readonly dialed: boolean;
  readonly relay: boolean;
};

/** A node's end of the network: one for messages of swaps and for those about orders. */
export type Libp2pNetwork = {
  /** Peer id. */
  readonly id: string;
  readonly peers: Peers;
  readonly orders: Orders;
  /** Where it listens, as `host:port`. */
  readonly addresses: readonly string[];
  readonly links: () => readonly PeerLink[];
  /** Ends all links and stops listening. Repeated calls give the same answer. */
  readonly close: () => Promise<void>;
};

const QUIET: Logger = { info() {}, warn() {}, error() {} };
const PLATFORM: Random = { bytes: (count) => Uint8Array.from(randomBytes(count)) };
const MOST_STREAMS = 2;

type Parts = {
  readonly options: Libp2pOptions;
  readonly logger: Logger;
  readonly random: Random;
  readonly limits: NetworkLimits;
  readonly gossip: Gossip;
  readonly links: Links;
  readonly swaps: Listeners<PeerEnvelope>;
  readonly orders: Listeners<OrderEnvelope>;
  readonly rules: RelayRules;
};

/** What exists once the node is open. */
type End = { host: Host | null; kept: KeptRelays | null };

/**
 * Opens a node's end of the trading framework's network, over TCP.
 *
 * @throws PackageMissingError; PeerNetworkError PEER_LISTEN, PEER_ADDRESS_INVALID, NETID_INVALID
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { walletOfPassphrase } from 'swapfold/node';
 * import { openLibp2pNetwork } from 'swapfold/peers/libp2p';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const { coins: signer } = walletOfPassphrase(new Secret('correct horse battery staple'));
 * const node = { signer, clock: systemClock() };
 * const network = await openLibp2pNetwork({ ...node, listen: ['127.0.0.1:0'], relay: true });
 * network.addresses.map((address) => address.split(':')[0]); // → ['127.0.0.1']
 * network.peers.self === network.orders.self; // → true
 * await network.close();
 * openLibp2pNetwork({ ...node, netid: 7777 }); // throws NETID_INVALID
 * ```
 */
export async function openLibp2pNetwork(options: Libp2pOptions): Promise<Libp2pNetwork> {
  const port = peerPort(options.netid ?? DEFAULT_NETID);
  const seeds = (options.seeds ?? []).map((seed) => parsePeerAddress(seed, port));
  const listen = (options.listen ?? []).map((address) => parsePeerAddress(address, port));
  const packages = await loadPackages();
  const end: End = { host: null, kept: null };
  const identity = options.identity ?? (options.random ?? PLATFORM).bytes(32);
  const parts = partsOf(options, { end, port, identity });
  const { random, limits, logger, gossip, links, rules } = parts;
  const { clock, capture, relay = false, resolve = resolveName } = options;
  const watch = capture === undefined ? {} : { watch: createWatch({ clock, tell: capture }) };
  const host = await openHost(packages, { identity, listen, limits, resolve, ...watch, ...serving(parts) });
  end.host = host;
  capture?.({ is: 'start', at: clock.now(), self: host.id, relay });
  end.kept = keepRelays({
    ...{ clock, random, logger, seeds, rules, limits, searches: !relay, dial: host.dial },
    relays: () => relaysOf(gossip).filter(({ dialed }) => dialed),
    admits: (caller) => links.admits(caller),
  });
  const stops = [end.kept.stop, keepMesh(parts)];
  let closed: Promise<void> | null = null;
  return {
    ...portsOf(parts),
    id: host.id,
    addresses: host.addresses().map(addressText),
    links: () => shownLinks(parts),
    close() {
      closed ??= closeAll({ ...parts, host, stops }).finally(() =>
        capture?.({ is: 'stop', at: clock.now(), why: 'closed' }),
      );
      return closed;
    },
  };
}

function relaysOf(gossip: Gossip): readonly Link[] {
  return gossip.peers().flatMap(({ link, isRelay }) => (isRelay ? [link] : []));
}

/** Relays that have a place in this one’s mesh; one that came too late for a place is only known to call itself a relay. */
function includedBy(gossip: Gossip): readonly Link[] {
  return gossip.peers().flatMap(({ link, isRelay, isIncluded }) => (isRelay && isIncluded ? [link] : []));
}

type Opening = { readonly end: Readonly<End>; readonly port: number; readonly identity: Uint8Array };

function partsOf(options: Libp2pOptions, { end, port, identity }: Opening): Parts {
  const { clock, logger = QUIET, random = PLATFORM, relay = false, isPublic = isPublicIpv4 } = options;
  const limits = { ...USUAL_LIMITS, ...options.limits };
  const onFault = (topic: string): void => logger.error('a listener of the network failed', { topic });
  const onChange = (topic: string, listens: boolean): void => gossip.announce(topic, listens);
  const swaps = createListeners<PeerEnvelope>({ onChange, onFault });
  const orders = createListeners<OrderEnvelope>({ onChange, onFault });
  const health = createHealth({
    ...{ clock, identity, answers: limits.health },
    say: (topic, data) => gossip.publish(topic, data),
  });
  const gossip: Gossip = new Gossip({
    ...{ clock, random, limits, relay, health },
    self: () => end.host?.idBytes ?? new Uint8Array(0),
    topics: () => [health.topic, ...swaps.topics(), ...orders.topics()],
    onMessage(topic, read) {
      const { from } = read;
      if (read.of === 'swap') swaps.tell(topic, { topic, from, message: read.message });
      else if (read.of === 'orders') orders.tell(topic, { topic, from, message: read.message });
    },
    onFault(link, fault) {
      links.ban(link, fault);
      end.kept?.distrust(link);
    },
  });
  const links: Links = new Links({
    ...{ clock, logger, limits, bytes: random.bytes },
    self: () => end.host?.id ?? '',
    onLink: (link) => void gossip.attach(link),
    isWell: (link, age) => gossip.isWell(link, age),
  });
  return { options, logger, random, limits, gossip, links, swaps, orders, rules: { port, isPublic } };
}

function serving(parts: Parts): Pick<HostOptions, 'admits' | 'handlers' | 'onLink'> {
  const { options, random, limits, gossip, links, rules } = parts;
  const { clock, relay = false } = options;
  const gossiping = { most: MOST_STREAMS, handle: gossip.read.bind(gossip) };
  const mayAsk = createQuestions({ clock, rate: limits.questions });
  const asked =
    (answer: (stream: WireStream) => void): StreamHandler =>
    (stream, link) =>
      mayAsk(link) ? answer(stream) : stream.abort();
  const tellRelays = (stream: WireStream): void =>
    answerRelays(stream, { clock, random, rules, relays: () => includedBy(gossip) });
  return {
    admits: (caller) => links.admits(caller),
    onLink: (link) => links.take(link),
    handlers: {
      ...Object.fromEntries(GOSSIP_PROTOCOLS.map((protocol) => [protocol, gossiping])),
      [PING_PROTOCOL]: { most: MOST_STREAMS, handle: answerPings },
      [REQUEST_PROTOCOL]: { most: MOST_STREAMS, handle: asked((stream) => answerRequests(stream, clock)) },
      [FLOOD_PROTOCOL]: { most: MOST_STREAMS, handle: passOver },
      ...(relay ? { [EXCHANGE_PROTOCOL]: { most: MOST_STREAMS, handle: asked(tellRelays) } } : {}),
    },
  };
}

function keepMesh({ options: { clock }, limits, gossip }: Parts): () => void {
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = clock.wakeAt((clock.now() + limits.mesh) as Millis, () => {
      gossip.keepMesh();
      wait();
    });
  };
  wait();
  return () => cancel();
}

function portsOf(parts: Parts): Pick<Libp2pNetwork, 'peers' | 'orders'> {
  const { options, gossip, swaps, orders } = parts;
  const self = bytesToHex(options.signer.key.subarray(1));
  return {
    peers: {
      self,
      async send(topic, message, { signer: key } = {}) {
        const payload = peerPayload(topic, message);
        // Nobody there can read a transaction in an envelope.
        const data =
          message.kind === 'transaction' ? payload : await signEnvelope(signerFor(options, { key, message }), payload);
        gossip.publish(topic, data);
      },
      subscribe: (topic, onMessage) => swaps.add(topic, onMessage),
    },
    orders: {
      self,
      async send(topic, message) {
        gossip.publish(topic, await signEnvelope(options.signer, orderPayload(topic, message)));
      },
      subscribe: (topic, onMessage) => orders.add(topic, onMessage),
    },
  };
}

type Wanted = { readonly key: string | undefined; readonly message: SwapMessage };

function signerFor({ signer, signerOf }: Libp2pOptions, { key, message }: Wanted): Signer {
  if (key === undefined || key.toLowerCase() === bytesToHex(signer.key)) return signer;
  const found = signerOf?.(key.toLowerCase(), message);
  if (found !== undefined) return found;
  throw new PeerNetworkError('The message is to be signed with a key that this node does not have.', {
    code: 'PEER_KEY_UNKNOWN',
    facts: { key, kind: message.kind },
    next: 'Give the network a `signerOf` that knows the key.',
    retry: 'operator',
  });
}

function shownLinks({ links, gossip }: Parts): readonly PeerLink[] {
  const relays = new Set(relaysOf(gossip));
  return links
    .list()
    .map((link) => ({ id: link.id, address: link.host, dialed: link.dialed, relay: relays.has(link) }));
}

type Closing = Parts & { readonly host: Host; readonly stops: readonly (() => void)[] };

/** Milliseconds that the other sides of links have to see them end. */
const CLOSING = 2000;

async function closeAll({ options: { clock }, host, stops, swaps, orders, links }: Closing): Promise<void> {
  for (const stop of stops) stop();
  swaps.clear();
  orders.clear();
  // libp2p waits with timers that keep no process running, which would end before libp2p has closed.
  const cancel = clock.wakeAt((clock.now() + CLOSING) as Millis, () => {
    for (const link of links.list()) link.drop();
  });
  try {
    await host.close();
  } finally {
    cancel();
  }
}
