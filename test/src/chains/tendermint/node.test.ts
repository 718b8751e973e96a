import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { NodeRedirects } from '../../../../src/chains/accounts/direct-fetch.ts';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { connectTendermintNode } from '../../../../src/chains/tendermint/node.ts';
import { createTendermintNodeReader } from '../../../../src/chains/tendermint/node-reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { type ListeningNode, listenCometNode } from '../../../../src/testing/cometbft/server.ts';
import { IRIS, TendermintTestChain, UNIT } from '../../../support/tendermint/adapter-chain.ts';

/** Answers whatever is asked, and keeps who asked. */
async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const heard: { readonly url: string | undefined; readonly authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url, authorization: request.headers.authorization });
    answer(request, response);
  });
  server.on('upgrade', (request, socket) => {
    heard.push({ url: request.url, authorization: request.headers.authorization });
    socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard };
}

function connected(url: string) {
  const node = connectTendermintNode({ url, timeout: 5 });
  onTestFinished(() => node.close());
  return node;
}

describe('a node behind an address', () => {
  const test = new TendermintTestChain(IRIS);
  let listening: ListeningNode;

  beforeAll(async () => {
    test.give('somebody', 7n * UNIT);
    listening = await listenCometNode(test.node().own);
  });
  afterAll(() => listening?.close());

  it.each(['http', 'ws'])('answers the questions of a reader over %s', async (protocol) => {
    const path = protocol === 'ws' ? '' : '/';
    const node = connectTendermintNode({ url: listening.url.replace('http', protocol) + path });
    const { chainId, module } = test.network;
    const look = await createTendermintNodeReader(node, { chainId, module }).look();
    expect(look.head).toEqual({ height: test.height, hash: test.chain.tip().hash, time: test.now });
    expect(await look.balance({ address: test.addressOf('somebody'), denom: IRIS.denom })).toBe(7n * UNIT);
    expect(await look.account(test.addressOf('somebody'))).toEqual({ number: 0n, sequence: 0 });
    expect(await look.account(test.addressOf('nobody'))).toBe(null);
    expect(await look.payment('AB'.repeat(32))).toBe(null);
    expect(await look.included('ab'.repeat(32))).toBe(null);
    await expect(node.request('no_such', {})).rejects.toThrow(NodeRefusal);
    node.close();
    node.close();
    await expect(node.request('status', {})).rejects.toThrow(BackendSilent);
  });

  it('reports new blocks by a web socket, and none after that is closed', async () => {
    const node = connectTendermintNode({ url: `${listening.url.replace('http', 'ws')}/websocket` });
    const heard: number[] = [];
    const told = node.news?.(() => heard.push(test.height));
    expect(connectTendermintNode({ url: listening.url }).news).toBeUndefined();
    await node.request('status', {});
    test.chain.mine(1);
    await expect.poll(() => heard).toEqual([test.height]);
    told?.close();
    test.chain.mine(1);
    await node.request('status', {});
    expect(heard.length).toBe(1);
    node.close();
  });

  it('is known at once to be absent over a web socket, and is connected to again', async () => {
    const moved = await listenCometNode(test.node().own);
    const { port } = new URL(moved.url);
    const node = connectTendermintNode({ url: `ws://127.0.0.1:${port}`, timeout: 60 });
    await node.request('status', {});
    await moved.close();
    await expect(node.request('status', {})).rejects.toThrow(BackendSilent);
    const back = await listenCometNode(test.node().own, { port: Number(port) });
    await expect
      .poll(() =>
        node.request('status', {}).then(
          () => 'answered',
          () => 'silent',
        ),
      )
      .toBe('answered');
    node.close();
    await back.close();
  });

  it('reveals no credentials if nobody answers', async () => {
    const node = connectTendermintNode({ url: 'http://user:hunter2@127.0.0.1:1/path?key=hunter2', timeout: 5 });
    const error = await node.request('status', {}).catch((given: unknown) => given);
    expect(error).toBeInstanceOf(BackendSilent);
    expect(String(error)).toBe('Error: 127.0.0.1:1 uses a port that HTTP clients block');
    expect(String(error)).not.toContain('hunter2');
    node.close();
  });

  it('ends open requests as silence when it is closed', async () => {
    const node = connectTendermintNode({ url: listening.url });
    const asked = node.request('status', {});
    node.close();
    await expect(asked).rejects.toThrow('was closed');
  });

  it.each(['http', 'ws'])('does not wait forever for one that is silent over %s', async (protocol) => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const node = connectTendermintNode({ url: `${protocol}://127.0.0.1:${port}`, timeout: 0.05 });
    await expect(node.request('status', {})).rejects.toThrow(BackendSilent);
    node.close();
    silent.closeAllConnections();
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  });

  it('is connected to again if a web socket falls silent', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise<void>((resolve) => sockets.once('listening', () => resolve()));
    onTestFinished(() => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    });
    sockets.on('connection', (socket) => {
      let left = 2;
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as { readonly id: number };
        if (left > 0) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { left } }));
        left -= 1;
      });
    });
    const { port } = sockets.address() as AddressInfo;
    const node = connectTendermintNode({ url: `ws://127.0.0.1:${port}`, timeout: 0.2 });
    onTestFinished(() => node.close());
    expect(await node.request('status', {})).toEqual({ left: 1 });
    const refused: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      const told = await node.request('status', {}).catch((error: Error) => error.message);
      if (typeof told !== 'string') return expect([told, refused.length > 0]).toEqual([{ left: 1 }, true]);
      refused.push(told);
    }
    expect(refused).toEqual([]);
  });

  it('tells an error answer apart from none', async () => {
    const of = async (status: number, body: string) => {
      const { url } = await serving((_, response) => response.writeHead(status).end(body));
      const error: unknown = await connected(url)
        .request('tx', {})
        .catch((thrown: unknown) => thrown);
      return error as Error;
    };
    const error = { code: -32_603, message: 'Internal error', data: 'tx (AB) not found' };
    const refusal = await of(200, JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    expect(refusal).toBeInstanceOf(NodeRefusal);
    expect(refusal).toMatchObject({ code: -32_603, message: 'Internal error: tx (AB) not found' });
    // Whoever stands before a node may answer in the same form.
    for (const [status, body] of [
      [502, JSON.stringify({ error })],
      [200, '{}'],
      [200, '[]'],
      [200, 'connect ECONNREFUSED http://hunter2@host'],
    ] as const) {
      const silence = await of(status, body);
      expect([silence instanceof BackendSilent, silence.message.includes('hunter2')]).toEqual([true, false]);
    }
  });

  it.each(['http', 'ws'])('a result beside an error of nothing is a result, over %s', async (protocol) => {
    const answer = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: { a: 1 }, error: null });
    const server = createServer((_, response) => response.end(answer(1)));
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) =>
      socket.on('message', (data) => socket.send(answer(JSON.parse(String(data)).id))),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    expect(await connected(`${protocol}://127.0.0.1:${port}`).request('status', {})).toEqual({ a: 1 });
  });
});

