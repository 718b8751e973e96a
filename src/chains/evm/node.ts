import { BaseError, createClient, http, type RpcRequestError } from 'viem';
import { BackendSilent } from '../../ports/silence.ts';
import { fetchDirect, NodeRedirects } from '../accounts/direct-fetch.ts';
import { type AskedNode, type Closable, type NodeAddress, NodeRefusal, USUAL_TIMEOUT } from '../accounts/node.ts';
import { PendingCalls } from '../accounts/pending-calls.ts';
import { AnswerTooLong, LetGo } from '../accounts/silence.ts';
import { whySilent } from '../accounts/why-silent.ts';
import type { Line } from './line.ts';
import { socketLine } from './socket-line.ts';
import { type Together, togetherOver } from './together.ts';

/** One node that answers calls of Ethereum's JSON-RPC. */
export type EvmNode = AskedNode<readonly unknown[]> & {
  /** Id of the chain that it must name before anything counts as its answer. @defaultValue it is trusted */
  readonly heldTo?: number;
  /** Identifies the connection: another value after a new connection. @defaultValue always the same @throws BackendSilent */
  connection?(): Promise<unknown>;
  /**
   * Answers to calls that go out in one request, so that one node gives them all, even if an address stands for several. Null if the node accepts no
   * such request.
   * @defaultValue each is asked by itself @throws BackendSilent
   */
  readonly together?: Together;
};

/** A node that is reached by its address. */
export type ConnectedEvmNode = EvmNode & Closable;

/**
 * A node behind an address. It sends nothing before the first call; it repeats, merges and remembers none.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { connectEvmNode } from 'swapfold/chains/evm';
 * import { listen } from 'swapfold/rpc';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const answer = async () => ({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x10"}' });
 * const credentials = { user: 'me', password: new Secret('secret') };
 * const logger = { info() {}, warn() {}, error() {} };
 * const listening = await listen({ answer, credentials, clock: systemClock(), logger, port: 0 });
 * const node = connectEvmNode({ url: `http://me:secret@127.0.0.1:${listening.port}` });
 * await node.request('eth_blockNumber', []); // → '0x10'
 * node.close();
 * node.request('eth_blockNumber', []); // throws BackendSilent
 * await listening.close();
 * ```
 */
export function connectEvmNode({ url, timeout = USUAL_TIMEOUT }: NodeAddress): ConnectedEvmNode {
  const { host, protocol } = new URL(url);
  const options = { retryCount: 0, timeout: timeout * 1000 };
  const line = protocol.startsWith('ws') ? socketLine({ url, timeout: options.timeout }) : overHttp(url, options);
  const { together } = line;
  const pending = new PendingCalls();
  const closed = `the connection to ${host} was closed`;
  const bounds = { late: `${host} did not answer in time`, within: options.timeout };
  let isClosed = false;
  const unlessEnded = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new LetGo(closed);
    try {
      return await pending.run(ask(), bounds);
    } catch (error) {
      throw error instanceof BackendSilent || error instanceof NodeRefusal ? error : faultOf(error, host);
    }
  };
  return {
    name: host,
    connection: () => unlessEnded(() => line.connection()),
    request: (method, params) => unlessEnded(() => line.request({ method, params })),
    ...(together === undefined ? {} : { together: (calls) => unlessEnded(() => together(calls)) }),
    close() {
      if (isClosed) return;
      isClosed = true;
      pending.end(new LetGo(closed));
      line.close();
    },
  };
}

type Options = { readonly retryCount: number; readonly timeout: number };

function overHttp(url: string, options: Options): Line {
  const stops = new Set<() => void>();
  /** The platform's, whose calls end with the line. */
  const fetchFn: typeof fetch = async (input, init) => {
    const own = new AbortController();
    const stop = (): void => own.abort();
    init?.signal?.addEventListener('abort', stop, { once: true });
    stops.add(stop);
    try {
      return await fetchDirect(input, { ...init, signal: own.signal });
    } finally {
      stops.delete(stop);
    }
  };
  const { transport } = createClient({ transport: http(url, { ...options, fetchFn }), cacheTime: 0 });
  return {
    request: (call) => transport.request(call as Parameters<typeof transport.request>[0]),
    // Each call may have one of its own.
    connection: async () => undefined,
    together: togetherOver(url, { ...options, fetchFn }),
    close() {
      for (const stop of [...stops]) stop();
    },
  };
}

export function faultOf(error: unknown, host: string): Error {
  const answered = answerIn(error);
  if (answered !== null) return refusalIn(answered) ?? new BackendSilent(`${host} sent an error that is not JSON-RPC`);
  const redirected = error instanceof BaseError ? error.walk((cause) => cause instanceof NodeRedirects) : null;
  if (redirected instanceof NodeRedirects) return redirected;
  const isTooLong = error instanceof BaseError && error.walk((one) => nameOf(one) === TOO_LONG) !== null;
  return isTooLong ? new AnswerTooLong(whySilent(error, host)) : new BackendSilent(whySilent(error, host));
}

const TOO_LONG = 'ResponseBodyTooLargeError';

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Nodes send anything, whatever the library's types say: gateways answer with a text as the error. */
function refusalIn({ code, details }: { readonly code: unknown; readonly details: unknown }): NodeRefusal | null {
  if (typeof code !== 'number') return null;
  return new NodeRefusal(code, typeof details === 'string' ? details : '');
}

function answerIn(error: unknown): RpcRequestError | null {
  const found = error instanceof BaseError ? error.walk(isAnswer) : null;
  return isAnswer(found) ? found : null;
}

function isAnswer(error: unknown): error is RpcRequestError {
  return error instanceof BaseError && error.name === 'RpcRequestError' && 'code' in error;
}
