import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { WebSocket } from 'ws';
import type { Clock } from '../../../ports/clock.ts';
import { millisOf } from '../../../primitives/time.ts';
import { addressOf, type ElectrumServerEntry } from './server.ts';

/** A connection ended, or an answer did not come in time. */
export class ConnectionLost extends Error {}

/** Carries messages to a server and back. */
export interface Transport {
  /** One message, without an end of line. */
  send(text: string): void;
  listen(listener: TransportListener): void;
  /** Closes the connection at once. */
  destroy(): void;
}

export type TransportListener = {
  /** Text in arbitrary pieces; a line is a message. */
  readonly heard: (text: string) => void;
  /** The connection has ended; may be called more than once. */
  readonly ended: (reason: string) => void;
};

/** Longest accepted message, in characters: the largest transaction in hex, and its envelope. */
export const LONGEST_MESSAGE = 10_000_000;

/**
 * Connects, and verifies the certificate unless the server is exempt. @throws ConnectionLost if this takes longer than the server's timeout, or fails
 */
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

/** Each web socket message holds one protocol message, with or without a line end. */
async function openWebSocket(server: ElectrumServerEntry, clock: Clock): Promise<Transport> {
  const { host, port } = addressOf(server);
  const { WebSocket } = await webSockets(server);
  const at = `${server.protocol.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(at, {
      rejectUnauthorized: !server.disableCertVerification,
      maxPayload: LONGEST_MESSAGE,
      // Compressed data may expand without bound.
      perMessageDeflate: false,
    });
    const fail = (why: string): void => {
      cancel();
      // The end of a connection that never opened does not matter.
      socket.on('error', () => {});
      socket.terminate();
      reject(lost(server, why));
    };
    const failed = (error: Error): void => fail(reasonOf(error));
    socket.once('error', failed);
    socket.once('open', () => {
      cancel();
      socket.off('error', failed);
      // Read nothing before there is a listener.
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

/** An optional dependency. */
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
