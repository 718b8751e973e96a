import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Clock } from '../../ports/clock.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { GONE, type HttpHandler, type HttpReply, type RpcListener, serveHttp, type Timeouts } from '../http/serve.ts';
import type { Caller } from './access.ts';
import { type FrameworkHttpOptions, frameworkHttp, type HttpCall } from './http.ts';

export type FrameworkListenOptions = ListenPlace & FrameworkHttpOptions;

export type ListenPlace = {
  readonly clock: Clock;
  /** 0 for one that is free. */
  readonly port: number;
  /** Address to listen on. @defaultValue 127.0.0.1 */
  readonly host?: string;
  readonly timeouts?: Timeouts;
};

/**
 * Nothing can listen there, or an option of the listener makes no sense.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { listenFramework, RpcListenError } from 'swapfold/rpc';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const options = { answer: async () => ({ status: 200, body: '{}' }), clock };
 * const first = await listenFramework({ ...options, port: 0 });
 * const second = listenFramework({ ...options, port: first.port });
 * const fault: unknown = await second.catch((error: unknown) => error);
 * fault instanceof RpcListenError && fault.code; // → 'RPC_LISTEN_FAILED'
 * await first.close();
 * ```
 */
export class RpcListenError extends SwapfoldError {}

/**
 * Listens for calls of the trading framework's JSON-RPC over HTTP, at whatever path that is no page's, with any content type. Every answer
 * names the origin whose pages may read it.
 *
 * @throws RpcListenError RPC_LISTEN_FAILED when nothing can listen there.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { listenFramework } from 'swapfold/rpc';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const answer = async () => ({ status: 200, body: '{"result":"success"}' });
 * const listener = await listenFramework({ answer, clock, port: 0 });
 * const response = await fetch(`http://127.0.0.1:${listener.port}/`, { method: 'POST', body: '{}' });
 * await response.json(); // → { result: 'success' }
 * response.headers.get('access-control-allow-origin'); // → 'http://localhost:3000'
 * await listener.close();
 * ```
 */
export function listenFramework(options: FrameworkListenOptions): Promise<RpcListener> {
  return listenWith(frameworkHttp(options), options);
}

/** The same for an existing handler of requests. */
export function listenWith(handle: (call: HttpCall) => Promise<Response>, options: ListenPlace): Promise<RpcListener> {
  const { host = '127.0.0.1', port, clock, timeouts = {} } = options;
  const unbound = (reason: string | undefined) =>
    new RpcListenError('The RPC cannot listen on this address and port.', {
      code: 'RPC_LISTEN_FAILED',
      facts: { host, port, reason },
      next: 'Stop the program that listens there, or choose another port (rpcport).',
      retry: 'operator',
    });
  return serveHttp({ handle: ofNode(handle), clock, port, host, timeouts, unbound });
}

function ofNode(handle: (call: HttpCall) => Promise<Response>): HttpHandler {
  const answer = async (incoming: IncomingMessage): Promise<HttpReply> =>
    replyOf(
      await handle({
        httpMethod: incoming.method ?? 'POST',
        path: incoming.url ?? '/',
        headers: new Headers(Object.entries(incoming.headers ?? {}).flatMap(([name, value]) => pairOf(name, value))),
        body: incoming,
        caller: callerOf(incoming),
        cut: () => incoming.socket.destroy(),
      }),
    );
  return (incoming, send) =>
    void answer(incoming)
      .catch(() => GONE)
      .then(send);
}

/** What is not streamed is whole already, and goes out in one piece. */
async function replyOf(response: Response): Promise<HttpReply> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true && body !== null;
  return { status, headers, body: isStream ? body : await response.text() };
}

function pairOf(name: string, value: string | readonly string[] | undefined): [string, string][] {
  if (value === undefined || name.startsWith(':')) return [];
  return [[name, typeof value === 'string' ? value : value.join(', ')]];
}

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
