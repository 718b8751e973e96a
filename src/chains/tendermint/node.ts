import { BackendSilent } from '../../ports/silence.ts';
import type { News } from '../accounts/feed.ts';
import { type AskedNode, type Closable, type NodeAddress, NodeRefusal, USUAL_TIMEOUT } from '../accounts/node.ts';
import { PendingCalls } from '../accounts/pending-calls.ts';
import { LetGo } from '../accounts/silence.ts';
import { whySilent } from '../accounts/why-silent.ts';
import { openHttpLine } from './http-line.ts';
import type { NodeLine } from './line.ts';
import { openSocketLine, type SocketLineOptions } from './socket-line.ts';

/** One node that answers calls of CometBFT's JSON-RPC. */
export type TendermintNode = AskedNode<Readonly<Record<string, unknown>>> & {
  /** Calls with each new block that the node announces while connected. @defaultValue the node announces none */
  readonly news?: News;
};

/** One that is connected to by its address. */
export type ConnectedTendermintNode = TendermintNode & Closable;

/**
 * A node behind an address. Connects at the first call. Repeats, merges and caches no calls.
 *
 * @example
 * ```ts
 * import { connectTendermintNode } from 'swapfold/chains/tendermint';
 * import { decimalOf, unixSecondsOf } from 'swapfold/htlc';
 * import { createCometChain, createCometNode, listenCometNode } from 'swapfold/testing';
 *
 * const ids = { chainId: 'irishub-1', prefix: 'iaa', module: 'irismod' } as const;
 * const rules = { ...ids, feeDenom: 'uiris', gasPrice: decimalOf('0.2'), blockTime: 5 };
 * const chain = createCometChain({ ...rules, startTime: unixSecondsOf(1_700_000_000) });
 * const listening = await listenCometNode(createCometNode(chain), { sockets: false });
 * const node = connectTendermintNode({ url: listening.url });
 * await node.request('health', {}); // → {}
 * node.close();
 * node.request('health', {}); // throws BackendSilent
 * await listening.close();
 * ```
 */
export function connectTendermintNode({ url, timeout = USUAL_TIMEOUT }: NodeAddress): ConnectedTendermintNode {
  const { host, protocol } = new URL(url);
  const isSocket = protocol.startsWith('ws');
  const listeners = new Set<() => void>();
  const pending = new PendingCalls();
  const closed = `the connection to ${host} was closed`;
  const ask = isSocket ? overSocket({ url, host, timeout, listeners, pending }) : openHttpLine({ url, timeout });
  let isClosed = false;
  const news: News = (onNews) => {
    // An entry for each listener, even with the same function.
    const listener = (): void => onNews();
    listeners.add(listener);
    return { close: () => void listeners.delete(listener) };
  };
  return {
    name: host,
    ...(isSocket ? { news } : {}),
    async request(method, params) {
      if (isClosed) throw new LetGo(closed);
      // A web socket sets no bound.
      const bounds = { late: `${host} did not answer in time`, within: timeout * 1000 };
      try {
        return await pending.run(ask.execute(method, params), bounds);
      } catch (error) {
        // Another program's error may hold the address with its credentials.
        const isTold = error instanceof BackendSilent || error instanceof NodeRefusal;
        throw isTold ? error : new BackendSilent(whySilent(error, host));
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      pending.end(new LetGo(closed));
      ask.close();
    },
  };
}

type Socket = Pick<SocketLineOptions, 'url' | 'host' | 'timeout'> & {
  readonly listeners: ReadonlySet<() => void>;
  readonly pending: PendingCalls;
};

/** Who asks next connects anew: a node may be away for longer than tries of the socket's own would last. */
function overSocket({ listeners, pending, ...to }: Socket): NodeLine {
  let line: Promise<NodeLine> | null = null;
  let isClosed = false;
  const onNews = (): void => {
    for (const listener of listeners) listener();
  };
  const onEnd = (): void => {
    line = null;
    pending.end(new BackendSilent(`${to.host} does not answer (no connection)`));
  };
  const open = async (): Promise<NodeLine> => {
    try {
      const opened = await openSocketLine({ ...to, onNews, onEnd });
      if (isClosed) opened.close();
      return opened;
    } catch (error) {
      line = null;
      throw error;
    }
  };
  return {
    async execute(method, params) {
      line ??= open();
      return (await line).execute(method, params);
    },
    close() {
      isClosed = true;
      void line?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}
