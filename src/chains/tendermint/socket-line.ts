import type { WebSocket } from 'ws';
import { BackendSilent } from '../../ports/silence.ts';
import type { Seconds } from '../../primitives/time.ts';
import { httpPlace } from '../accounts/http-place.ts';
import type { NodeLine } from './line.ts';
import { nodeRefusal } from './refusals.ts';

export type SocketLineOptions = {
  /** ws or wss. It may hold credentials. */
  readonly url: string;
  /** The node's name in messages: never with credentials. */
  readonly host: string;
  /** Timeout for connecting, and for an answer. */
  readonly timeout: Seconds;
  /** Called with each new block that the node announces. */
  readonly onNews: () => void;
  /** Called once nothing comes over it any more, whoever ended it. */
  readonly onEnd: () => void;
};

const LONGEST_MESSAGE = 32_000_000;
const NEWS_ID = 0;
const NEW_BLOCKS = { query: "tm.event='NewBlock'" };

type Waiting = {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly late: NodeJS.Timeout;
};

/** A web socket to a node, over which calls are answered in whatever order. Connects, and subscribes to new blocks. @throws BackendSilent where there is no connection */
export async function openSocketLine({ onNews, onEnd, ...to }: SocketLineOptions): Promise<NodeLine> {
  const socket = await connected(to);
  const waiting = new Map<unknown, Waiting>();
  let calls = NEWS_ID;
  let heard = 0;
  const send = (id: number, call: { readonly method: string; readonly params: unknown }): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...call }));
  socket.on('message', (data) => {
    heard += 1;
    const { id, result, error } = answerIn(String(data));
    const asked = waiting.get(id);
    waiting.delete(id);
    clearTimeout(asked?.late);
    // A node that refuses to announce blocks is polled.
    if (id === NEWS_ID && isNews(result)) onNews();
    else if (error !== undefined && error !== null) asked?.reject(nodeRefusal(error));
    else asked?.resolve(result);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', onEnd);
  send(NEWS_ID, { method: 'subscribe', params: NEW_BLOCKS });
  return {
    execute: (method, params) =>
      new Promise((resolve, reject) => {
        calls += 1;
        const [id, before] = [calls, heard];
        const late = setTimeout(() => {
          waiting.delete(id);
          reject(new BackendSilent(`${to.host} did not answer in time`));
          // That a host is gone the system tells after a quarter of an hour.
          if (heard === before) socket.terminate();
        }, to.timeout * 1000);
        late.unref();
        waiting.set(id, { resolve, reject, late });
        send(id, { method, params });
      }),
    close: () => socket.terminate(),
  };
}

type To = Pick<SocketLineOptions, 'url' | 'host' | 'timeout'>;

async function connected({ url, host, timeout }: To): Promise<WebSocket> {
  const { WebSocket } = await import('ws').catch(() => {
    throw new BackendSilent(`${host}: web sockets need the package ws: npm install ws`);
  });
  const { url: place, headers } = httpPlace(url);
  const socket = new WebSocket(socketUrl(place), {
    ...{ maxPayload: LONGEST_MESSAGE, perMessageDeflate: false, handshakeTimeout: timeout * 1000 },
    ...{ headers, followRedirects: false },
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', () => {
      // The end of a connection that never opened does not matter.
      socket.on('error', () => {});
      socket.terminate();
      reject(new BackendSilent(`${host} does not answer (no connection)`));
    });
  });
}

/** Nodes listen at this path, even if the address does not name it. */
function socketUrl(url: string): string {
  const at = new URL(url);
  const path = at.pathname.replace(/\/+$/, '');
  at.pathname = path.endsWith('/websocket') ? path : `${path}/websocket`;
  return at.href;
}

type Answered = { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown };

/** An unreadable message answers no call. */
function answerIn(text: string): Answered {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === 'object' && told !== null ? told : {};
  } catch {
    return {};
  }
}

function isNews(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'query' in result;
}
