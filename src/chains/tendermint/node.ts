import { HttpClient, type RpcClient, WebsocketClient } from '@cosmjs/tendermint-rpc';
import type { Seconds } from '../../primitives/time.ts';
import { type AskedNode, type Closable, type NodeAddress, NodeRefusal, USUAL_TIMEOUT } from '../accounts/node.ts';
import { BackendSilent } from '../accounts/silence.ts';

/** One node that answers calls of CometBFT's JSON-RPC. */
export type TendermintNode = AskedNode<Readonly<Record<string, unknown>>>;

/** One that is connected to by its address. */
export type ConnectedNode = TendermintNode & Closable;

/** A node behind an address. Nothing is asked before the first call; none is repeated, merged with another or remembered. */
export function connectNode({ url, timeout = USUAL_TIMEOUT }: NodeAddress): ConnectedNode {
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
