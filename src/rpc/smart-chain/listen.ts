import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { optionalPackage } from '../../primitives/optional-package.ts';
import { millisOf } from '../../primitives/time.ts';
import { SmartChainError } from '../../smartchain/error.ts';
import { allowedAddresses } from './allow.ts';
import { basicAuth, punish, type RpcCredentials } from './auth.ts';
import { MAX_BODY_BYTES, type RpcAnswer } from './dispatch.ts';

export type ListenOptions = {
  /** Answers the body of a request; it never throws. */
  readonly answer: (body: Uint8Array) => Promise<RpcAnswer>;
  readonly credentials: RpcCredentials;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 for one that is free. */
  readonly port: number;
  /** Address to listen on. @defaultValue 127.0.0.1 */
  readonly host?: string;
  /** Addresses and subnets that may call besides loopback. @defaultValue none */
  readonly allow?: readonly string[];
  /** Most requests at a time. @defaultValue 256 */
  readonly workQueue?: number;
  readonly timeouts?: Timeouts;
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

/** As the smart-chain node's conf file sets it. */
const WORK_QUEUE = 256;
const MAX_HEADER_BYTES = 8192;
const MAX_CONNECTIONS = 1024;

/** Bytes of requests that are held at a time; four of the longest. */
const MAX_HELD_BYTES = 4 * MAX_BODY_BYTES;

/**
 * Listens for calls over HTTP and answers them as the smart-chain node does: POST to `/` alone, basic authentication, any
 * content type. The credentials are looked at before the body is read.
 *
 * Needs the packages `hono` and `@hono/node-server`.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID when nothing can listen there, or an option makes no sense.
 * @throws PackageMissingError when one of the packages is not installed.
 */
export async function listen(options: ListenOptions): Promise<RpcListener> {
  const { host = '127.0.0.1', port, clock, timeouts = {} } = options;
  const { createAdaptorServer } = await optionalPackage('@hono/node-server', () => import('@hono/node-server'));
  const hono = await optionalPackage('hono', () => import('hono'));
  const state = { closing: false };
  const server = createAdaptorServer({
    fetch: createApp(new hono.Hono<{ Bindings: HttpBindings }>(), { options, state }).fetch,
    hostname: host,
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headers ?? 10_000,
      requestTimeout: timeouts.request ?? 60_000,
      connectionsCheckingInterval: timeouts.check ?? 1000,
    },
  }) as Server;
  server.maxConnections = MAX_CONNECTIONS;
  await bind(server, { host, port });
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

function bind(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const { code } = error as { readonly code?: string };
      reject(
        new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'The RPC cannot listen on this address and port.', {
          facts: { host, port, reason: code },
          next: 'End what listens there, or choose another port (rpcport).',
          retry: 'operator',
        }),
      );
    });
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

type Serving = { readonly options: ListenOptions; readonly state: { readonly closing: boolean } };

type App = Hono<{ Bindings: HttpBindings }>;

function createApp(app: App, { options, state }: Serving): App {
  const handle = requestHandler(options);
  app.all('*', async ({ req, env }) => {
    const response = await handle(req.raw, env.incoming);
    // A connection that stayed open would keep the server from closing.
    if (state.closing) response.headers.set('Connection', 'close');
    return response;
  });
  // Reached when a client goes away in the middle of its request.
  app.onError(() => empty(400));
  return app;
}

/** Answers one request; apart from the listening so that a caller from elsewhere can be tried. */
export function requestHandler(
  options: ListenOptions,
): (request: Request, incoming: IncomingMessage) => Promise<Response> {
  const { credentials, clock, logger, workQueue = WORK_QUEUE } = options;
  const verdictOf = basicAuth(credentials);
  const mayCall = allowedAddresses(options.allow ?? []);
  const held = { requests: 0, bytes: 0 };
  return async (request, incoming) => {
    const { remoteAddress } = incoming.socket;
    if (!mayCall(remoteAddress)) return empty(403);
    if (incoming.url !== '/') return empty(404);
    if (incoming.method !== 'POST') return plain(405, 'JSONRPC server handles only POST requests');
    const verdict = verdictOf(incoming.headers.authorization);
    if (verdict === 'wrong') {
      logger.warn('a call came with wrong credentials', { from: remoteAddress });
      await punish(clock);
    }
    if (verdict !== 'allowed') return empty(401, { 'WWW-Authenticate': 'Basic realm="jsonrpc"' });
    if (held.requests >= workQueue) return full();
    held.requests += 1;
    const body = new HeldBody(held);
    try {
      const problem = await body.read(request);
      return problem ?? answered(await options.answer(body.bytes()));
    } finally {
      held.requests -= 1;
      body.release();
    }
  };
}

/** The body of a request as far as it has come, counted in what all requests hold together. */
class HeldBody {
  readonly #held: { bytes: number };
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(held: { bytes: number }) {
    this.#held = held;
  }

  /** Reads all of it; gives the answer to one that is too long. */
  async read({ body }: Request): Promise<Response | undefined> {
    if (body === null) return undefined;
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      this.#chunks.push(value);
      this.#length += value.length;
      this.#held.bytes += value.length;
      if (this.#length > MAX_BODY_BYTES) return empty(413, { Connection: 'close' });
      if (this.#held.bytes > MAX_HELD_BYTES) return full();
    }
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  release(): void {
    this.#held.bytes -= this.#length;
  }
}

function answered({ status, body }: RpcAnswer): Response {
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
}

function full(): Response {
  return plain(500, 'Work queue depth exceeded');
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain' } });
}

function empty(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'Content-Length': '0', ...headers } });
}
