import type { Connection, PeerId, PrivateKey, Stream } from '@libp2p/interface';
import type { Multiaddr } from '@multiformats/multiaddr';
import { addressText, multiaddrText, type PeerAddress } from './address.ts';
import type { Watch } from './capture.ts';
import { PeerNetworkError } from './error.ts';
import type { HostLimits } from './limits.ts';
import type { Link, StreamHandler } from './link.ts';
import { placesOf, type ResolveName } from './names.ts';
import type { Libp2pPackages } from './packages.ts';
import { wireStream } from './stream.ts';

export type HostOptions = {
  /** Seed of the ed25519 key that is the node's identity on the network, 32 bytes. */
  readonly identity: Uint8Array;
  readonly listen: readonly PeerAddress[];
  readonly limits: HostLimits;
  /** Whether a node may connect from there; `id` is null before it has proved its identity. */
  readonly admits: (caller: { readonly host: string; readonly id: string | null }) => boolean;
  /** By protocol. */
  readonly handlers: Readonly<Record<string, { readonly handle: StreamHandler; readonly most: number }>>;
  readonly onLink: (link: Link) => void;
  readonly resolve: ResolveName;
  /** Observes all traffic on links. @defaultValue none */
  readonly watch?: Watch;
};

/** The node's end of the network. */
export type Host = {
  readonly id: string;
  readonly idBytes: Uint8Array;
  /** Where it listens. */
  readonly addresses: () => readonly PeerAddress[];
  readonly dial: (address: PeerAddress) => Promise<Link>;
  readonly close: () => Promise<void>;
};

type Taken = { readonly stream: Stream; readonly connection: Connection };

/** The window of yamux, and what a paused stream holds. */
const WINDOW_BYTES = 256 * 1024;
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
const MOST_STREAMS = 32;

/** Opens the node's end: TCP, noise and yamux as the framework speaks them. @throws PeerNetworkError PEER_LISTEN */
export async function openHost(packages: Libp2pPackages, options: HostOptions): Promise<Host> {
  const { generateKeyPairFromSeed, multiaddr } = packages;
  const node = await createNode(packages, {
    ...options,
    privateKey: await generateKeyPairFromSeed('Ed25519', options.identity),
  });
  const links = new WeakMap<Connection, Link>();
  const linkOf = (connection: Connection): Link => {
    const known = links.get(connection);
    if (known !== undefined) return known;
    const plain = linkOver(connection);
    const link = options.watch?.link(plain) ?? plain;
    links.set(connection, link);
    // What libp2p remembers about peers would grow with every identity that connects.
    link.onEnd(() => void forget(node.peerStore, connection.remotePeer));
    options.onLink(link);
    return link;
  };
  const take = (handle: StreamHandler, { stream, connection }: Taken): void => {
    const link = linkOf(connection);
    const wire = wireStream(stream);
    handle(options.watch?.stream(wire, link) ?? wire, link);
  };
  node.addEventListener('connection:open', ({ detail }) => void linkOf(detail));
  for (const [protocol, { handle, most }] of Object.entries(options.handlers)) {
    await node.handle(protocol, (stream, connection) => take(handle, { stream, connection }), {
      maxInboundStreams: most,
      runOnLimitedConnection: true,
    });
  }
  try {
    await node.start();
  } catch (error) {
    await node.stop();
    throw notListening(options.listen, error);
  }
  return {
    id: node.peerId.toString(),
    idBytes: node.peerId.toMultihash().bytes,
    addresses: () => node.getMultiaddrs().map((address) => peerAddressOf(address)),
    async dial(address) {
      const places = await placesOf(address, options.resolve);
      return linkOf(await node.dial(places.map((place) => multiaddr(multiaddrText(place)))));
    },
    close: async () => void (await node.stop()),
  };
}

type NodeOptions = HostOptions & { readonly privateKey: PrivateKey };