describe('credentials in the address of a node', () => {
  const user = 'a%20user';
  const password = 'p%40ss%2Fw%C3%B6rd';
  const expected = `Basic ${Buffer.from('a user:p@ss/wörd').toString('base64')}`;

  it('go to it as Basic authorisation over HTTP', async () => {
    const { url, heard } = await serving((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{"a":1}}'));
    const node = connected(url.replace('://', `://${user}:${password}@`));
    expect([await node.request('status', {}), node.name]).toEqual([{ a: 1 }, new URL(url).host]);
    await connected(url).request('status', {});
    expect(heard).toEqual([
      { url: '/', authorization: expected },
      { url: '/', authorization: undefined },
    ]);
  });

  it('go to it as Basic authorisation over a web socket', async () => {
    const { url, heard } = await serving((_, response) => response.end());
    const upgraded = connected(url.replace('http', 'ws').replace('://', `://${user}:${password}@`));
    await expect(upgraded.request('status', {})).rejects.toThrow(BackendSilent);
    expect(heard).toEqual([{ url: '/websocket', authorization: expected }]);
  });

  it.each([301, 302, 303, 307, 308])('are not carried elsewhere by a redirect (HTTP %i)', async (status) => {
    const target = await serving((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{}}'));
    const { url } = await serving((_, response) => response.writeHead(status, { location: target.url }).end());
    const open = url.replace('://', '://user:hunter2@');
    const error: unknown = await connected(open)
      .request('status', {})
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeRedirects);
    expect((error as Error).message).toBe(`${url} redirects, and redirects are not followed: name the final URL`);
    await expect(connected(open.replace('http', 'ws')).request('status', {})).rejects.toThrow(BackendSilent);
    expect(target.heard).toEqual([]);
  });
});
