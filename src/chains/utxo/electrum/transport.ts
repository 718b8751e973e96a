import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { WebSocket } from 'ws';
import type { Clock } from '../../../ports/clock.ts';
import { millisOf } from '../../../primitives/time.ts';
import { addressOf, type ElectrumServerEntry } from './server.ts';

/** A connection ended, or an answer did not come in time. */
export class ConnectionLost extends Error {}

/** Carries texts to a server and back, over whatever protocol. */
export interface Transport {
  /** One message, without an end of line. */
  send(text: string): void;
  listen(listener: TransportListener): void;
  /** Lets go of the connection at once. */
  destroy(): void;
}

export type TransportListener = {
  /** Text in whatever pieces; a message ends with its line. */
  readonly heard: (text: string) => void;
  /** It is over; may be told more than once. */
  readonly ended: (reason: string) => void;
};

/** Longest message that is taken, in characters: a transaction of the largest size in hex, and its envelope. */
export const LONGEST_MESSAGE = 10_000_000;

/** Connects, with the certificate verified unless the server is excused. @throws ConnectionLost when that cannot be done in the server's time */
export async function openTransport(server: ElectrumServerEntry, clock: Clock): Promise<Transport> {
  const isWeb = server.protocol === 'WS' || server.protocol === 'WSS';
  return isWeb ? openWebSocket(server, clock) : lineTransport(await openSocket(server, clock));
}

function openSocket(server: ElectrumServerEntry, clock: Clock): Promise<Socket> {
  const { host, port } = addressOf(server);
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      cancel();
      socket.destroy();
      reject(lost(server, why));
    };
    const opened = (): void => {
      cancel();
      socket.off('error', failed);
      resolve(socket);
    };
    const socket =
      server.protocol === 'SSL'
        ? connectTls({ host, port, servername: host, rejectUnauthorized: !server.disableCertVerification }, opened)
        : connectPlain({ host, port }, opened);
    const failed = (error: Error): void => fail(reasonOf(error));
    socket.once('error', failed);
    const cancel = clock.wakeAt(millisOf(clock.now() + server.timeoutMs), () => fail('no connection in time'));
  });
}

function lineTransport(socket: Socket): Transport {
  return {
    send: (text) => void socket.write(`${text}\n`),
    listen({ heard, ended }) {
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => heard(String(chunk)));
      socket.on('error', (error) => ended(codeOf(error) ?? 'broken'));
      socket.on('close', () => ended('closed by the server'));
    },
    destroy: () => void socket.destroy(),
  };
}

/** Each message of a web socket is one of the protocol's, with or without an end of line. */
async function openWebSocket(server: ElectrumServerEntry, clock: Clock): Promise<Transport> {
  const { host, port } = addressOf(server);
  const { WebSocket } = await webSockets(server);
  const at = `${server.protocol.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(at, {
      rejectUnauthorized: !server.disableCertVerification,
      maxPayload: LONGEST_MESSAGE,
      // What a server compresses may be as large as it likes once it is not.
      perMessageDeflate: false,
    });
    const fail = (why: string): void => {
      cancel();
      // What comes of the end of one that never opened concerns nobody.
      socket.on('error', () => {});
      socket.terminate();
      reject(lost(server, why));
    };
    const failed = (error: Error): void => fail(reasonOf(error));
    socket.once('error', failed);
    socket.once('open', () => {
      cancel();
      socket.off('error', failed);
      // Nothing is read before somebody listens.
      socket.pause();
      resolve(webTransport(socket));
    });
    const cancel = clock.wakeAt(millisOf(clock.now() + server.timeoutMs), () => fail('no connection in time'));
  });
}

function webTransport(socket: WebSocket): Transport {
  return {
    send: (text) => socket.send(text),
    listen({ heard, ended }) {
      socket.on('message', (data) => heard(`${String(data)}\n`));
      socket.on('error', (error) => ended(codeOf(error) ?? 'broken'));
      socket.on('close', () => ended('closed by the server'));
      socket.resume();
    },
    destroy: () => socket.terminate(),
  };
}

/** An optional part of an installation. */
async function webSockets(server: ElectrumServerEntry): Promise<typeof import('ws')> {
  try {
    return await import('ws');
  } catch {
    throw lost(server, 'web sockets need the package ws: npm install ws');
  }
}

function lost({ url }: ElectrumServerEntry, why: string): ConnectionLost {
  return new ConnectionLost(`${url}: ${why}`);
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function reasonOf(error: Error): string {
  return codeOf(error) ?? error.message;
}
