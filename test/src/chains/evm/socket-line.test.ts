import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import { type ConnectedEvmNode, connectEvmNode } from '../../../../src/chains/evm/node.ts';
import { LONGEST_ANSWER } from '../../../../src/chains/evm/socket-line.ts';
import { evmVoiceOf } from '../../../../src/chains/evm/voice.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';

type Call = { readonly id: number; readonly method: string };

const answered = (id: number, result: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result });

/** A frame that ends a message or begins one (RFC 6455, section 5.2), of which the length is only announced. */
function headerOf(announced: bigint, isWhole = true): Buffer {
  const header = Buffer.alloc(10);
  header[0] = (isWhole ? 0x80 : 0) | 1;
  header[1] = 127;
  header.writeBigUInt64BE(announced, 2);
  return header;
}

describe('a node of an EVM chain over a web socket', () => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function serve(answer: (socket: WebSocket, call: Call) => void): Promise<string> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise<void>((resolve) => server.once('listening', () => resolve()));
    server.on('connection', (socket) => socket.on('message', (data) => answer(socket, JSON.parse(String(data)))));
    closing.push(async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    });
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Shakes hands, and says these bytes to whoever asks anything. */
  async function serveRaw(said: Buffer): Promise<string> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const key = /sec-websocket-key: (.*)\r\n/i.exec(data.toString('latin1'))?.[1];
        if (key === undefined) return void socket.write(said);
        const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
        const lines = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'];
        socket.write(`${[...lines, `sec-websocket-accept: ${accept}`].join('\r\n')}\r\n\r\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const connected = (url: string): ConnectedEvmNode => {
    const node = connectEvmNode({ url, timeout: 30 });
    closing.push(() => node.close());
    return node;
  };
  const errorOf = (node: ConnectedEvmNode, method = 'eth_chainId') =>
    node.request(method, []).catch((error: unknown) => error);

  it.each([
    ['before it', (id: number, text: string) => answered(id, text)],
    ['behind it', (id: number, text: string) => `{"jsonrpc":"2.0","result":"${text}","id":${id}}`],
  ])('reads no answer above the size limit, which ends only that call if its id stands %s', async (_, write) => {
    const long = 'a'.repeat(LONGEST_ANSWER);
    const url = await serve((socket, { id, method }) =>
      socket.send(method === 'long' ? write(id, long) : answered(id, method)),
    );
    const node = connected(url);
    const connection = await node.connection?.();
    const all = await Promise.all(['a', 'long', 'b'].map((method) => errorOf(node, method)));
    expect(all).toEqual(['a', expect.any(AnswerTooLong), 'b']);
    expect(String(all[1])).toContain('127.0.0.1:');
    expect(await node.connection?.()).toBe(connection);
  });

  it('reads an answer of just that size', async () => {
    const text = 'a'.repeat(LONGEST_ANSWER - answered(1, '').length);
    const url = await serve((socket, { id }) => socket.send(answered(id, text)));
    expect(await connected(url).request('any', [])).toHaveLength(text.length);
  });

  it.each([
    ['a frame of 4 GB', headerOf(2n ** 32n)],
    ['a frame of 2^60 bytes', headerOf(2n ** 60n)],
    ['the first of frames of 40 MB', headerOf(40_000_000n, false)],
  ])('is left at the announcement of %s, not read', async (_, header) => {
    const node = connected(await serveRaw(header));
    const told = await errorOf(node);
    expect(told).toBeInstanceOf(BackendSilent);
    expect(String(told)).not.toContain('in time');
  });

  it('is left if a message of many frames grows above the limit of frames', async () => {
    const url = await serve((socket) => {
      for (let parts = 0; parts < 40; parts += 1) socket.send('a'.repeat(1_000_000), { fin: false });
    });
    const node = connected(url);
    const [one, other] = await Promise.all([errorOf(node), errorOf(node)]);
    expect([one, other]).toEqual([expect.any(AnswerTooLong), expect.any(AnswerTooLong)]);
    expect(await errorOf(node)).toBeInstanceOf(AnswerTooLong);
  });

  it('is passed over for another one of the same voice', async () => {
    const good = await serve((socket, { id }) => socket.send(answered(id, '0x1')));
    const ways = [connected(await serveRaw(headerOf(2n ** 32n))), connected(good)];
    expect(await evmVoiceOf({ name: 'a host', ways }).request('eth_chainId', [])).toBe('0x1');
  });

  it.each([
    [{ code: -32_000, message: 'nonce too low' }, new NodeRefusal(-32_000, 'nonce too low')],
    [{ code: 3 }, new NodeRefusal(3, '')],
    ['busy', new BackendSilent('sent an error that is not JSON-RPC')],
    [{ code: '3', message: 'no' }, new BackendSilent('sent an error that is not JSON-RPC')],
  ] as const)('refuses by an error, and is silent by something else: %j', async (error, told) => {
    const url = await serve((socket, { id }) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, error })));
    const found = await errorOf(connected(url));
    expect(found).toBeInstanceOf(told.constructor);
    expect(String(found)).toContain(told.message);
  });

  it('answers calls in whatever order, and ignores late answers', async () => {
    const held: (() => void)[] = [];
    const url = await serve((socket, { id, method }) => {
      held.unshift(() => socket.send(answered(id, method)));
      if (held.length === 3) for (const say of [...held, ...held]) say();
    });
    const node = connected(url);
    expect(await Promise.all(['a', 'b', 'c'].map((method) => errorOf(node, method)))).toEqual(['a', 'b', 'c']);
  });

  it('gets the credentials of its address, and no message shows them', async () => {
    const seen: unknown[] = [];
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise<void>((resolve) => server.once('listening', () => resolve()));
    closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    server.on('connection', (socket, { headers }) => {
      seen.push(headers.authorization);
      socket.on('message', () => socket.terminate());
    });
    const { port } = server.address() as AddressInfo;
    const told = await errorOf(connected(`ws://me:secret@127.0.0.1:${port}`));
    expect(seen).toEqual([`Basic ${Buffer.from('me:secret').toString('base64')}`]);
    expect(String(told)).toBe(`Error: 127.0.0.1:${port} does not answer (no connection)`);
  });
});
