import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { connectElectrum } from '../../../../../src/chains/utxo/electrum/connection.ts';
import type { ElectrumServerEntry } from '../../../../../src/chains/utxo/electrum/server.ts';
import type { Clock } from '../../../../../src/ports/clock.ts';
import { LosslessNumber } from '../../../../../src/primitives/json.ts';
import { systemClock } from '../../../../../src/runtime/host/clock-system.ts';
import { CERT, KEY } from '../../../../support/electrum/certificate.ts';
import { virtualClock } from '../../../../support/virtual-clock.ts';

type Message = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
});

/** A server of few words: what it says to each line. */
async function dialled(
  answer: (message: Message | Message[], socket: Socket) => string | undefined,
  clock = systemClock() as Parameters<typeof connectElectrum>[0]['clock'],
) {
  const started = createServer((socket) => {
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const said = answer(JSON.parse(text.slice(0, end)) as Message, socket);
        text = text.slice(end + 1);
        if (said !== undefined) socket.write(said);
      }
    });
    socket.on('error', () => {});
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  const notified: unknown[] = [];
  const connection = await connectElectrum({
    server: { url: `127.0.0.1:${port}`, protocol: 'TCP', disableCertVerification: false, timeoutMs: 5000 },
    clock,
    onNotification: (method, params) => notified.push([method, params]),
  });
  return { connection, notified };
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

