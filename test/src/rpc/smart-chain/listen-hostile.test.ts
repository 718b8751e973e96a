import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { MAX_BODY_BYTES } from '../../../../src/rpc/http/read-body.ts';
import type { RpcListener } from '../../../../src/rpc/http/serve.ts';
import { dispatch } from '../../../../src/rpc/smart-chain/dispatch.ts';
import { type ListenOptions, listen } from '../../../../src/rpc/smart-chain/listen.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { keptLog, smallTerms } from './small-methods.ts';

const PASSWORD = 'never-to-be-told';
const AUTHORIZATION = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
const ECHO = '{"id":1,"method":"echo","params":["hi"]}';

const opened: RpcListener[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
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
  const call = async () => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: 'POST',
      headers: { Authorization: AUTHORIZATION },
      body: ECHO,
    });
    return [response.status, await response.text()];
  };
  return { listener, logger, call };
}

const GOOD = [200, '{"result":["hi"],"error":null,"id":1}\n'];

/** A connection of which all that came is kept. */
function dial({ port }: RpcListener, { allowHalfOpen = false } = {}) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  sockets.push(socket);
  let got = '';
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watch of watchers) watch();
  };
  let over = false;
  socket.on('data', (chunk) => {
    got += String(chunk);
    tell();
  });
  const ended = new Promise<string>((resolve) => {
    const end = () => {
      over = true;
      tell();
      resolve(got);
    };
    socket.on('error', end);
    socket.on('close', end);
    socket.on('end', end);
  });
  return {
    socket,
    ended,
    /** Resolves once what came matches, or nothing more can come. */
    until: (wanted: RegExp) =>
      new Promise<string>((resolve) => {
        const watch = () => {
          if (!over && !wanted.test(got)) return;
          watchers.delete(watch);
          resolve(got);
        };
        watchers.add(watch);
        watch();
      }),
  };
}

function post(body: string, headers = ''): string {
  return `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('a client on one connection', () => {
  it('that sends many calls before it reads is answered each in its order', async () => {
    const { listener } = await start();
    const calls = Array.from({ length: 50 }, (_, id) => post(`{"id":${id},"method":"echo"}`));
    const client = dial(listener);
    client.socket.write(calls.join(''));
    const got = await client.until(/"id":49\}/);
    const ids = [...got.matchAll(/"id":(\d+)\}/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 50 }, (_, id) => id));
  });

  it('that sends a bad call and a good one behind it gets both answers', async () => {
    const { listener } = await start();
    const client = dial(listener);
    client.socket.write(post('{') + post(ECHO));
    expect(await client.until(/"hi"/)).toMatch(/-32700[\s\S]*"result":\["hi"\]/);
  });

  it('that closes its own direction behind its call still gets the answer', async () => {
    const { listener, call } = await start();
    const client = dial(listener, { allowHalfOpen: true });
    client.socket.end(post(ECHO));
    expect(await client.ended).toMatch(/"result":\["hi"\]/);
    expect(await call()).toEqual(GOOD);
  });

  it.each([
    ['its headers', 'POST / HTTP/1.1\r\nHo'],
    ['its body', post(ECHO).slice(0, -5)],
    [
      'a chunk',
      `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"me`,
    ],
  ])('that goes away in the middle of %s harms nobody', async (_, part) => {
    const { listener, call, logger } = await start();
    for (let count = 0; count < 20; count++) {
      const client = dial(listener);
      client.socket.write(part, () => client.socket.resetAndDestroy());
      await client.ended;
    }
    expect(await call()).toEqual(GOOD);
    expect(JSON.stringify(logger.lines)).not.toContain(PASSWORD);
  });

  it('that goes away while its call is being worked on harms nobody', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = (): void => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const terms = smallTerms(keptLog());
    let first = true;
    const { listener, call } = await start({
      workQueue: 1,
      answer: async (body) => {
        if (first) {
          first = false;
          begun();
          await released;
        }
        return dispatch(body, terms);
      },
    });
    const client = dial(listener);
    client.socket.write(post(ECHO));
    await started;
    client.socket.resetAndDestroy();
    await client.ended;
    release();
    let got = await call();
    while (got[0] === 500) got = await call();
    expect(got).toEqual(GOOD);
  });
});

