import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openNode } from '../src/rpc/smart-chain/method-context.ts';
import { nodeOverHttp } from '../support/node-over-http.ts';
import { measure, type Row, type SuiteOptions } from './measure.ts';

export const REQUESTS = 4_000;
export const AT_ONCE = 16;

/** Calls of the node's RPC over HTTP against a handler that does nothing, both from this process. */
export async function* rpcSuite({ rounds }: SuiteOptions): AsyncGenerator<Row> {
  const node = await nodeOverHttp(await openNode({ seed: 'bench' }));
  await node.call('generate', 3);
  const empty = await emptyServer();
  const body = JSON.stringify({ jsonrpc: '1.0', id: 'bench', method: 'getblockcount', params: [] });
  const candidate = (url: string) => async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, () => requests(url, { headers: node.headers, body })));
    return REQUESTS;
  };
  try {
    const costs = await measure({ ours: candidate(node.url), reference: candidate(empty.url) }, { rounds });
    const { ours, reference } = costs;
    const name = 'rpc: getblockcount vs an empty handler';
    yield { name, unit: 'requests/s', ours: 1e9 / ours, reference: 1e9 / reference, ratio: reference / ours };
  } finally {
    await node.close();
    empty.close();
  }
}

/** A sixteenth of all requests, one after the other. */
export async function requests(
  url: string,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body: string },
): Promise<void> {
  for (let count = 0; count < REQUESTS / AT_ONCE; count++) {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.text();
    if (response.status !== 200) throw new Error(`a request was answered with ${response.status}`);
  }
}

/** A server that answers every call with nothing. */
export async function emptyServer() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}\n'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}