describe('a connection to an Electrum server', () => {
  it('asks one call as an object and several as one array, and puts the answers in order', async () => {
    const heard: unknown[] = [];
    const { connection } = await dialled((message) => {
      heard.push(message);
      const list = Array.isArray(message) ? message : [message];
      const answers = list.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method })).reverse();
      return line(Array.isArray(message) ? answers : answers[0]);
    });
    expect(await connection.batch([['one', 1]])).toEqual([{ result: 'one' }]);
    expect(await connection.batch([['two'], ['three']])).toEqual([{ result: 'two' }, { result: 'three' }]);
    expect(heard).toEqual([
      { jsonrpc: '2.0', id: 0, method: 'one', params: [1] },
      [
        { jsonrpc: '2.0', id: 1, method: 'two', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'three', params: [] },
      ],
    ]);
    connection.close('done');
  });

  it('asks for each answer that may be long on a line of its own, since servers limit what they answer in one', async () => {
    const heard: string[] = [];
    const most = 1_000_000;
    const { connection } = await dialled((message) => {
      const list = Array.isArray(message) ? message : [message];
      heard.push(list.map(({ method }) => method).join(' '));
      let size = 0;
      const answers = list.map(({ id, method }) => {
        const result = method === 'server.ping' ? null : 'ab'.repeat(200_000);
        size += JSON.stringify(result).length;
        // As ElectrumX refuses what is beyond its limit for one message.
        return size > most
          ? { id, error: { code: -32_600, message: `response too large (over ${most} bytes` } }
          : { id, result };
      });
      return line(Array.isArray(message) ? answers : answers[0]);
    });
    const methods = [
      'blockchain.transaction.get',
      'server.ping',
      'blockchain.scripthash.get_history',
      'blockchain.transaction.get',
      'server.ping',
      'blochchain.transaction.get_receipt',
    ];
    const answers = await connection.batch(methods.map((method) => [method, 'x']));
    expect(answers.map((answer) => ('result' in answer ? String(answer.result).length : answer.error))).toEqual([
      400_000, 4, 400_000, 400_000, 4, 400_000,
    ]);
    expect(heard.sort()).toEqual(
      [...methods.filter((method) => method !== 'server.ping'), 'server.ping server.ping'].sort(),
    );
    connection.close('done');
  });

  it('gives many long answers two seconds more for each that has arrived, and no more', async () => {
    const clock = virtualClock();
    const waiting: (() => void)[] = [];
    const { connection, notified } = await dialled((message, socket) => {
      const { id } = message as Message;
      waiting.push(() => socket.write(`${line({ id, result: 'x' })}${line({ method: 'told', params: [id] })}`));
      return undefined;
    }, clock);
    const asked = connection.batch(Array.from({ length: 5 }, () => ['blockchain.transaction.get', 'x']));
    const answers = asked.catch((error: unknown) => error);
    await expect.poll(() => waiting.length, { interval: 2 }).toBe(5);
    await clock.advance(17_900);
    for (const [place, answer] of waiting.slice(0, 4).entries()) {
      await clock.advance(2000);
      answer();
      await expect.poll(() => notified.length, { interval: 2 }).toBe(place + 1);
    }
    await clock.advance(2099);
    expect(await Promise.race([answers, 'nothing yet'])).toBe('nothing yet');
    await clock.advance(1);
    expect(String(await answers)).toContain('no answer in time');
  });

  it('reads an answer in pieces, keeps its digits, and reports notifications', async () => {
    const { connection, notified } = await dialled((message, socket) => {
      const { id } = message as Message;
      socket.write('{"jsonrpc":"2.0","method":"blockchain.headers.subscribe","params":[{"height":7}]}\n{"id":');
      setImmediate(() => socket.write(`${id},"result":0.1000000000000000055}\n`));
      return undefined;
    });
    expect(await connection.batch([['x']])).toEqual([{ result: new LosslessNumber('0.1000000000000000055') }]);
    expect(notified).toEqual([['blockchain.headers.subscribe', [{ height: 7 }]]]);
    connection.close('done');
  });

  it('reports the errors of the server, as objects or texts', async () => {
    const { connection } = await dialled((message) => {
      const list = message as Message[];
      return line([
        { id: list[0]?.id, error: { code: 2, message: 'no such transaction' } },
        { id: list[1]?.id, error: 'daemon busy' },
      ]);
    });
    expect(await connection.batch([['a'], ['b']])).toEqual([
      { error: { code: 2, message: 'no such transaction' } },
      { error: { code: 1, message: 'daemon busy' } },
    ]);
    connection.close('done');
  });

  it('reports an error in one line of bounded length', async () => {
    const { connection } = await dialled((message) => {
      const list = message as Message[];
      const long = `busy\u001b[31m\n${'x'.repeat(3_000_000)}`;
      return line([
        { id: list[0]?.id, error: { code: 1, message: long } },
        { id: list[1]?.id, error: long },
        { id: list[2]?.id, error: { code: 1, message: { much: long } } },
      ]);
    });
    for (const answer of await connection.batch([['a'], ['b'], ['c']])) {
      const message = 'error' in answer ? answer.error.message : '';
      expect(message.length).toBeLessThanOrEqual(2002);
      for (const unsafe of ['\u001b', '\n']) expect(message).not.toContain(unsafe);
    }
    connection.close('done');
  });

  it.each([
    ['no JSON', 'hello\n', 'it sent a line that is not JSON'],
    ['a line without end', 'x'.repeat(10_000_001), 'it sent a line above the size limit'],
  ])('ends with %s, and its open requests with it', async (_, said, reason) => {
    const { connection } = await dialled(() => said);
    await expect(connection.batch([['x']])).rejects.toThrow(reason);
    expect(await connection.ended).toBe(reason);
    await expect(connection.batch([['y']])).rejects.toThrow(reason);
  });

  it('ends when the server does', async () => {
    const { connection } = await dialled((_, socket) => {
      socket.destroy();
      return undefined;
    });
    await expect(connection.batch([['x']])).rejects.toThrow(/closed by the server|ECONNRESET/);
  });

  it('gives up an answer after twenty seconds', async () => {
    const clock = virtualClock();
    const { connection } = await dialled(() => undefined, clock);
    const asked = connection.batch([['x']]).catch((error: unknown) => error);
    await clock.advance(20_000);
    expect(String(await asked)).toContain('no answer in time');
  });

  it('asks from time to time whether the server is there, and ends after a minute of silence', async () => {
    const clock = virtualClock();
    const heard: string[] = [];
    const { connection } = await dialled((message) => {
      heard.push((message as Message).method);
      return heard.length < 2 ? line({ id: (message as Message).id, result: null }) : undefined;
    }, clock);
    await clock.advance(30_000);
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(1);
    await clock.advance(30_000);
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(2);
    await clock.advance(30_000);
    expect(await connection.ended).toMatch(/no answer in time|it sent nothing for a minute/);
  });

  it('that is refused names who refused it', async () => {
    const refused = connectElectrum({
      server: { url: '127.0.0.1:9', protocol: 'TCP', disableCertVerification: false, timeoutMs: 5000 },
      clock: systemClock(),
      onNotification() {},
    });
    await expect(refused).rejects.toThrow('127.0.0.1:9: ECONNREFUSED');
  });
});

