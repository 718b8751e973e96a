import type { Server } from 'node:http';
import type { WebSocketServer } from 'ws';
import { optionalPackage } from '../../primitives/optional-package.ts';
import { type CometNode, CometRefusal } from './node.ts';
import type { Json } from './render.ts';
import { SubscriptionRefusal, type Subscriptions, subscriptionsOf } from './subscriptions.ts';

/** A node that listens on this host. */
export type ListeningNode = {
  /** For HTTP; the same with `ws` and the path `/websocket` for subscriptions. */
  readonly url: string;
  /** Lets go of its connections. It may be called again. */
  readonly close: () => Promise<void>;
};

const MOST_BYTES = 1_000_000;

/**
 * Lets a node answer by HTTP, and by web sockets where the package `ws` is installed, on a port of the loopback.
 *
 * @throws what the host says where the port is taken
 *
 * @example
 * ```ts
 * import { decimalOf, unixSecondsOf } from 'swapfold';
 * import { createCometChain, createCometNode, listenCometNode } from 'swapfold/testing';
 *
 * const rules = { chainId: 'nyancat-9', prefix: 'iaa', module: null, feeDenom: 'unyan' };
 * const times = { startTime: unixSecondsOf(1_700_000_000), blockTime: 5 };
 * const chain = createCometChain({ ...rules, ...times, gasPrice: decimalOf('0.25') });
 * const { url, close } = await listenCometNode(createCometNode(chain), { sockets: false });
 * (await fetch(`${url}/status`)).status; // → 200
 * await close();
 * ```
 */
export async function listenCometNode(
  node: CometNode,
  { port = 0, sockets = true }: { readonly port?: number; readonly sockets?: boolean } = {},
): Promise<ListeningNode> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
      if (text.length > MOST_BYTES) request.destroy();
    });
    request.on('end', () => {
      const body = request.method === 'POST' ? text : byPath(request.url ?? '/');
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answerCall(node, body, null)));
    });
  });
  const socketServer = sockets ? await socketsOf(node, server) : null;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    async close() {
      for (const client of socketServer?.clients ?? []) client.terminate();
      socketServer?.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A call without a body, such as `/status`. */
function byPath(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://node');
  const params = Object.fromEntries([...searchParams].map(([name, value]) => [name, value.replaceAll('"', '')]));
  return JSON.stringify({ jsonrpc: '2.0', id: -1, method: pathname.slice(1), params });
}

function answerCall(node: CometNode, body: string, subscriptions: Subscriptions | null): Json {
  let call: { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };
  try {
    call = JSON.parse(body) as typeof call;
  } catch {
    return { jsonrpc: '2.0', id: -1, error: { code: -32_700, message: 'Parse error', data: 'not JSON' } };
  }
  const { id = -1, method, params } = call;
  try {
    const given = (params ?? {}) as Json;
    const result = subscriptions?.answer(String(method), given, id) ?? node.request(String(method), given);
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    if (error instanceof SubscriptionRefusal)
      return { jsonrpc: '2.0', id, error: { code: -32_603, message: 'Internal error', data: error.message } };
    if (!(error instanceof CometRefusal)) throw error;
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message, data: error.data } };
  }
}

async function socketsOf(node: CometNode, server: Server): Promise<WebSocketServer> {
  const { WebSocketServer: Sockets } = await optionalPackage('ws', () => import('ws'));
  const socketServer = new Sockets({ server, path: '/websocket' });
  socketServer.on('connection', (socket) => {
    const subscriptions = subscriptionsOf(node, (message) => socket.send(JSON.stringify(message)));
    socket.on('message', (data) => socket.send(JSON.stringify(answerCall(node, String(data), subscriptions))));
    socket.on('close', () => subscriptions.close());
    socket.on('error', () => subscriptions.close());
  });
  return socketServer;
}
