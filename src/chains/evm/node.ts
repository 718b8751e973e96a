import { BaseError, createClient, http, type RpcRequestError, type WebSocketTransport, webSocket } from 'viem';
import type { Seconds } from '../../primitives/time.ts';
import { BackendSilent } from './reader.ts';

/** What a node answered in place of a result. */
export class NodeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One node that answers calls of Ethereum's JSON-RPC. */
export type EvmNode = {
  /** By which messages name it: never with credentials. */
  readonly name: string;
  /** One call, made once. @throws NodeRefusal for an error answer; BackendSilent where there is none */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
};

/** One that is connected to by its address. */
export type ConnectedNode = EvmNode & {
  /** Lets go of its connections: nothing that is under way is answered, nor what is asked later. Repeated calls change nothing. */
  close(): void;
};

export type NodeAddress = {
  /** http, https, ws or wss. It may hold credentials, which no message shows. */
  readonly url: string;
  /** For one answer. @defaultValue 10 */
  readonly timeout?: Seconds;
};

const TIMEOUT: Seconds = 10;

/** A node behind an address. Nothing is asked before the first call; none is repeated, merged with another or remembered. */
export function connectNode({ url, timeout = TIMEOUT }: NodeAddress): ConnectedNode {
  const { host, protocol } = new URL(url);
  const options = { retryCount: 0, timeout: timeout * 1000 };
  const line = protocol.startsWith('ws') ? overSocket(url, options) : overHttp(url, options);
  let isClosed = false;
  let end = (_error: Error): void => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  ended.catch(() => {});
  return {
    name: host,
    async request(method, params) {
      if (isClosed) throw new BackendSilent(`${host} is not connected to any more`);
      try {
        return await Promise.race([line.request({ method, params }), ended]);
      } catch (error) {
        throw error instanceof BackendSilent ? error : faultOf(error, host);
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      end(new BackendSilent(`${host} is not connected to any more`));
      line.close();
    },
  };
}

type Options = { readonly retryCount: number; readonly timeout: number };
type Call = { readonly method: string; readonly params: readonly unknown[] };
type Line = { request(call: Call): Promise<unknown>; close(): void };

function overHttp(url: string, options: Options): Line {
  const stops = new Set<() => void>();
  /** The platform's, whose calls end with the line. */
  const fetchFn: typeof fetch = async (input, init) => {
    const own = new AbortController();
    const stop = (): void => own.abort();
    init?.signal?.addEventListener('abort', stop, { once: true });
    stops.add(stop);
    try {
      return await fetch(input, { ...init, signal: own.signal });
    } finally {
      stops.delete(stop);
    }
  };
  const { transport } = createClient({ transport: http(url, { ...options, fetchFn }), cacheTime: 0 });
  return {
    request: (call) => transport.request(call as Parameters<typeof transport.request>[0]),
    close() {
      for (const stop of [...stops]) stop();
    },
  };
}

function overSocket(url: string, options: Options): Line {
  const made: WebSocketTransport = webSocket(url, { ...options, reconnect: true });
  const { transport } = createClient({ transport: made, cacheTime: 0 });
  let isOpen = false;
  return {
    request(call) {
      isOpen = true;
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

export function faultOf(error: unknown, host: string): Error {
  const answered = error instanceof BaseError ? error.walk(isAnswer) : null;
  if (isAnswer(answered)) return new NodeRefusal(answered.code, answered.details);
  // What else it says may hold the address with its credentials.
  const kind = error instanceof Error ? error.name : 'no answer';
  return new BackendSilent(`${host} does not answer (${kind})`);
}

function isAnswer(error: unknown): error is RpcRequestError {
  return error instanceof BaseError && error.name === 'RpcRequestError' && 'code' in error;
}
