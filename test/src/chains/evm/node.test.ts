import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { heldToEvmChain } from '../../../../src/chains/evm/held-node.ts';
import { type ConnectedEvmNode, connectEvmNode } from '../../../../src/chains/evm/node.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

const BLOCK = { number: '0x7' };

function resultOf(method: string, chainId: () => string): unknown {
  if (method === 'eth_chainId') return chainId();
  return method === 'eth_getBlockByNumber' ? BLOCK : '0x7';
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** A call, of whose answer the caller keeps nothing. */
async function answerOnce(node: ConnectedEvmNode): Promise<WeakRef<object>> {
  const answer = await node.request('eth_getBlockByNumber', ['latest', false]);
  expect(answer).toEqual(BLOCK);
  return new WeakRef(answer as object);
}

/** How many of these nobody holds any more. The last ones may be held for a few turns by what has just run. */
async function forgotten(answers: readonly WeakRef<object>[]): Promise<number> {
  const count = () => answers.filter((one) => one.deref() === undefined).length;
  for (let turn = 0; turn < 100 && count() < answers.length; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return count();
}

type SocketNode = { readonly url: string; readonly break: () => Promise<void>; readonly away: () => Promise<void> };

describe('a node behind an address of its own', () => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** Says of which chain it is, and nothing else of interest. */
  async function serve(chainId: () => string, port = 0): Promise<SocketNode> {
    const server = new WebSocketServer({ port, host: '127.0.0.1' });
    await new Promise<void>((resolve) => server.once('listening', () => resolve()));
    const sockets = new Set<WebSocket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('message', (data) => {
        const { id, method } = JSON.parse(String(data)) as { readonly id: number; readonly method: string };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, chainId) }));
      });
    });
    const ended = (socket: WebSocket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const cut = async (): Promise<void> => {
      const all = [...sockets].map(ended);
      for (const socket of sockets) socket.terminate();
      sockets.clear();
      await Promise.all(all);
    };
    const away = async (): Promise<void> => {
      await cut();
      await new Promise((resolve) => server.close(resolve));
    };
    closing.push(away);
    return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, break: cut, away };
  }

  async function serveHttp(): Promise<Pick<SocketNode, 'url'>> {
    const server = createHttpServer((_request, response) => {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: BLOCK }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  /** Answers as it is asked to: with another frame before, or never over a connection that has had an answer. */
  async function serveFaulty(fault: { frame: string | null; isMute: boolean }): Promise<string> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise<void>((resolve) => server.once('listening', () => resolve()));
    server.on('connection', (socket) => {
      let answers = 0;
      socket.on('message', (data) => {
        if (fault.isMute && answers > 0) return;
        if (fault.frame !== null) socket.send(fault.frame);
        fault.frame = null;
        answers += 1;
        const { id } = JSON.parse(String(data)) as { readonly id: number };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: '0x7' }));
      });
    });
    closing.push(async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    });
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const connected = (url: string, timeout = 5): ConnectedEvmNode => {
    const node = connectEvmNode({ url, timeout });
    closing.push(() => node.close());
    return node;
  };
  /** Asks until somebody answers: the end of a connection is heard of a moment later than it is made. */
  const answerOf = async (ask: () => Promise<unknown>): Promise<unknown> => {
    for (let tries = 0; tries < 100; tries += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await ask().catch((error: unknown) => error);
      if (!(answer instanceof BackendSilent)) return answer;
      if (!answer.message.includes('does not answer')) return answer.message;
    }
    return 'nobody answers';
  };

  it('is reconnected by the next caller, however long it was away', async () => {
    const first = await serve(() => '0x89');
    const node = connected(first.url);
    expect(await node.request('eth_gasPrice', [])).toBe('0x7');
    const port = Number(new URL(first.url).port);
    await first.away();
    for (let tries = 0; tries < 8; tries += 1)
      await expect(node.request('eth_gasPrice', [])).rejects.toThrow(BackendSilent);
    await serve(() => '0x89', port);
    expect(await answerOf(() => node.request('eth_gasPrice', []))).toBe('0x7');
  });

  it.each([
    'rate limit reached',
    'null',
    '{"method":"eth_subscription"}',
    '{"jsonrpc":"2.0","id":null,"error":"busy"}',
  ])('answers again after a frame that is not an answer: %s', async (frame) => {
    const fault = { frame: null as string | null, isMute: false };
    const node = connected(await serveFaulty(fault));
    await node.request('eth_gasPrice', []);
    fault.frame = frame;
    const ask = () => node.request('eth_gasPrice', []).catch((error: unknown) => error);
    for (const told of await Promise.all([ask(), ask(), ask()]))
      expect(told === '0x7' || told instanceof BackendSilent).toBe(true);
    expect(await Promise.all([ask(), ask()])).toEqual(['0x7', '0x7']);
  });

  it('is reconnected if a connection falls silent', async () => {
    const node = connected(await serveFaulty({ frame: null, isMute: true }), 0.2);
    expect(await node.request('eth_gasPrice', [])).toBe('0x7');
    await expect(node.request('eth_gasPrice', [])).rejects.toThrow('in time');
    expect(await answerOf(() => node.request('eth_gasPrice', []))).toBe('0x7');
  });

  it('has to name its chain over each connection', async () => {
    let chainId = '0x89';
    const server = await serve(() => chainId);
    const held = heldToEvmChain(connected(server.url), 137);
    expect(await held.request('eth_gasPrice', [])).toBe('0x7');
    chainId = '0x1';
    await server.break();
    expect(await answerOf(() => held.request('eth_gasPrice', []))).toContain('with id 1, not 137');
    chainId = '0x89';
    expect(await answerOf(() => held.request('eth_gasPrice', []))).toBe('0x7');
  });

  it.each(['ws', 'http'])(
    'keeps no answer that was given, however long the connection lasts (%s)',
    async (protocol) => {
      const node = connected((protocol === 'ws' ? await serve(() => '0x89') : await serveHttp()).url);
      const answers = [];
      for (let calls = 0; calls < 20; calls += 1) answers.push(await answerOnce(node));
      expect(await forgotten(answers)).toBe(answers.length);
    },
  );

  it('has only the time of an answer if it accepts a connection and stays silent', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise<void>((resolve) => silent.close(() => resolve())));
    const sockets: { destroy: () => void }[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
    });
    const node = connected(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`, 1);
    await expect(node.request('eth_chainId', [])).rejects.toThrow(BackendSilent);
  });
});
