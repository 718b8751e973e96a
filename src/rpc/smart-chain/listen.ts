import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { SmartChainError } from '../../smartchain/error.ts';
import { type BodyEnd, HeldBody } from '../http/held-body.ts';
import { MAX_BODY_BYTES } from '../http/read-body.ts';
import {
  GONE,
  type HttpHandler,
  type HttpReply,
  type RpcListener,
  type Send,
  serveHttp,
  type Timeouts,
} from '../http/serve.ts';
import { allowedAddresses } from './allow.ts';
import { basicAuth, punish, type RpcCredentials } from './auth.ts';
import type { RpcAnswer } from './dispatch.ts';
import { WrongCallers } from './wrong-callers.ts';

export type ListenOptions = {
  /** Answers the body of a request; it never throws. */
  readonly answer: (body: Uint8Array) => RpcAnswer | Promise<RpcAnswer>;
  readonly credentials: RpcCredentials;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 for one that is free. */
  readonly port: number;
  /** Address to listen on. @defaultValue 127.0.0.1 */
  readonly host?: string;
  /** Addresses and subnets that may call besides loopback. @defaultValue none */
  readonly allow?: readonly string[];
  /** Maximum number of simultaneous requests. @defaultValue 256 */
  readonly workQueue?: number;
  /** Maximum number of simultaneous connections. @defaultValue 1,024 */
  readonly mostConnections?: number;
  readonly timeouts?: Timeouts;
};

/** As the smart-chain node's conf file sets it. */
const WORK_QUEUE = 256;

/** Maximum number of delayed answers to wrong credentials. */
const MOST_PUNISHED = 64;

/** Maximum number of request bytes held at a time: four of the longest requests. */
const MAX_HELD_BYTES = 4 * MAX_BODY_BYTES;

/**
 * Listens for calls over HTTP and answers them as the smart-chain node does: POST to `/` alone, basic authentication, any
 * content type. The credentials are looked at before the body is read.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID when nothing can listen there, or an option makes no sense.
 *
 * @example
 * ```ts
 * import { millisOf, Secret } from 'swapfold';
 * import { listen } from 'swapfold/rpc';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const logger = { info() {}, warn() {}, error() {} };
 * const answer = async (body: Uint8Array) => ({ status: 200, body: `${body.length} bytes` });
 * const credentials = { user: 'me', password: new Secret('only I know') };
 * const listener = await listen({ answer, credentials, clock, logger, port: 0 });
 * const url = `http://127.0.0.1:${listener.port}/`;
 * (await fetch(url, { method: 'POST', body: '{}' })).status; // → 401
 * const headers = { authorization: `Basic ${btoa('me:only I know')}` };
 * await (await fetch(url, { method: 'POST', headers, body: '{}' })).text(); // → '2 bytes'
 * await listener.close();
 * ```
 */
export function listen(options: ListenOptions): Promise<RpcListener> {
  const { host = '127.0.0.1', port, clock, timeouts = {} } = options;
  const unbound = (reason: string | undefined) =>
    new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'The RPC cannot listen on this address and port.', {
      facts: { host, port, reason },
      next: 'Stop the program that listens there, or choose another port (rpcport).',
      retry: 'operator',
    });
  const { mostConnections } = options;
  const bounds = mostConnections === undefined ? {} : { mostConnections };
  return serveHttp({ handle: requestHandler(options), clock, port, host, timeouts, unbound, ...bounds });
}

/** Answers one request; separate from listening, so that tests can use other caller addresses. */
export function requestHandler(options: ListenOptions): HttpHandler {
  const { credentials, clock, logger, workQueue = WORK_QUEUE } = options;
  const verdictOf = basicAuth(credentials);
  const mayCall = allowedAddresses(options.allow ?? []);
  const held = { requests: 0, bytes: 0 };
  const wrong = new WrongCallers({ clock, logger });
  let punished = 0;
  const refuseLater = async ({ socket }: IncomingMessage, send: Send): Promise<void> => {
    wrong.note(socket.remoteAddress);
    // A caller with many attempts at once does not wait, and takes no room from others.
    if (punished >= MOST_PUNISHED) socket.destroy();
    else {
      punished += 1;
      await punish(clock);
      punished -= 1;
    }
    send(UNAUTHORIZED);
  };
  // Without promises where the answer is there at once: they would be a sixth of the memory that a call takes.
  const answerBody = (incoming: IncomingMessage, send: Send): void => {
    held.requests += 1;
    const body = new HeldBody(held, LIMITS);
    const finish = (reply: HttpReply): void => {
      held.requests -= 1;
      body.release();
      send(reply);
    };
    body.readFrom(incoming, (end) => {
      if (end !== 'whole') return finish(unread(end));
      let answer: RpcAnswer | Promise<RpcAnswer>;
      try {
        answer = options.answer(body.bytes());
      } catch {
        return finish(GONE);
      }
      if (answer instanceof Promise) answer.then(answered, () => GONE).then(finish);
      else finish(answered(answer));
    });
  };
  return (incoming, send) => {
    if (!mayCall(incoming.socket.remoteAddress)) return send(empty(403));
    if (incoming.url !== '/') return send(empty(404));
    if (incoming.method !== 'POST') return send(plain(405, 'JSONRPC server handles only POST requests'));
    const verdict = verdictOf(authorizationOf(incoming));
    if (verdict === 'wrong') return void refuseLater(incoming, send);
    if (verdict === 'missing') return send(UNAUTHORIZED);
    return held.requests >= workQueue ? send(full()) : answerBody(incoming, send);
  };
}

function unread(end: Exclude<BodyEnd, 'whole'>): HttpReply {
  if (end === 'gone') return GONE;
  return end === 'tooLong' ? empty(413, { Connection: 'close' }) : full();
}

const LIMITS = { most: MAX_BODY_BYTES, mostHeld: MAX_HELD_BYTES };

const NAME = 'authorization';

/** The first such header, as Node takes it; to have all headers sorted by name for each request would cost more than to look for one. */
function authorizationOf({ rawHeaders }: IncomingMessage): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === NAME.length && name.toLowerCase() === NAME) return rawHeaders[index + 1];
  }
  return undefined;
}

const JSON_HEADERS = { 'Content-Type': 'application/json' };

function answered({ status, body }: RpcAnswer): HttpReply {
  return { status, headers: JSON_HEADERS, body };
}

function full(): HttpReply {
  return plain(500, 'Work queue depth exceeded');
}

function plain(status: number, text: string): HttpReply {
  return { status, headers: { 'Content-Type': 'text/plain' }, body: text };
}

function empty(status: number, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return { status, headers, body: '' };
}

const UNAUTHORIZED = empty(401, { 'WWW-Authenticate': 'Basic realm="jsonrpc"' });
