import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { scripthashOf } from '../../../../src/chains/utxo/scripthash.ts';
import { CERT, KEY } from '../../../support/electrum/certificate.ts';
import { type ServedChain, scriptAt, serveChain } from '../../../support/electrum/over-chain.ts';

let served: ServedChain | undefined;
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await served?.close();
  served = undefined;
});

/** A client that keeps what comes, one message after another. */
async function dial(at: string, options: { readonly ca?: string } = {}) {
  const socket = new WebSocket(at, { ...options, perMessageDeflate: false });
  sockets.push(socket);
  const inbox: unknown[] = [];
  const readers: ((message: unknown) => void)[] = [];
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? 'bytes' : (JSON.parse(String(data)) as unknown);
    const reader = readers.shift();
    if (reader === undefined) inbox.push(message);
    else reader(message);
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const next = (): Promise<unknown> =>
    inbox.length > 0 ? Promise.resolve(inbox.shift()) : new Promise((resolve) => readers.push(resolve));
  return { send: (text: string) => socket.send(text), next, closed };
}

const request = (id: number, method: string, ...params: unknown[]): string => JSON.stringify({ id, method, params });
const plain = async (limits = {}) => {
  served = await serveChain({ ws: 0, limits });
  return { served, at: `ws://127.0.0.1:${served.server.wsPort}/` };
};

describe('an Electrum server over web sockets', () => {
  it('answers each message with one, of text and without an end of line', async () => {
    const { at } = await plain();
    const client = await dial(at);
    client.send(request(7, 'server.version', 'a client', ['1.2', '1.4']));
    expect(await client.next()).toEqual({ jsonrpc: '2.0', result: ['swapfold 0.0', '1.4'], id: 7 });
    client.send(`[${request(8, 'server.ping')},${request(9, 'blockchain.headers.subscribe')}]\n`);
    expect(await client.next()).toEqual([
      { jsonrpc: '2.0', result: null, id: 8 },
      { jsonrpc: '2.0', result: { height: 4, hex: expect.any(String) }, id: 9 },
    ]);
  });

  it('sends news, beside the port of lines and about the same chain', async () => {
    const { served, at } = await plain();
    const client = await dial(at);
    const other = await served.connect();
    expect(served.server.clients()).toBe(2);
    client.send(request(1, 'blockchain.scripthash.subscribe', scripthashOf(scriptAt(served.test, 0))));
    expect(await client.next()).toMatchObject({ id: 1 });
    served.pay([5_000_000n]);
    await served.server.look();
    expect(await client.next()).toMatchObject({
      method: 'blockchain.scripthash.subscribe',
      params: [scripthashOf(scriptAt(served.test, 0)), expect.stringMatching(/^[0-9a-f]{64}$/)],
    });
    expect(other.unread).toEqual([]);
  });

  it('with TLS is one whose certificate is the server’s', async () => {
    served = await serveChain({ wss: { port: 0, cert: CERT, key: KEY } });
    const at = `wss://localhost:${served.server.wssPort}/`;
    await expect(dial(at)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const client = await dial(at, { ca: CERT });
    client.send(request(1, 'server.ping'));
    expect(await client.next()).toMatchObject({ result: null });
    await expect(serveChain({ wss: { port: 0, cert: 'none', key: KEY } })).rejects.toMatchObject({
      code: 'ELECTRUM_CERTIFICATE_INVALID',
    });
  });

  it('accepts no message above the size limit, and keeps nothing of it', async () => {
    const { served, at } = await plain({ longestMessage: 1000 });
    const client = await dial(at);
    client.send(request(1, 'server.ping', 'x'.repeat(900)));
    expect(await client.next()).toMatchObject({ id: 1 });
    client.send(request(2, 'server.ping', 'x'.repeat(1000)));
    expect(await client.closed).toBe(1009);
    await expect.poll(() => served.server.clients(), { timeout: 60_000 }).toBe(0);
  });

  it('refuses a client that asks for anything else, and cuts off one that asks for nothing', async () => {
    const { served, at } = await plain();
    const answer = await fetch(at.replace('ws:', 'http:'));
    expect([answer.status, await answer.text()]).toEqual([426, '']);
    const socket = connect(served.server.wsPort ?? 0, '127.0.0.1');
    socket.on('error', () => {});
    const said = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write('{"id":1,"method":"server.ping"}\n');
    expect(await said).toContain('HTTP/1.1 400');
    expect(served.server.clients()).toBe(0);
  });

  it('has room for a limited number of clients', async () => {
    const { served, at } = await plain({ connections: 2 });
    await dial(at);
    await dial(at);
    await expect(dial(at)).rejects.toThrow();
    expect(served.server.clients()).toBe(2);
  });

  it('releases its clients when it ends', async () => {
    const { served: one, at } = await plain();
    const client = await dial(at);
    await one.server.close();
    expect(await client.closed).toBe(1006);
    await expect(dial(at)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
