import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryLog, type MemoryLog } from '../../../../../src/log/memory/memory-log.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';
import type { Millis } from '../../../../../src/primitives/time.ts';
import { createAccess } from '../../../../../src/rpc/framework/access.ts';
import { listenFramework } from '../../../../../src/rpc/framework/listen.ts';
import type { PageRequest } from '../../../../../src/rpc/framework/pages.ts';
import { EVENT_STREAM_PATH, type EventPageOptions, eventPage } from '../../../../../src/rpc/framework/stream/page.ts';
import { systemClock } from '../../../../../src/runtime/host/clock-system.ts';
import { frameOfType, frameReader } from '../../../../support/event-frames.ts';

const PASSWORD = 'pässword: of the RPC';
const UUID = '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a91';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function append(log: MemoryLog, count = 1, text = ''): void {
  const stream = `maker-order/${UUID}`;
  const record = { at: 1_700_000_000_000 as Millis, type: 'Something', version: 1, data: { text } };
  for (let left = count; left > 0; left--) log.append({ stream, expected: log.read(stream).length, records: [record] });
}

async function serving(options: Partial<EventPageOptions> = {}) {
  const log = createMemoryLog();
  const access = createAccess({ password: new Secret(PASSWORD) });
  const clock = systemClock();
  const { page, close } = eventPage({ log, clock, access, compatibility: 'specification', ...options });
  let onCut = (): void => {};
  const cut = new Promise<void>((resolve) => {
    onCut = resolve;
  });
  const wasCut = (request: PageRequest): void => {
    request.cut?.();
    onCut();
  };
  const listener = await listenFramework({
    answer: async () => ({ status: 200, body: '{"result":"the JSON-RPC"}' }),
    pages: new Map([[EVENT_STREAM_PATH, (request) => page({ ...request, cut: () => wasCut(request) })]]),
    // A client of Node opens a connection ahead of its next request, which nobody waits for here.
    ...{ clock, port: 0, cors: 'https://wallet.example', timeouts: { close: 50 } },
  });
  closers.push(() => {
    close();
    return listener.close();
  });
  const url = `http://127.0.0.1:${listener.port}${EVENT_STREAM_PATH}`;
  const bearer = { authorization: `Bearer ${PASSWORD.replace('ä', 'a')}` };
  const basic = { authorization: `Basic ${Buffer.from(`anybody:${PASSWORD}`).toString('base64')}` };
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
  return { log, url, post, basic, bearer, close, cut, port: listener.port };
}

