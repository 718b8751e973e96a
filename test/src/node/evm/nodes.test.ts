import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { evmAdapter } from '../../../../src/node/evm/adapter-module.ts';
import { EvmFailure } from '../../../../src/node/evm/failure.ts';
import { reachNodes } from '../../../../src/node/evm/nodes.ts';

type Said = { readonly chainId?: unknown; readonly hangs?: boolean; readonly leadsTo?: string };

describe('the nodes of a request', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** A node that tells what it is once `ready` has settled; how many nodes were asked is counted. */
  async function nodeThat(said: Said, { asked, ready }: { asked: Set<string>; ready: Promise<void> }) {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
      asked.add(url);
      await ready;
      if (said.hangs === true) return;
      if (said.leadsTo !== undefined) {
        response.writeHead(307, { location: said.leadsTo }).end();
        return;
      }
      const { chainId = '0x89' } = said;
      const result = method === 'eth_chainId' ? chainId : 'a node of a test';
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return url;
  }

  /** What nodes of these manners have in common: none tells anything before all were asked. */
  function together(count: number) {
    let done = (): void => {};
    const ready = new Promise<void>((resolve) => {
      done = resolve;
    });
    class Counting extends Set<string> {
      override add(url: string): this {
        super.add(url);
        if (this.size === count) done();
        return this;
      }
    }
    return { asked: new Counting(), ready };
  }

  /** By it the second of several is asked first. */
  const random = { bytes: (count: number) => new Uint8Array(count) };
  const reach = async (urls: readonly string[], signal?: AbortSignal, timeout = 2) =>
    reachNodes({ urls, chainId: 137, adapter: await evmAdapter(), random, timeout, signal });

  it('are asked at the same time: silent ones delay the others once, and are kept', async () => {
    const all = together(4);
    const urls = [
      await nodeThat({ hangs: true }, all),
      await nodeThat({}, all),
      await nodeThat({ hangs: true }, all),
      await nodeThat({ hangs: true }, all),
    ];
    const named = await reach([...urls, 'http://127.0.0.1:1/']);
    expect(named.map(({ name }) => name).sort()).toEqual([...urls, 'http://127.0.0.1:1/'].sort());
    for (const { close } of named) close();
  });

  it('are refused if one is of another chain, even if others are not, and others are silent', async () => {
    const all = together(3);
    const urls = [
      await nodeThat({}, all),
      await nodeThat({ chainId: '0x1' }, all),
      await nodeThat({ hangs: true }, all),
    ];
    await expect(reach(urls)).rejects.toMatchObject({ kind: 'wrongChain', message: expect.stringContaining('id 1,') });
  });

  it.each([
    ['null', null],
    ['a number', 137],
    ['a text', 'of Polygon'],
    ['nothing', ''],
    ['an object', { id: '0x89' }],
    ['more digits than a number has', `0x${'f'.repeat(1000)}`],
  ])('count as silent if they give their chain as %s, and not as another chain', async (_, chainId) => {
    const all = together(2);
    const urls = [await nodeThat({}, all), await nodeThat({ chainId }, all)];
    const named = await reach(urls, undefined, 20);
    expect(named.map(({ name }) => name).sort()).toEqual([...urls].sort());
    for (const { close } of named) close();
    await expect(reach(urls.slice(1), undefined, 20)).rejects.toMatchObject({
      kind: 'unreachable',
      why: expect.stringMatching(/127\.0\.0\.1:\d+ does not report its chain id/),
    });
  });

  it('are refused if one redirects to another, which would count twice', async () => {
    const all = together(2);
    const first = await nodeThat({}, all);
    const leading = await nodeThat({ leadsTo: first }, all);
    await expect(reach([first, leading.replace('//', '//user:hunter2@')])).rejects.toMatchObject({
      kind: 'redirects',
      message: `${leading} redirects, and redirects are not followed: name the final URL`,
    });
  });

  it('are unreachable if all are silent, and given up once nobody waits for them', async () => {
    const all = together(2);
    const urls = [await nodeThat({ hangs: true }, all), await nodeThat({ hangs: true }, all)];
    // Nobody answers, so that no answer can come too late.
    await expect(reach(urls, undefined, 0.2)).rejects.toMatchObject({ kind: 'unreachable' });
    const ending = new AbortController();
    const under = reach(urls, ending.signal);
    ending.abort();
    await expect(under).rejects.toThrow(EvmFailure);
    await expect(under).rejects.toMatchObject({ kind: 'ended' });
  });
});
