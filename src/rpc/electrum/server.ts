import type { Duplex } from 'node:stream';
import type { DaemonClient } from '../../chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../chains/utxo/daemon/reader.ts';
import type { Tip } from '../../chains/utxo/reader.ts';
import { scripthashOf } from '../../chains/utxo/scripthash.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { millisOf } from '../../primitives/time.ts';
import type { Certificate } from './certificate.ts';
import { Connection, type ConnectionLimits } from './connection.ts';
import { answerLine } from './dispatch.ts';
import { ElectrumServerError } from './error.ts';
import { type Follower, follow } from './follow.ts';
import { createHeaders } from './headers.ts';
import type { HeldBytes } from './line-splitter.ts';
import { type Bound, type Endpoint, listenOn } from './listen.ts';
import type { ElectrumContext } from './method.ts';
import { tellNews, touch } from './news.ts';
import { createSubscribers, leave } from './subscribers.ts';

export type ElectrumLimits = ConnectionLimits & {
  /** Most clients at a time, on each port. */
  readonly connections: number;
  /** Longest message over a web socket, in bytes: it is held whole before it is looked at. */
  readonly longestMessage: number;
  /** Most scripts to which one connection may subscribe. */
  readonly subscriptions: number;
};

export const ELECTRUM_LIMITS: ElectrumLimits = {
  connections: 200,
  subscriptions: 5000,
  // Of all connections on a port together no more than unfinished lines may hold.
  longestMessage: 320_000,
  requests: 8,
  // The largest transaction that is read, in hex, and what stands around it.
  most: 2_100_000,
  mostHeld: 64_000_000,
  unread: 16_000_000,
  mostUnread: 256_000_000,
  stallMs: 60_000,
  idleMs: 600_000,
};

export type ElectrumServerOptions = {
  readonly client: DaemonClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How the server names itself. */
  readonly software: string;
  /** Address to listen on. @defaultValue 127.0.0.1 */
  readonly host?: string;
  /** Port without encryption, 0 for a free one. @defaultValue none */
  readonly tcp?: number;
  /** Port with TLS, 0 for a free one. @defaultValue none */
  readonly tls?: { readonly port: number } & Certificate;
  /** Port for web sockets without encryption, 0 for a free one. @defaultValue none */
  readonly ws?: number;
  /** Port for web sockets with TLS, 0 for a free one. @defaultValue none */
  readonly wss?: { readonly port: number } & Certificate;
  /** Milliseconds between two looks at the daemon. @defaultValue 1,000 */
  readonly pollMs?: number;
  readonly limits?: Partial<ElectrumLimits>;
};

export type ElectrumServer = {
  readonly host: string;
  /** Null where it does not listen. */
  readonly tcpPort: number | null;
  readonly tlsPort: number | null;
  readonly wsPort: number | null;
  readonly wssPort: number | null;
  readonly tip: () => Tip;
  /** Clients that are connected. */
  readonly clients: () => number;
  /** Looks at the daemon now. @throws BackendSilent */
  readonly look: () => Promise<void>;
  /** Cuts off all clients and closes the ports. */
  readonly close: () => Promise<void>;
};

const POLL_MS = 1000;
const SWEEP_MS = 5000;

/** What a server shares between its connections, and what it must end. */
type Running = {
  readonly context: ElectrumContext;
  readonly options: ElectrumServerOptions;
  readonly limits: ElectrumLimits;
  readonly held: HeldBytes;
  readonly connections: Set<Connection>;
};

/**
 * A server of the Electrum protocol 1.4 over a daemon of Bitcoin's family, which needs no index of addresses for it: every block is read
 * once and held in memory. It listens once it has read them all.
 *
 * @throws ElectrumServerError ELECTRUM_DAEMON_SILENT, ELECTRUM_CERTIFICATE_INVALID, ELECTRUM_WEB_SOCKETS_MISSING; RpcListenError RPC_LISTEN_FAILED
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { connectDaemon } from 'swapfold/chains/utxo';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { dispatch, listen, METHODS, methodTable, openElectrumServer } from 'swapfold/rpc';
 * import { systemRandom } from 'swapfold/runtime';
 * import { openSmartChain, openWallet, PREFIXES } from 'swapfold/smartchain';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const chain = await openSmartChain({ log: createMemoryLog(), now: clock.now });
 * const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const context = { chain, wallet, compatibility: 'node', tokens: false, stop() {} } as const;
 * const shared = { clock, logger: { info() {}, warn() {}, error() {} } };
 * const terms = { methods: methodTable(METHODS), context, logger: shared.logger };
 * const credentials = { user: 'me', password: new Secret('only I know') };
 * const answer = (body: Uint8Array) => dispatch(body, terms);
 * const daemon = await listen({ ...shared, answer, credentials, port: 0 });
 * const client = connectDaemon({ ...credentials, url: `http://127.0.0.1:${daemon.port}` });
 * const server = await openElectrumServer({ ...shared, client, software: 'mine 1.0', tcp: 0 });
 * server.tip().height; // → 0
 * [server.tcpPort !== null, server.tlsPort]; // → [true, null]
 * await server.close();
 * await daemon.close();
 * ```
 */