describe('a client that follows a node', () => {
  it('has the password in the body or in a header, and gets frames that no cache keeps', async () => {
    const { log, url, post, basic } = await serving();
    const utf8 = { authorization: `Bearer ${Buffer.from(PASSWORD).toString('latin1')}` };
    const ways = [
      () => post({ userpass: PASSWORD }),
      () => fetch(url, { headers: basic }),
      () => fetch(url, { headers: utf8 }),
    ];
    for (const open of ways) {
      const response = await open();
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': 'https://wallet.example',
      });
      const reader = frameReader(response.body as ReadableStream<Uint8Array>);
      await frameOfType(reader, 'HEARTBEAT');
      append(log);
      expect((await frameOfType(reader, 'ORDER_STATUS')).id).toBe(String(log.end()));
      await reader.cut();
    }
  });

  it('is refused without it as the JSON-RPC refuses, and banned after ten wrong ones', async () => {
    const { url, post, basic, bearer } = await serving();
    const told = async (response: Response) => [response.status, await response.json()];
    expect(await told(await fetch(url))).toEqual([
      403,
      { error: 'Userpass is not set!', error_type: 'UserpassIsNotSet' },
    ]);
    // What stands in the address is not even a wrong password.
    expect((await told(await fetch(`${url}?userpass=${encodeURIComponent(PASSWORD)}`)))[0]).toBe(403);
    const wrong = { error_type: 'UserpassIsInvalid', error_data: { error_type: 'NbAttemptsLeft', error_data: 9 } };
    expect(await told(await fetch(url, { headers: bearer }))).toEqual([403, expect.objectContaining(wrong)]);
    for (let left = 9; left > 0; left--) await post({ userpass: 'a guess' });
    expect(await told(await fetch(url, { headers: basic }))).toEqual([
      403,
      expect.objectContaining({ error_type: 'Banned' }),
    ]);
  });

  it('learns what is wrong with a request', async () => {
    const { log, post, url, basic } = await serving();
    append(log, 3);
    const told = async (body: object, headers?: Record<string, string>) => {
      const response = await post({ userpass: PASSWORD, ...body }, headers);
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await told({ last_event_id: 'x' })).toEqual([400, expect.stringContaining('whole number')]);
    expect(await told({}, { 'last-event-id': '-1' })).toEqual([400, expect.stringContaining('whole number')]);
    expect(await told({ last_event_id: 4 })).toEqual([409, expect.stringContaining('start without it')]);
    expect(await told({ types: 'SWAP_STATUS' })).toEqual([400, expect.stringContaining('types')]);
    for (const type of ['SWAPS', 'swap_status', 'SWAP_STATUS:RED', 'BALANCE:', '']) {
      const text = `types: "${type}" is none of SWAP_STATUS, ORDER_STATUS, `;
      expect(await told({ types: ['BALANCE:RED', type] })).toEqual([400, expect.stringContaining(text)]);
    }
    const put = await fetch(url, { method: 'PUT', headers: basic, body: '{}' });
    expect([put.status, (await fetch(url, { method: 'POST', headers: basic, body: '[' })).status]).toEqual([405, 400]);
  });

  it('may come from a page of the configured origin, with the headers that it needs', async () => {
    const { url, port } = await serving();
    const { headers } = await fetch(url, { method: 'OPTIONS' });
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Last-Event-ID');
    const elsewhere = await fetch(`http://127.0.0.1:${port}/event-stream/x`, { method: 'POST', body: '{}' });
    expect(await elsewhere.json()).toEqual({ result: 'the JSON-RPC' });
  });

  it('continues where it was cut, by the header of a browser or a member of the body', async () => {
    const { log, url, post, basic } = await serving();
    append(log, 5);
    const from = async (response: Response) => {
      const reader = frameReader(response.body as ReadableStream<Uint8Array>);
      const { id } = await frameOfType(reader, 'ORDER_STATUS');
      await reader.cut();
      return id;
    };
    expect(await from(await fetch(url, { headers: { ...basic, 'last-event-id': '3' } }))).toBe('4');
    expect(await from(await post({ userpass: PASSWORD, last_event_id: 1, types: ['ORDER_STATUS'] }))).toBe('2');
  });

  it('is one of a bounded number', async () => {
    const { post } = await serving({ most: 2 });
    const open = () => post({ userpass: PASSWORD });
    const [first] = [await open(), await open()];
    const third = await open();
    expect([third.status, await third.json()]).toEqual([
      503,
      expect.objectContaining({ error_type: 'TooManyStreams' }),
    ]);
    await (first as Response).body?.cancel();
    let again = await open();
    // The node hears of the connection’s end a moment later.
    for (let left = 200; left > 0 && again.status !== 200; left--) again = await open();
    expect(again.status).toBe(200);
  });

  it('is closed in order when the node is closed', async () => {
    const { post, close } = await serving();
    const reader = frameReader((await post({ userpass: PASSWORD })).body as ReadableStream<Uint8Array>);
    await frameOfType(reader, 'HEARTBEAT');
    close();
    expect(await reader.next()).toBeNull();
    expect((await post({ userpass: PASSWORD })).status).toBe(503);
  });

  it('is cut if it reads nothing, with a bound on what waits for it', async () => {
    const { log, port, cut } = await serving({ limits: { heartbeat: 0.02, patience: 0.05 } });
    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify({ userpass: PASSWORD, last_event_id: 0 });
    const head = `POST ${EVENT_STREAM_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    socket.pause();
    socket.on('error', () => {});
    const before = process.memoryUsage().arrayBuffers;
    append(log, 600, 'x'.repeat(50_000));
    socket.write(head + body);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await cut;
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
    socket.resume();
    await closed;
  });
});
