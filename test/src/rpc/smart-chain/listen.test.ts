import { request as httpRequest, IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { MAX_BODY_BYTES } from '../../../../src/rpc/http/read-body.ts';
import type { HttpReply, RpcListener } from '../../../../src/rpc/http/serve.ts';
import { dispatch, type RpcAnswer } from '../../../../src/rpc/smart-chain/dispatch.ts';
import { type ListenOptions, listen, requestHandler } from '../../../../src/rpc/smart-chain/listen.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { createVirtualClock } from '../../../../src/sim/virtual-clock.ts';
import { keptLog, smallTerms } from './small-methods.ts';

const opened: RpcListener[] = [];
const PASSWORD = 'never-to-be-told';

afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.close()));
});

async function start(options: Partial<ListenOptions> = {}) {
  const logger = keptLog();
  const listener = await listen({
    answer: (body) => dispatch(body, smallTerms(logger)),
    credentials: { user: 'user', password: new Secret(PASSWORD) },
    clock: systemClock(),
    logger,
    port: 0,
    ...options,
  });
  opened.push(listener);
  return { listener, logger, url: `http://127.0.0.1:${listener.port}/` };
}

const authorization = (text = `user:${PASSWORD}`) => `Basic ${Buffer.from(text).toString('base64')}`;
const headers = { Authorization: authorization() };
const ECHO = '{"id":1,"method":"echo","params":["hi"]}';

describe('a call over HTTP', () => {
  it.each([undefined, 'text/plain', 'application/json', 'image/png'])(
    'is answered with content type %s',
    async (type) => {
      const { url } = await start();
      const given = type === undefined ? headers : { ...headers, 'Content-Type': type };
      const response = await fetch(url, { method: 'POST', headers: given, body: ECHO });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.text()).toBe('{"result":["hi"],"error":null,"id":1}\n');
    },
  );

  it.each([
    ['{"method":"nope"}', 404],
    ['{}', 400],
    ['{', 500],
    ['', 500],
    ['{"method":"refuse"}', 500],
    ['[{"method":"nope"},{"method":"echo"}]', 200],
  ])('%s has status %i', async (body, status) => {
    const { url } = await start();
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toBeInstanceOf(Object);
  });

  it('without a body is answered too', async () => {
    const { url } = await start();
    const response = await fetch(url, { method: 'POST', headers });
    expect([response.status, await response.json()]).toMatchObject([500, { error: { code: -32700 } }]);
  });
});

describe('a request that is not a call', () => {
  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused with status 405', async (method) => {
    const { url } = await start();
    const response = await fetch(url, { method, headers });
    expect([response.status, await response.text()]).toEqual([405, 'JSONRPC server handles only POST requests']);
  });

  it.each(['TRACE', 'HEAD'])('%s is refused with status 405 and nothing else', async (method) => {
    const { listener } = await start();
    expect(await raw(listener, `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 405 /,
    );
  });

  it.each(['wallet', '?', '?a=1', '/', './x', 'index.html'])('the path /%s is unknown', async (path) => {
    const { listener } = await start();
    const answer = await raw(
      listener,
      `POST /${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });

  it('headers of more than 8 KiB are refused', async () => {
    const { url } = await start();
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'X-Long': 'x'.repeat(9000) },
      body: ECHO,
    });
    expect(response.status).toBe(431);
  });

  it.each([
    ['10.0.0.1', 403],
    [undefined, 403],
    ['127.0.0.1', 401],
    ['192.168.1.7', 401],
  ])('a caller from %s without credentials gets status %s', async (remoteAddress, status) => {
    const handle = requestHandler({
      answer: () => Promise.reject(new Error('nobody may call')),
      credentials: { user: 'user', password: new Secret(PASSWORD) },
      clock: systemClock(),
      logger: keptLog(),
      port: 0,
      allow: ['192.168.0.0/16'],
    });
    const incoming = {
      socket: { remoteAddress },
      url: '/',
      method: 'POST',
      rawHeaders: [] as string[],
    } as IncomingMessage;
    const { status: given, body } = await new Promise<HttpReply>((send) => handle(incoming, send));
    expect([given, body]).toEqual([status, '']);
  });

  it('an invalid address cannot be allowed', async () => {
    await expect(start({ allow: ['everybody'] })).rejects.toMatchObject({ code: 'SMARTCHAIN_OPTION_INVALID' });
  });
});

