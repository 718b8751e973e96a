import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { FrameworkRequest } from '../../../../src/rpc/framework/dispatch.ts';
import { type FrameworkListenOptions, listenFramework } from '../../../../src/rpc/framework/listen.ts';
import { MAX_BODY_BYTES } from '../../../../src/rpc/http/read-body.ts';
import type { RpcListener } from '../../../../src/rpc/http/serve.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';

let listener: RpcListener | undefined;
afterEach(() => listener?.close());

async function started(options: Partial<FrameworkListenOptions> = {}) {
  const heard: FrameworkRequest[] = [];
  const opened = await listenFramework({
    answer: async (request) => {
      heard.push(request);
      return { status: 200, body: '{"result":1}' };
    },
    clock: systemClock(),
    port: 0,
    ...options,
  });
  listener = opened;
  return { heard, url: `http://127.0.0.1:${opened.port}` };
}

describe('the listener of the framework', () => {
  it('accepts calls at any path, with any content type', async () => {
    const { url, heard } = await started();
    for (const path of ['/', '/any/where?x=1']) {
      const response = await fetch(`${url}${path}`, { method: 'POST', body: '{}', headers: { 'content-type': 'x/y' } });
      expect([response.status, await response.text()]).toEqual([200, '{"result":1}']);
    }
    expect(heard.map(({ caller, httpMethod }) => [caller, httpMethod])).toEqual([
      [{ address: '127.0.0.1', local: true }, 'POST'],
      [{ address: '127.0.0.1', local: true }, 'POST'],
    ]);
  });

  it('names the origin that may read its answers, the configured one or the usual one', async () => {
    const { url } = await started();
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    await listener?.close();
    const { url: other } = await started({ cors: 'https://wallet.example' });
    expect((await fetch(other, { method: 'POST', body: '{}' })).headers.get('access-control-allow-origin')).toBe(
      'https://wallet.example',
    );
  });

  it('answers what browsers ask before a call', async () => {
    const { url, heard } = await started();
    const { status, headers } = await fetch(url, { method: 'OPTIONS' });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type');
    expect(headers.get('access-control-max-age')).toBe('3600');
    expect(heard).toEqual([]);
  });

  it('passes on the body of a GET, which is refused for its content first', async () => {
    const { url, heard } = await started();
    await new Promise<void>((resolve, reject) => {
      httpRequest(url, { method: 'GET', headers: { 'content-length': 2 } }, (response) => {
        response.resume().on('end', resolve);
      })
        .on('error', reject)
        .end('{}');
    });
    expect(heard.map(({ httpMethod, body }) => [httpMethod, Buffer.from(body).toString()])).toEqual([['GET', '{}']]);
  });

  it('refuses a body that is too long before all of it has come, and continues', async () => {
    const { url, heard } = await started();
    const part = new Uint8Array(1024 * 1024);
    const refused = await new Promise<number | string>((resolve) => {
      const client = httpRequest(url, { method: 'POST' }, ({ statusCode }) => resolve(statusCode ?? 0));
      client.on('error', () => resolve('cut off'));
      for (let left = MAX_BODY_BYTES / part.length + 1; left > 0; left--) client.write(part);
      // It never ends: whoever waits for all of it waits for ever.
    });
    expect([413, 'cut off']).toContain(refused);
    expect(heard).toEqual([]);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200);
  });

  it('is busy rather than out of memory', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await started({
      workQueue: 2,
      answer: async () => {
        await gate;
        return { status: 200, body: '{}' };
      },
    });
    const calls = Array.from({ length: 3 }, () =>
      fetch(url, { method: 'POST', body: '{}' }).then(({ status }) => status),
    );
    expect(await Promise.race(calls)).toBe(503);
    release();
    expect((await Promise.all(calls)).toSorted()).toEqual([200, 200, 503]);
  });

  it('says which address and port are taken', async () => {
    await started();
    const again = listenFramework({
      answer: () => Promise.reject(new Error('never asked')),
      clock: systemClock(),
      port: listener?.port ?? 0,
    });
    await expect(again).rejects.toMatchObject({
      code: 'RPC_LISTEN_FAILED',
      facts: { host: '127.0.0.1', port: listener?.port, reason: 'EADDRINUSE' },
    });
  });
});
