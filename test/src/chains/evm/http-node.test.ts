import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeRedirects } from '../../../../src/chains/accounts/direct-fetch.ts';
import { NodeRefusal } from '../../../../src/chains/accounts/node.ts';
import { AnswerTooLong } from '../../../../src/chains/accounts/silence.ts';
import { connectBatches } from '../../../../src/chains/evm/batches.ts';
import { createGasStation } from '../../../../src/chains/evm/gas-station.ts';
import { heldToEvmChain } from '../../../../src/chains/evm/held-node.ts';
import { connectEvmNode } from '../../../../src/chains/evm/node.ts';
import { connectDaemon } from '../../../../src/chains/utxo/daemon/client.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { Secret } from '../../../../src/primitives/secret.ts';

type Call = { readonly id: number; readonly method: string };
type Heard = { readonly body: string; readonly authorization: string | undefined };

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(answer: (body: string, response: ServerResponse) => void) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    heard.push({ body, authorization: request.headers.authorization });
    answer(body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { heard, port: (server.address() as AddressInfo).port };
}

const said = (call: Call, chainId: string) => ({
  jsonrpc: '2.0',
  id: call.id,
  result: call.method === 'eth_chainId' ? chainId : `a block of ${chainId}`,
});

/** Answers as a node of this chain. */
function asNode(body: string, response: ServerResponse, chainId = '0x89'): void {
  const asked = JSON.parse(body) as Call | readonly Call[];
  const told = Array.isArray(asked)
    ? (asked as readonly Call[]).map((call) => said(call, chainId)).reverse()
    : said(asked as Call, chainId);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
}

const connected = (url: string) => {
  const node = connectEvmNode({ url, timeout: 5 });
  closing.push(() => node.close());
  return node;
};
const HEAD = ['eth_getBlockByNumber', ['latest', false]] as const;

describe('a node that redirects', () => {
  it.each([301, 302, 303, 307, 308])('is not followed, and named without what opens it (HTTP %i)', async (status) => {
    const target = await serve(asNode);
    const to = `http://somebody:else@127.0.0.1:${target.port}/`;
    const { port } = await serve((_, response) => response.writeHead(status, { location: to }).end('moved'));
    const url = `http://user:hunter2@127.0.0.1:${port}/v3/0123456789abcdef0123456789abcdef`;
    const [single, batched] = [connected(url), connectBatches({ url, timeout: 5 })];
    const named = `http://127.0.0.1:${port}/v3/ redirects, and redirects are not followed: name the final URL`;
    for (const node of [single, batched, heldToEvmChain(single, 137)]) {
      const error: unknown = await node.request('eth_gasPrice', []).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NodeRedirects);
      expect((error as Error).message).toBe(named);
      await expect(node.request(...HEAD)).rejects.toThrow(NodeRedirects);
    }
    await expect(single.together?.([['eth_chainId', []]])).rejects.toThrow(named);
    const failures: string[] = [];
    const station = createGasStation({ url, onFailure: (why) => failures.push(why) });
    expect([await station(), failures.length]).toEqual([null, 1]);
    const daemon = connectDaemon({ url: `http://127.0.0.1:${port}`, user: 'u', password: new Secret('hunter2') });
    await expect(daemon.batch([['getblockcount']])).rejects.toThrow('redirects are not followed');
    expect(target.heard).toEqual([]);
  });
});

describe('a node over HTTP', () => {
  it('gives its chain and its last block in one request, in any order', async () => {
    const { port, heard } = await serve(asNode);
    const node = heldToEvmChain(connected(`http://user:pass%20word@127.0.0.1:${port}`), 137);
    expect(await node.request(...HEAD)).toBe('a block of 0x89');
    expect(heard.map(({ body }) => (JSON.parse(body) as readonly Call[]).map(({ method }) => method))).toEqual([
      ['eth_chainId', 'eth_getBlockByNumber'],
    ]);
    expect(heard[0]?.authorization).toBe(`Basic ${Buffer.from('user:pass word').toString('base64')}`);
  });

  it('behind an address with nodes of two chains is believed for the one alone, and by no block of the other', async () => {
    let turn = 0;
    const { port } = await serve((body, response) => {
      turn += 1;
      asNode(body, response, turn % 2 === 0 ? '0x89' : '0x1');
    });
    const node = heldToEvmChain(connected(`http://127.0.0.1:${port}`), 137);
    const told = [];
    for (let round = 0; round < 8; round += 1) told.push(await node.request(...HEAD).catch(() => 'nothing'));
    expect(new Set(told)).toEqual(new Set(['nothing', 'a block of 0x89']));
  });

  it.each([
    ['says so', (_: string, response: ServerResponse) => response.writeHead(400).end('no batches here')],
    [
      'answers as one call',
      (_: string, response: ServerResponse) =>
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } })),
    ],
    [
      'answers a part',
      (body: string, response: ServerResponse) =>
        response.end(JSON.stringify([said((JSON.parse(body) as Call[])[0] as Call, '0x89')])),
    ],
  ])('that accepts no two calls in one request is asked for both at once if it %s', async (_, refuse) => {
    const { port, heard } = await serve((body, response) =>
      body.startsWith('[') ? refuse(body, response) : asNode(body, response),
    );
    const node = heldToEvmChain(connected(`http://127.0.0.1:${port}`), 137);
    for (let round = 0; round < 3; round += 1) expect(await node.request(...HEAD)).toBe('a block of 0x89');
    expect(heard.map(({ body }) => body.startsWith('['))).toEqual([true, ...Array.from({ length: 6 }, () => false)]);
  });

  it.each([
    ['"rate limit reached"', BackendSilent, ''],
    ['{"message":"busy"}', BackendSilent, ''],
    ['[1]', BackendSilent, ''],
    ['{"code":-32005}', NodeRefusal, ''],
    ['{"code":-32000,"message":{"reason":"busy"}}', NodeRefusal, ''],
    ['{"code":-32000,"message":"nonce too low"}', NodeRefusal, 'nonce too low'],
  ] as const)('that answers with an error of any form gives no answer: %s', async (error, kind, message) => {
    const { port } = await serve((body, response) => {
      const calls = JSON.parse(body) as Call | readonly Call[];
      const told = [calls].flat().map(({ id }) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`);
      response.end(Array.isArray(calls) ? `[${told.join()}]` : told[0]);
    });
    const url = `http://127.0.0.1:${port}`;
    for (const node of [connected(url), connectBatches({ url, timeout: 5 })]) {
      const thrown: unknown = await node.request('eth_gasPrice', []).catch((one: unknown) => one);
      expect(thrown).toBeInstanceOf(kind);
      if (kind === NodeRefusal) expect((thrown as Error).message).toBe(message);
    }
    await expect(heldToEvmChain(connected(url), 137).request(...HEAD)).rejects.toThrow(BackendSilent);
  });

  it('that answers more than the limit is told apart from a silent one', async () => {
    const { port } = await serve((_, response) => response.end(`{"id":1,"result":"${'0'.repeat(11_000_000)}"}`));
    const node = connected(`http://127.0.0.1:${port}`);
    await expect(node.request('eth_getLogs', [])).rejects.toThrow(AnswerTooLong);
    await expect(node.request('eth_getLogs', [])).rejects.toThrow('sent an answer above the size limit');
  });

  it('with too many requests says nothing', async () => {
    const { port } = await serve((_, response) => response.writeHead(429).end('slow down'));
    await expect(heldToEvmChain(connected(`http://127.0.0.1:${port}`), 137).request(...HEAD)).rejects.toThrow(
      BackendSilent,
    );
  });
});