describe('a request that has ended', () => {
  /** A request as far as it has come. */
  function request(): IncomingMessage {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.1' });
    const incoming = new IncomingMessage(socket);
    return Object.assign(incoming, {
      url: '/',
      method: 'POST',
      rawHeaders: ['Authorization', authorization()],
    });
  }

  function handlerOf(answer: ListenOptions['answer']) {
    const credentials = { user: 'user', password: new Secret(PASSWORD) };
    return requestHandler({ answer, credentials, clock: systemClock(), logger: keptLog(), port: 0, workQueue: 1 });
  }

  const whole = (handle: ReturnType<typeof handlerOf>, body: string | Uint8Array = ECHO) =>
    new Promise<HttpReply>((send) => {
      const incoming = request();
      handle(incoming, send);
      incoming.push(body);
      incoming.push(null);
    });

  it.each([
    ['breaks off', undefined],
    ['fails', new Error('reset')],
  ])('is answered once and leaves its place to the next one when it %s', async (_, error) => {
    const handle = handlerOf((body) => ({ status: 200, body: String(body.length) }));
    const incoming = request();
    const replies: HttpReply[] = [];
    handle(incoming, (reply) => replies.push(reply));
    incoming.push(ECHO.slice(0, 9));
    expect(await whole(handle)).toMatchObject({ status: 500, body: 'Work queue depth exceeded' });
    const closed = new Promise((resolve) => incoming.once('close', resolve));
    incoming.destroy(error);
    await closed;
    expect(replies).toMatchObject([{ status: 400, body: '' }]);
    expect(await whole(handle)).toMatchObject({ status: 200, body: String(ECHO.length) });
  });

  it('gives back the room of its body, which all requests share', async () => {
    const handle = handlerOf((body) => ({ status: 200, body: String(body.length) }));
    const long = new Uint8Array(MAX_BODY_BYTES);
    const replies: HttpReply[] = [];
    for (let count = 0; count < 6; count++) replies.push(await whole(handle, long));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it.each<[string, ListenOptions['answer']]>([
    [
      'at once',
      () => {
        throw new Error('no');
      },
    ],
    ['later', () => Promise.reject(new Error('no'))],
  ])('leaves its place to the next one when its answer fails %s', async (_, answer) => {
    const handle = handlerOf(answer);
    expect(await whole(handle)).toMatchObject({ status: 400, body: '' });
    expect(await whole(handle)).toMatchObject({ status: 400, body: '' });
  });
});

describe('credentials', () => {
  it('are asked for', async () => {
    const { url, logger } = await start();
    const response = await fetch(url, { method: 'POST', body: ECHO });
    expect([response.status, response.headers.get('www-authenticate'), await response.text()]).toEqual([
      401,
      'Basic realm="jsonrpc"',
      '',
    ]);
    expect(logger.lines).toEqual([]);
  });

  it('that are wrong are answered a quarter of a second later, and logged without them', async () => {
    const clock = createVirtualClock(millisOf(5_000));
    const asked: (() => void)[] = [];
    const waited = new Promise<void>((resolve) => asked.push(resolve));
    const { url, logger } = await start({
      clock: {
        now: clock.now,
        wakeAt: (at, wake) => {
          const cancel = clock.wakeAt(at, wake);
          for (const tell of asked) tell();
          return cancel;
        },
      },
    });
    const wrong = { Authorization: authorization('user:a-wrong-one') };
    const answer = fetch(url, { method: 'POST', headers: wrong, body: ECHO });
    await waited;
    expect(clock.next()).toBe(5_250);
    // Others are not kept waiting.
    expect((await fetch(url, { method: 'POST', headers, body: ECHO })).status).toBe(200);
    clock.advanceTo(millisOf(5_250));
    expect((await answer).status).toBe(401);
    expect(logger.lines).toEqual([
      { level: 'warn', message: 'a call came with wrong credentials', fields: { from: '127.0.0.1' } },
    ]);
  });

  it('are looked at before the body is read', async () => {
    const { listener } = await start();
    const answer = await raw(
      listener,
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('bounds', () => {
  it('a body of more than 32 MiB is refused, and the next call is answered', async () => {
    const { listener, url } = await start();
    const status = await new Promise<number | undefined>((resolve) => {
      const sent = httpRequest(
        { port: listener.port, method: 'POST', path: '/', headers, host: '127.0.0.1' },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      // The connection may be closed before all of it is sent.
      sent.on('error', () => resolve(undefined));
      const megabyte = Buffer.alloc(1 << 20, ' ');
      for (let count = 0; count <= MAX_BODY_BYTES / megabyte.length; count++) sent.write(megabyte);
      sent.end();
    });
    expect([413, undefined]).toContain(status);
    expect((await fetch(url, { method: 'POST', headers, body: ECHO })).status).toBe(200);
  });

  it('a body of several megabytes is read', async () => {
    const { url } = await start();
    const long = 'x'.repeat(5_000_000);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ method: 'echo', params: [long] }),
    });
    expect(((await response.json()) as { result: string[] }).result[0]?.length).toBe(long.length);
  });

  it('more requests than the queue holds are refused, and accepted again once there is room', async () => {
    let release = (_: RpcAnswer): void => {};
    let begun = (): void => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { url } = await start({
      workQueue: 1,
      answer: () => {
        begun();
        return new Promise<RpcAnswer>((resolve) => {
          release = resolve;
        });
      },
    });
    const first = fetch(url, { method: 'POST', headers, body: ECHO });
    await started;
    const second = await fetch(url, { method: 'POST', headers, body: ECHO });
    expect([second.status, await second.text()]).toEqual([500, 'Work queue depth exceeded']);
    release({ status: 200, body: 'first' });
    expect(await (await first).text()).toBe('first');
    const third = fetch(url, { method: 'POST', headers, body: ECHO });
    while ((await Promise.race([third.then(() => 'answered'), turn()])) !== 'answered') {
      release({ status: 200, body: 'third' });
    }
    expect(await (await third).text()).toBe('third');
  });

  it.each([
    ['its headers', 'POST / HTTP/1.1\r\nHost: x\r\n'],
    ['its body', `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization()}\r\nContent-Length: 50\r\n\r\n{`],
  ])('a client that never ends %s is cut off', async (_, part) => {
    const { listener, url } = await start({ timeouts: { headers: 40, request: 80, check: 10 } });
    expect(await raw(listener, part)).toMatch(/^(HTTP\/1\.1 (408|400) |$)/);
    expect((await fetch(url, { method: 'POST', headers, body: ECHO })).status).toBe(200);
  });
});

describe('closing', () => {
  it('lets a running call end, and accepts no other', async () => {
    let release = (_: RpcAnswer): void => {};
    let begun = (): void => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { listener, url } = await start({
      answer: () => {
        begun();
        return new Promise<RpcAnswer>((resolve) => {
          release = resolve;
        });
      },
    });
    const call = fetch(url, { method: 'POST', headers, body: ECHO });
    await started;
    const closed = listener.close();
    release({ status: 200, body: 'done' });
    const response = await call;
    expect([response.headers.get('connection'), await response.text()]).toEqual(['close', 'done']);
    await closed;
    await listener.close();
    await expect(fetch(url, { method: 'POST', headers, body: ECHO })).rejects.toThrow();
  });

  it('waits no longer than configured', async () => {
    const clock = createVirtualClock(millisOf(0));
    let begun = (): void => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { listener, url } = await start({
      clock,
      answer: () => {
        begun();
        return new Promise<RpcAnswer>(() => {});
      },
      timeouts: { close: 500 },
    });
    const call = fetch(url, { method: 'POST', headers, body: ECHO });
    const cut = expect(call).rejects.toThrow();
    await started;
    const closed = listener.close();
    expect(clock.next()).toBe(500);
    clock.advanceTo(millisOf(500));
    await closed;
    await cut;
  });

  it('is not needed if nothing could listen', async () => {
    const { listener } = await start();
    await expect(start({ port: listener.port })).rejects.toMatchObject({
      code: 'SMARTCHAIN_OPTION_INVALID',
      facts: { port: listener.port, reason: 'EADDRINUSE' },
    });
  });
});

function turn(): Promise<string> {
  return new Promise((resolve) => setImmediate(() => resolve('turn')));
}

/** Sends bytes as they are and gives what comes back until the connection ends. */
function raw({ port }: RpcListener, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
}
