import { BaseError, createClient, http, type RpcRequestError, type WebSocketTransport, webSocket } from 'viem';
import { BackendSilent } from '../../ports/silence.ts';
import { fetchDirect, NodeRedirects } from '../accounts/direct-fetch.ts';
import { type AskedNode, type Closable, type NodeAddress, NodeRefusal, USUAL_TIMEOUT } from '../accounts/node.ts';
import { PendingCalls } from '../accounts/pending-calls.ts';
import { LetGo } from '../accounts/silence.ts';
import { whySilent } from '../accounts/why-silent.ts';
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
  const line = protocol.startsWith('ws') ? overSocket(url, options) : overHttp(url, options);
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
      throw error instanceof BackendSilent ? error : faultOf(error, host);
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
type Call = { readonly method: string; readonly params: readonly unknown[] };
type Line = {
  request(call: Call): Promise<unknown>;
  connection(): Promise<unknown>;
  /** @defaultValue calls go the same way one after the other */
  readonly together?: Together;
  close(): void;
};

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

function overSocket(url: string, options: Options): Line {
  // The next question connects again: a node may be away for longer than automatic attempts last.
  const made: WebSocketTransport = webSocket(url, { ...options, reconnect: false });
  const { transport } = createClient({ transport: made, cacheTime: 0 });
  let isOpen = false;
  const socket = async (): Promise<WebSocket> => {
    isOpen = true;
    const client = await within(options.timeout, transport.getRpcClient());
    if (client.socket.readyState <= client.socket.OPEN) return client.socket;
    client.close();
    return (await within(options.timeout, transport.getRpcClient())).socket;
  };
  return {
    connection: socket,
    async request(call) {
      await socket();
      return transport.request(call as Parameters<typeof transport.request>[0]);
    },
    close() {
      // Asking for the connection would make one.
      if (isOpen)
        void transport.getRpcClient().then(
          (client) => client.close(),
          () => undefined,
        );
    },
  };
}

/** Without this, a server that accepts a connection and stays silent would be waited for as long as the system allows. */
function within<T>(milliseconds: number, made: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(milliseconds);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([made, late]);
}

export function faultOf(error: unknown, host: string): Error {
  const answered = error instanceof BaseError ? error.walk(isAnswer) : null;
  if (isAnswer(answered)) return new NodeRefusal(answered.code, answered.details);
  const redirected = error instanceof BaseError ? error.walk((cause) => cause instanceof NodeRedirects) : null;
  if (redirected instanceof NodeRedirects) return redirected;
  return new BackendSilent(whySilent(error, host));
}

function isAnswer(error: unknown): error is RpcRequestError {
  return error instanceof BaseError && error.name === 'RpcRequestError' && 'code' in error;
}