describe('a connection over web sockets', () => {
  const webServers: WebSocketServer[] = [];
  const httpServers: HttpServer[] = [];
  afterEach(() => {
    for (const each of webServers.splice(0)) {
      for (const client of each.clients) client.terminate();
      each.close();
    }
    for (const each of httpServers.splice(0)) each.close().closeAllConnections();
  });

  type Said = (message: Message, socket: WebSocket) => string | Buffer | undefined;

  async function listening(http: HttpServer, answer: Said): Promise<number> {
    httpServers.push(http);
    const web = new WebSocketServer({ server: http });
    webServers.push(web);
    web.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.on('message', (data) => {
        const said = answer(JSON.parse(String(data)) as Message, socket);
        if (said !== undefined) socket.send(said);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return (http.address() as AddressInfo).port;
  }

  const dial = (at: Partial<ElectrumServerEntry> & { readonly url: string }, clock = systemClock() as Clock) => {
    const notified: unknown[] = [];
    const server = { protocol: 'WS', disableCertVerification: false, timeoutMs: 5000, ...at } as const;
    const onNotification = (method: string, params: readonly unknown[]) => void notified.push([method, params]);
    return connectElectrum({ server, clock, onNotification }).then((connection) => ({ connection, notified }));
  };
  const echo: Said = ({ id, method }) => JSON.stringify({ id, result: method });
  const tls = (answer: Said) => listening(createHttps({ cert: CERT, key: KEY }), answer);

  it('accepts a message with and without an end of line, as text and as bytes, and several in one', async () => {
    const port = await listening(createHttp(), ({ id, method }) => {
      const said = JSON.stringify({ id, result: `${method}?` });
      if (method === 'bytes') return Buffer.from(said);
      return method === 'more' ? `{"method":"news","params":[1]}\n${said}\n` : said;
    });
    const { connection, notified } = await dial({ url: `127.0.0.1:${port}` });
    expect(await connection.batch([['one']])).toEqual([{ result: 'one?' }]);
    expect(await connection.batch([['bytes']])).toEqual([{ result: 'bytes?' }]);
    expect(await connection.batch([['more']])).toEqual([{ result: 'more?' }]);
    expect(notified).toEqual([['news', [1]]]);
    connection.close('done');
    expect(await connection.ended).toBe('done');
  });

  it('with TLS refuses a self-signed certificate, unless the server is excused', async () => {
    const port = await tls(echo);
    const at = { url: `localhost:${port}`, protocol: 'WSS' } as const;
    await expect(dial(at)).rejects.toThrow(`localhost:${port}: DEPTH_ZERO_SELF_SIGNED_CERT`);
    const { connection } = await dial({ ...at, disableCertVerification: true });
    expect(await connection.batch([['x']])).toEqual([{ result: 'x' }]);
    connection.close('done');
  });

  it('fails if the server speaks only HTTP, or stays silent', async () => {
    const http = createHttp((_, response) => void response.end('a page'));
    httpServers.push(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    await expect(dial({ url: `127.0.0.1:${port}` })).rejects.toThrow('Unexpected server response: 200');

    let arrived = (): void => {};
    const arriving = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const silent = createServer((socket) => {
      sockets.push(socket);
      socket.once('data', arrived);
    });
    server = silent;
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const clock = virtualClock();
    const refused = dial({ url: `127.0.0.1:${(silent.address() as AddressInfo).port}` }, clock).catch(String);
    await arriving;
    await clock.advance(5000);
    expect(await refused).toContain('no connection in time');
  });

  it('ends with a message that is too long, and when the server does', async () => {
    const port = await listening(createHttp(), ({ id, method }, socket) => {
      if (method === 'long') return `"${'x'.repeat(10_000_001)}"`;
      if (method === 'end') socket.terminate();
      return method === 'x' ? JSON.stringify({ id, result: 1 }) : undefined;
    });
    const { connection } = await dial({ url: `127.0.0.1:${port}` });
    expect(await connection.batch([['x']])).toEqual([{ result: 1 }]);
    await expect(connection.batch([['long']])).rejects.toThrow('WS_ERR_UNSUPPORTED_MESSAGE_LENGTH');
    const { connection: other } = await dial({ url: `127.0.0.1:${port}` });
    await expect(other.batch([['end']])).rejects.toThrow('closed by the server');
  });
});