describe('a body in chunks', () => {
  const head = `POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  it('is put together, however small they are', async () => {
    const { listener } = await start();
    const client = dial(listener);
    client.socket.write(`${head}${[...ECHO].map(chunk).join('')}0\r\n\r\n`);
    expect(await client.until(/"hi"/)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"result":\["hi"\]/);
  });

  it('of more than 32 MiB is refused although no header announced its length', async () => {
    const { listener, call } = await start();
    const client = dial(listener);
    client.socket.write(head);
    const part = chunk(' '.repeat(1 << 20));
    const sent = async () => {
      for (let count = 0; count <= MAX_BODY_BYTES / (1 << 20) + 1; count++) {
        const more = await new Promise<boolean>((resolve) => client.socket.write(part, (error) => resolve(!error)));
        if (!more) return;
      }
    };
    void sent();
    expect(await client.ended).toMatch(/^(HTTP\/1\.1 413 |$)/);
    expect(await call()).toEqual(GOOD);
  });

  it.each([
    ['of a length that is no number', 'zz\r\nab\r\n0\r\n\r\n'],
    ['of a length beyond every number', `${'f'.repeat(40)}\r\nab`],
    ['longer than it says', '1\r\nabcdef\r\n0\r\n\r\n'],
  ])('with a chunk %s is not a request', async (_, body) => {
    const { listener, call } = await start();
    const client = dial(listener);
    client.socket.write(head + body);
    expect(await client.ended).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(await call()).toEqual(GOOD);
  });

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a length below zero', 'Content-Length: -1\r\n\r\n'],
  ])('with %s is refused, so that nothing hides behind it', async (_, rest) => {
    const { listener, call } = await start();
    const client = dial(listener);
    client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n${rest}`);
    expect(await client.ended).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(await call()).toEqual(GOOD);
  });
});

describe('many connections', () => {
  it('that say nothing do not keep a caller out', async () => {
    const { listener, call } = await start();
    const silent = Array.from({ length: 300 }, () => dial(listener));
    await Promise.all(
      silent.map(({ socket }) => new Promise<void>((resolve) => socket.once('connect', () => resolve()))),
    );
    expect(await call()).toEqual(GOOD);
  });

  it.each([
    ['say nothing', ''],
    ['begin a call and do not end it', post(ECHO).slice(0, -1)],
    ['begin one with wrong credentials', post(ECHO).replace(AUTHORIZATION, 'Basic eDp5')],
  ])('that take all the room and %s give way to a caller', async (_, part) => {
    const { listener, call, logger } = await start({ mostConnections: 20 });
    const all = Array.from({ length: 20 }, () => dial(listener));
    await Promise.all(
      all.map(({ socket }) => new Promise<void>((resolve) => socket.write(part || ' ', () => resolve()))),
    );
    for (let calls = 0; calls < 5; calls++) expect(await call()).toEqual(GOOD);
    expect(logger.lines.length).toBeLessThanOrEqual(1);
  });

  it('that guess many passwords at once are cut off, and logged in one line', async () => {
    const { listener, call, logger } = await start();
    const guess = post(ECHO).replace(AUTHORIZATION, 'Basic eDp5');
    const all = Array.from({ length: 200 }, () => dial(listener));
    for (const { socket } of all) socket.write(guess);
    const answers = await Promise.all(all.map(({ until }) => until(/401/)));
    expect(answers.filter((answer) => answer.includes('401')).length).toBeGreaterThanOrEqual(64);
    expect(answers.filter((answer) => answer === '').length).toBeGreaterThan(0);
    expect(logger.lines).toHaveLength(1);
    expect(await call()).toEqual(GOOD);
  });

  it('that each hold half a body count against the queue, not against the memory, and leave it again', async () => {
    const { listener, call } = await start({ workQueue: 10 });
    const half = Array.from({ length: 10 }, () => dial(listener));
    for (const { socket } of half) socket.write(post(ECHO).slice(0, -1));
    let refusedBody = await call();
    while (refusedBody[0] === 200) refusedBody = await call();
    expect(refusedBody).toEqual([500, 'Work queue depth exceeded']);
    for (const { socket } of half) socket.write('}');
    for (const { until } of half) expect(await until(/"hi"/)).toContain('"result":["hi"]');
    let got = await call();
    while (got[0] === 500) got = await call();
    expect(got).toEqual(GOOD);
  });
});