export async function openElectrumServer(options: ElectrumServerOptions): Promise<ElectrumServer> {
  const limits = { ...ELECTRUM_LIMITS, ...options.limits };
  const { context, follower } = await followDaemon(options, limits);
  const running: Running = { context, options, limits, held: { bytes: 0, unread: 0 }, connections: new Set() };
  const host = options.host ?? '127.0.0.1';
  const bound: Bound[] = [];
  const cancelSweep = sweepAgainAndAgain(running);
  const close = async (): Promise<void> => {
    follower.close();
    cancelSweep();
    for (const connection of running.connections) connection.end();
    await Promise.all(bound.map((port) => port.close()));
  };
  const open = async (endpoint: Endpoint | undefined): Promise<number | null> => {
    if (endpoint === undefined) return null;
    const onClient = (stream: Duplex): void => connect(running, stream);
    const { connections: most, longestMessage: longest } = limits;
    const port = await listenOn(endpoint, { host, most, longest, onClient });
    bound.push(port);
    return port.port;
  };
  try {
    const { tcp, tls, ws, wss } = options;
    const ports = {
      tcpPort: await open(tcp === undefined ? undefined : { port: tcp }),
      tlsPort: await open(tls === undefined ? undefined : { port: tls.port, certificate: tls }),
      wsPort: await open(ws === undefined ? undefined : { port: ws, web: true }),
      wssPort: await open(wss === undefined ? undefined : { port: wss.port, certificate: wss, web: true }),
    };
    const { tip, look } = follower;
    return { host, ...ports, tip, look, clients: () => running.connections.size, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function followDaemon(
  { client, clock, logger, software, pollMs = POLL_MS }: ElectrumServerOptions,
  { subscriptions }: ElectrumLimits,
): Promise<{ readonly context: ElectrumContext; readonly follower: Follower }> {
  const touched = { scripts: new Set<string>() };
  let isServing = false;
  const reader = createDaemonReader({
    client,
    birth: 0,
    // What the chain's clock and its estimates are told in is asked for by none of the protocol's calls.
    decimals: 8,
    medianBlocks: 1,
    index: {
      keyOf: scripthashOf,
      onChange: (seen) => {
        if (isServing) touch(touched, reader.index, seen);
      },
    },
  });
  const headers = createHeaders(client);
  const subscribers = createSubscribers();
  let told = '';
  const onNews = async (tip: Tip): Promise<void> => {
    await tellNews({ reader, headers, subscribers, touched }, { tip, isNewTip: tip.hash !== told });
    told = tip.hash;
  };
  let isSilent = false;
  const onLook = (failure: unknown): void => {
    if (failure !== null && !isSilent) {
      logger.warn('the daemon behind the Electrum server does not answer', { reason: messageOf(failure) });
    }
    isSilent = failure !== null;
  };
  const follower = await follow({ reader, clock, pollMs, onNews, onLook }).catch((error: unknown) => {
    throw error instanceof BackendSilent ? silent(error) : error;
  });
  told = follower.tip().hash;
  isServing = true;
  const context = { reader, client, headers, follower, subscribers, software, mostSubscriptions: subscriptions };
  return { context, follower };
}

function connect({ context, options, limits, held, connections }: Running, socket: Duplex): void {
  const { clock, logger } = options;
  const connection = new Connection(socket, {
    limits,
    held,
    clock,
    answer: (line, session) => answerLine(line, { context, session, logger }),
    onEnd: (ended) => {
      connections.delete(ended);
      leave(context.subscribers, ended.session);
    },
  });
  connections.add(connection);
  context.subscribers.all.add(connection.session);
}

function sweepAgainAndAgain({ options: { clock }, connections }: Running): () => void {
  let cancel = (): void => {};
  const sweep = (): void => {
    for (const connection of connections) connection.sweep();
    cancel = clock.wakeAt(millisOf(clock.now() + SWEEP_MS), sweep);
  };
  sweep();
  return () => cancel();
}

function silent(error: BackendSilent): ElectrumServerError {
  return new ElectrumServerError('The daemon behind the Electrum server does not answer.', {
    code: 'ELECTRUM_DAEMON_SILENT',
    facts: { reason: error.message },
    next: 'Start the daemon, and check the user, password and port in its conf file.',
    retry: 'operator',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
