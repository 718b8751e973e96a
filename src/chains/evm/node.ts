import { BaseError, createClient, http, type RpcRequestError, webSocket } from 'viem';
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

export type NodeAddress = {
  /** http, https, ws or wss. It may hold credentials, which no message shows. */
  readonly url: string;
  /** For one answer. @defaultValue 10 */
  readonly timeout?: Seconds;
};

const TIMEOUT: Seconds = 10;

/** A node behind an address. Nothing is asked before the first call; none is repeated, merged with another or remembered. */
export function connectNode({ url, timeout = TIMEOUT }: NodeAddress): EvmNode {
  const { host, protocol } = new URL(url);
  const options = { retryCount: 0, timeout: timeout * 1000 };
  const transport = protocol.startsWith('ws') ? webSocket(url, { ...options, reconnect: true }) : http(url, options);
  const client = createClient({ transport, cacheTime: 0 });
  return {
    name: host,
    async request(method, params) {
      try {
        return await client.transport.request({ method, params } as Parameters<typeof client.transport.request>[0]);
      } catch (error) {
        throw faultOf(error, host);
      }
    },
  };
}

function faultOf(error: unknown, host: string): Error {
  const answered = error instanceof BaseError ? error.walk(isAnswer) : null;
  if (isAnswer(answered)) return new NodeRefusal(answered.code, answered.details);
  // What else it says may hold the address with its credentials.
  const kind = error instanceof Error ? error.name : 'no answer';
  return new BackendSilent(`${host} does not answer (${kind})`);
}

function isAnswer(error: unknown): error is RpcRequestError {
  return error instanceof BaseError && error.name === 'RpcRequestError' && 'code' in error;
}