function createNode({ createLibp2p, tcp, noise, yamux }: Libp2pPackages, options: NodeOptions) {
  const { privateKey, listen, limits, admits } = options;
  return createLibp2p({
    privateKey,
    start: false,
    addresses: { listen: listen.map(multiaddrText) },
    transports: [tcp({ maxConnections: limits.links + limits.pending, inboundSocketInactivityTimeout: 60_000 })],
    connectionEncrypters: [noise()],
    streamMuxers: [
      yamux({
        maxInboundStreams: MOST_STREAMS,
        maxEarlyStreams: MOST_STREAMS,
        streamOptions: {
          initialStreamWindowSize: WINDOW_BYTES,
          maxStreamWindowSize: WINDOW_BYTES,
          maxReadBufferLength: 2 * WINDOW_BYTES,
          maxWriteBufferLength: MOST_WAITING_BYTES,
        },
      }),
    ],
    // Pings use the node's own clock.
    connectionMonitor: { enabled: false },
    connectionManager: {
      maxConnections: limits.links,
      maxIncomingPendingConnections: limits.pending,
      inboundConnectionThreshold: limits.perSecond,
      inboundUpgradeTimeout: limits.handshake,
      reconnectRetries: 0,
    },
    connectionGater: {
      denyDialMultiaddr: () => false,
      denyInboundConnection: ({ remoteAddr }) => !admits({ host: peerAddressOf(remoteAddr).host, id: null }),
      denyInboundEncryptedConnection: (id, { remoteAddr }) =>
        !admits({ host: peerAddressOf(remoteAddr).host, id: id.toString() }),
      denyOutboundEncryptedConnection: (id, { remoteAddr }) =>
        !admits({ host: peerAddressOf(remoteAddr).host, id: id.toString() }),
    },
  });
}

function linkOver(connection: Connection): Link {
  const ended: (() => void)[] = [];
  let open = true;
  const end = (): void => {
    if (!open) return;
    open = false;
    for (const tell of ended.splice(0)) tell();
  };
  connection.addEventListener('close', end, { once: true });
  return {
    id: connection.remotePeer.toString(),
    idBytes: connection.remotePeer.toMultihash().bytes,
    ...peerAddressOf(connection.remoteAddr),
    dialed: connection.direction === 'outbound',
    open: async (protocols) => wireStream(await connection.newStream([...protocols], { runOnLimitedConnection: true })),
    drop() {
      try {
        connection.abort(new Error('the link was ended'));
      } catch {
        // It was already closing, and throws before it has released the socket.
        void connection.close().catch(() => {});
      }
      end();
    },
    onEnd(tell) {
      if (open) ended.push(tell);
      else tell();
    },
  };
}

async function forget(store: { delete: (id: PeerId) => Promise<void> }, id: PeerId): Promise<void> {
  try {
    await store.delete(id);
  } catch {
    // It did not exist, or the node is closed.
  }
}

function peerAddressOf(address: Multiaddr): PeerAddress {
  const part = (...names: readonly string[]): string =>
    address.getComponents().find(({ name }) => names.includes(name))?.value ?? '';
  return { host: part('ip4', 'ip6', 'dns', 'dns4', 'dns6'), port: Number(part('tcp')) };
}

function notListening(listen: readonly PeerAddress[], cause: unknown): PeerNetworkError {
  return new PeerNetworkError('The node cannot listen for other nodes.', {
    code: 'PEER_LISTEN',
    facts: { address: listen.map(addressText).join(', '), reason: reasonOf(cause) },
    next: 'See what else uses the port, or whether the address is one of this host; nothing was opened.',
    retry: 'operator',
  });
}

function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  const [first = '', ...rest] = String(message).split('\n');
  // libp2p says which of its settings failed, and below that what the system said.
  return /\b(?:EADDRINUSE|EADDRNOTAVAIL|EACCES)\b/.exec(rest.join('\n'))?.[0] ?? first;
}
