import { HttpClient, type RpcClient, WebsocketClient } from '@cosmjs/tendermint-rpc';
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

/** One node that answers calls of CometBFT's JSON-RPC. */
export type TendermintNode = {
  /** By which messages name it: never with credentials. */
  readonly name: string;
  /** One call, made once. @throws NodeRefusal for an error answer; BackendSilent where there is none */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
};

/** One that is connected to by its address. */
export type ConnectedNode = TendermintNode & {
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
  let line: RpcClient | null = null;
  const open = (): RpcClient => {
    line ??= protocol.startsWith('ws')
      ? new WebsocketClient(url, () => undefined)
      : new HttpClient(url, timeout * 1000);
    return line;
  };
  let isClosed = false;
  let calls = 0;
  let end = (_error: Error): void => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  ended.catch(() => {});
  return {
    name: host,
    async request(method, params) {
      if (isClosed) throw new BackendSilent(`${host} is not connected to any more`);
      calls += 1;
      const call = { jsonrpc: '2.0', id: calls, method, params } as Parameters<RpcClient['execute']>[0];
      const late = tooLate(host, timeout);
      try {
        const { result } = await Promise.race([open().execute(call), ended, late.promise]);
        return result as unknown;
      } catch (error) {
        throw error instanceof BackendSilent ? error : faultOf(error, host);
      } finally {
        late.stop();
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      end(new BackendSilent(`${host} is not connected to any more`));
      line?.disconnect();
    },
  };
}

/** A web socket has no bound of its own. */
function tooLate(host: string, timeout: Seconds): { readonly promise: Promise<never>; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new BackendSilent(`${host} does not answer (timeout)`)), timeout * 1000);
  });
  return { promise, stop: () => clearTimeout(timer) };
}

/** An error answer of the node comes as the JSON of that; anything else is none. */
export function faultOf(error: unknown, host: string): Error {
  const message = error instanceof Error ? error.message : '';
  try {
    const { code, message: said, data } = JSON.parse(message) as Readonly<Record<string, unknown>>;
    if (typeof code === 'number') return new NodeRefusal(code, `${String(said)}: ${String(data ?? '')}`);
  } catch {
    // What else it says may hold the address with its credentials.
  }
  return new BackendSilent(`${host} does not answer (${error instanceof Error ? error.name : 'no answer'})`);
}
