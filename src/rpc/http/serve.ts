import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../ports/clock.ts';
import { millisOf } from '../../primitives/time.ts';
import { Connections } from './connections.ts';

/** What a request is answered with. */
export type HttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is cancelled where a client goes away. */
  readonly body: string | ReadableStream<Uint8Array>;
};

/** Takes the answer to a request. */
export type Send = (reply: HttpReply) => void;

/** Answers one request of HTTP: it calls `send` once, with {@link GONE} where the client went away, and never throws. */
export type HttpHandler = (incoming: IncomingMessage, send: Send) => void;

export type ServeOptions = {
  readonly handle: HttpHandler;
  readonly clock: Clock;
  /** 0 for one that is free. */
  readonly port: number;
  /** Address to listen on. @defaultValue 127.0.0.1 */
  readonly host?: string;
  readonly timeouts?: Timeouts;
  /** Most connections at a time. @defaultValue 1,024 */
  readonly mostConnections?: number;
  /** The error that the caller gets where nothing can listen there; the reason is the system's code, such as `EADDRINUSE`. */
  readonly unbound: (reason: string | undefined) => Error;
};

/** Milliseconds. */
export type Timeouts = {
  /** Until a request's headers are there. @defaultValue 10,000 */
  readonly headers?: number;
  /** Until all of a request is there, not less than `headers`. @defaultValue 60,000 */
  readonly request?: number;
  /** How often slow clients are looked for. @defaultValue 1,000 */
  readonly check?: number;
  /** How long closing waits for requests that are under way. @defaultValue 10,000 */
  readonly close?: number;
};

export type RpcListener = {
  readonly host: string;
  readonly port: number;
  /** Takes no more requests, waits for those that are under way, and lets go of the port. */
  close(): Promise<void>;
};

const MAX_HEADER_BYTES = 8192;
const MAX_CONNECTIONS = 1024;

/**
 * Listens for HTTP/1.1. Slow clients are cut off, and their number is bounded: the oldest gives way.
 *
 * @throws what `unbound` makes when nothing can listen there.
 */
export async function serveHttp(options: ServeOptions): Promise<RpcListener> {
  const { host = '127.0.0.1', port, clock, timeouts = {}, unbound } = options;
  const state = { closing: false };
  const connections = new Connections(options.mostConnections ?? MAX_CONNECTIONS);
  const serving: Serving = { handle: options.handle, state, connections };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headers ?? 10_000,
      requestTimeout: timeouts.request ?? 60_000,
      connectionsCheckingInterval: timeouts.check ?? 1000,
    },
    (incoming, outgoing) => respond(incoming, outgoing, serving),
  );
  server.on('connection', (socket) => connections.add(socket));
  await bind(server, { host, port, unbound });
  const { port: bound } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    host,
    port: bound,
    close() {
      state.closing = true;
      closed ??= closeServer(server, { clock, patience: timeouts.close ?? 10_000 });
      return closed;
    },
  };
}

type Binding = Pick<ServeOptions, 'port' | 'unbound'> & { readonly host: string };

function bind(server: Server, { host, port, unbound }: Binding): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(unbound((error as { readonly code?: string }).code)));
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server, { clock, patience }: { readonly clock: Clock; readonly patience: number }) {
  return new Promise<void>((resolve) => {
    const cancel = clock.wakeAt(millisOf(clock.now() + patience), () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

type Serving = {
  readonly handle: HttpHandler;
  readonly state: { readonly closing: boolean };
  readonly connections: Connections;
};

/** For a client that no longer reads its answer. */
export const GONE: HttpReply = { status: 400, headers: {}, body: '' };

function respond(incoming: IncomingMessage, outgoing: ServerResponse, serving: Serving): void {
  const { handle, state, connections } = serving;
  const { socket } = incoming;
  connections.begin(socket, incoming);
  handle(incoming, ({ status, headers, body }) => {
    connections.end(socket, incoming);
    // A list, since objects made anew for each answer get a shape each, which stay in memory until a full collection.
    const head: string[] = [];
    for (const name in headers) head.push(name, headers[name] as string);
    // A connection that stayed open would keep the server from closing.
    if (state.closing) head.push('Connection', 'close');
    if (typeof body !== 'string') {
      outgoing.writeHead(status, head);
      void written(outgoing, body);
      return;
    }
    head.push('Content-Length', String(Buffer.byteLength(body)));
    outgoing.writeHead(status, head);
    // As a text it goes out in one piece with its head.
    outgoing.end(body);
  });
}

/** Writes no faster than the client reads. Whoever goes away ends the stream. */
async function written(outgoing: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const gone = new Promise<'gone'>((resolve) => outgoing.once('close', () => resolve('gone')));
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), gone]);
      if (next === 'gone' || next.done) break;
      if (outgoing.write(next.value)) continue;
      const room = new Promise<'room'>((resolve) => outgoing.once('drain', () => resolve('room')));
      if ((await Promise.race([room, gone])) === 'gone') break;
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
