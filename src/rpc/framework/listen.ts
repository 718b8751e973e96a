import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Clock } from '../../ports/clock.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { type Held, HeldBody } from '../http/held-body.ts';
import { type RpcListener, serveHttp, type Timeouts } from '../http/serve.ts';
import type { Caller } from './access.ts';
import { type FrameworkAnswer, type FrameworkRequest, MAX_BODY_BYTES } from './dispatch.ts';

export type FrameworkListenOptions = {
  /** Answers the body of a request; it never throws. */
  readonly answer: (request: FrameworkRequest) => Promise<FrameworkAnswer>;
  readonly clock: Clock;
  /** 0 for one that is free. */
  readonly port: number;
  /** Address to listen on. @defaultValue 127.0.0.1 */
  readonly host?: string;
  /** Origin whose pages may read answers (`Access-Control-Allow-Origin`). @defaultValue http://localhost:3000 */
  readonly cors?: string;
  /** Most requests at a time. @defaultValue 256 */
  readonly workQueue?: number;
  readonly timeouts?: Timeouts;
};

const WORK_QUEUE = 256;

/** Bytes of requests that are held at a time; four of the longest. */
const MAX_HELD_BYTES = 4 * MAX_BODY_BYTES;

/** Port and origin of the real node (`activation.md` §1). */
export const DEFAULT_FRAMEWORK_PORT = 7783;
const DEFAULT_CORS = 'http://localhost:3000';

/** Nothing can listen there, or an option of the listener makes no sense. */
export class RpcListenError extends SwapfoldError {}

/**
 * Listens for calls of the trading framework's JSON-RPC over HTTP, at whatever path, with any content type. Every answer names the
 * origin whose pages may read it.
 *
 * Needs the packages `hono` and `@hono/node-server`.
 *
 * @throws RpcListenError RPC_LISTEN_FAILED when nothing can listen there.
 * @throws PackageMissingError when one of the packages is not installed.
 */
export function listenFramework(options: FrameworkListenOptions): Promise<RpcListener> {
  const { host = '127.0.0.1', port, clock, timeouts = {} } = options;
  const unbound = (reason: string | undefined) =>
    new RpcListenError('The RPC cannot listen on this address and port.', {
      code: 'RPC_LISTEN_FAILED',
      facts: { host, port, reason },
      next: 'End what listens there, or choose another port (rpcport).',
      retry: 'operator',
    });
  return serveHttp({ handle: frameworkHandler(options), clock, port, host, timeouts, unbound });
}

/** Answers one request; apart from the listening so that a caller from elsewhere can be tried. */
export function frameworkHandler(options: FrameworkListenOptions) {
  const { answer, cors = DEFAULT_CORS, workQueue = WORK_QUEUE } = options;
  const held: Held = { requests: 0, bytes: 0 };
  const reply = ({ status, body }: FrameworkAnswer, headers: Record<string, string> = {}): Response =>
    new Response(body, {
      status,
      headers: { 'Access-Control-Allow-Origin': cors, 'Content-Type': 'application/json', ...headers },
    });
  return async (_request: Request, incoming: IncomingMessage): Promise<Response> => {
    const httpMethod = incoming.method ?? 'POST';
    if (httpMethod === 'OPTIONS') return reply({ status: 200, body: '' }, PREFLIGHT);
    if (held.requests >= workQueue) return reply(BUSY);
    held.requests += 1;
    const body = new HeldBody(held, { most: MAX_BODY_BYTES, mostHeld: MAX_HELD_BYTES });
    try {
      const problem = await body.read(incoming);
      if (problem === 'tooLong') return reply(TOO_LONG, { Connection: 'close' });
      if (problem === 'tooMuchHeld') return reply(BUSY);
      return reply(await answer({ body: body.bytes(), httpMethod, caller: callerOf(incoming) }));
    } finally {
      held.requests -= 1;
      body.release();
    }
  };
}

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '3600',
};

const BUSY: FrameworkAnswer = { status: 503, body: '{"error":"The node has too many requests; try again later."}' };
const TOO_LONG: FrameworkAnswer = {
  status: 413,
  body: `{"error":"The request is longer than ${MAX_BODY_BYTES} bytes"}`,
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** How a socket of IPv6 shows a caller of IPv4. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

function callerOf({ socket }: IncomingMessage): Caller {
  const address = (socket.remoteAddress ?? '').replace(MAPPED, '');
  const kind = isIP(address);
  return { address, local: kind !== 0 && LOOPBACK.check(address, kind === 4 ? 'ipv4' : 'ipv6') };
}
