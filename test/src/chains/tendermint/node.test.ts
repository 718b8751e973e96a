import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { BackendSilent } from '../../../../src/chains/accounts/silence.ts';
import { connectNode, faultOf } from '../../../../src/chains/tendermint/node.ts';
import { createNodeReader } from '../../../../src/chains/tendermint/node-reader.ts';
import { type ListeningNode, listenCometNode } from '../../../../src/testing/cometbft/server.ts';
import { IRIS, TendermintTestChain, UNIT } from '../../../support/tendermint/adapter-chain.ts';

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
    const node = connectNode({ url: listening.url.replace('http', protocol) + path });
    const { chainId, module } = test.network;
    const look = await createNodeReader(node, { chainId, module }).look();
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

  it('is told of the user and the password of its url in a header, which no connection takes in the url', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const node = connectNode({ url: `http://me:p%40ss@127.0.0.1:${port}` });
    expect(await node.request('health', {})).toEqual({});
    expect(seen).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
    node.close();
    server.close();
  });

  it('tells of new blocks by a web socket, and of none after that is closed', async () => {
    const node = connectNode({ url: `${listening.url.replace('http', 'ws')}/websocket` });
    const heard: number[] = [];
    const told = node.news?.(() => heard.push(test.height));
    expect(connectNode({ url: listening.url }).news).toBeUndefined();
    await node.request('status', {});
    test.chain.mine(1);
    await expect.poll(() => heard).toEqual([test.height]);
    told?.close();
    test.chain.mine(1);
    await node.request('status', {});
    expect(heard.length).toBe(1);
    node.close();
  });

  it('is known at once not to be there over a web socket, and is connected to anew', async () => {
    const moved = await listenCometNode(test.node().own);
    const { port } = new URL(moved.url);
    const node = connectNode({ url: `ws://127.0.0.1:${port}`, timeout: 60 });
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

  it('tells nothing of credentials where nobody answers', async () => {
    const node = connectNode({ url: 'http://user:hunter2@127.0.0.1:1/path?key=hunter2', timeout: 5 });
    const error = await node.request('status', {}).catch((given: unknown) => given);
    expect(error).toBeInstanceOf(BackendSilent);
    expect(String(error)).toMatch(/^Error: 127\.0\.0\.1:1 /);
    expect(String(error)).not.toContain('hunter2');
    node.close();
  });

  it('what is under way when it is closed is answered as silence', async () => {
    const node = connectNode({ url: listening.url });
    const asked = node.request('status', {});
    node.close();
    await expect(asked).rejects.toThrow('is not connected to any more');
  });

  it.each(['http', 'ws'])('does not wait for ever for one that is silent over %s', async (protocol) => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const node = connectNode({ url: `${protocol}://127.0.0.1:${port}`, timeout: 0.05 });
    await expect(node.request('status', {})).rejects.toThrow(BackendSilent);
    node.close();
    silent.closeAllConnections();
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  });

  it('an error answer is told apart from none', () => {
    const refusal = faultOf(new Error('{"code":-32603,"message":"Internal error","data":"tx (AB) not found"}'), 'host');
    expect(refusal).toBeInstanceOf(NodeRefusal);
    expect(refusal.message).toBe('Internal error: tx (AB) not found');
    expect(faultOf(new Error('connect ECONNREFUSED http://hunter2@host'), 'host').message).toBe(
      'host does not answer (Error)',
    );
    expect(faultOf(new Error('{"code":"x"}'), 'host')).toBeInstanceOf(BackendSilent);
  });
});
