import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificate.ts';
import { ElectrumServerError } from './error.ts';
import { webStream } from './web-stream.ts';

export type WebOptions = {
  readonly certificate: Certificate | undefined;
  /** Milliseconds in which a client must have asked for a web socket. */
  readonly handshakeMs: number;
  /** Longest message, in bytes. */
  readonly longest: number;
  readonly onClient: (stream: Duplex) => void;
};

/** How often those who say nothing are looked for, in milliseconds. */
const CHECK_MS = 1000;

/** A server of web sockets that does not listen yet; whatever else it is asked by HTTP is refused. @throws ElectrumServerError ELECTRUM_WEB_SOCKETS_MISSING */
export async function webServer({ certificate, handshakeMs, longest, onClient }: WebOptions): Promise<Server> {
  const { WebSocketServer } = await webSockets();
  // What a client compresses may be as large as it likes once it is not.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: longest, perMessageDeflate: false });
  const terms = { headersTimeout: handshakeMs, requestTimeout: handshakeMs, connectionsCheckingInterval: CHECK_MS };
  const server =
    certificate === undefined
      ? createHttpServer(terms)
      : createHttpsServer({ ...terms, ...certificate, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs });
  server.on('request', (_, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
  });
  server.on('upgrade', (request, socket: Socket, head) => {
    socket.on('error', () => socket.destroy());
    sockets.handleUpgrade(request, socket, head, (client) => onClient(webStream(client)));
  });
  server.on('tlsClientError', (_, socket: Socket) => socket.destroy());
  return server;
}

/** An optional part of an installation. */
async function webSockets(): Promise<typeof import('ws')> {
  try {
    return await import('ws');
  } catch {
    throw new ElectrumServerError('The Electrum server cannot accept WebSocket connections.', {
      code: 'ELECTRUM_WEB_SOCKETS_MISSING',
      facts: { package: 'ws' },
      next: 'Install the package (npm install ws), or serve without WebSockets.',
      retry: 'operator',
    });
  }
}
