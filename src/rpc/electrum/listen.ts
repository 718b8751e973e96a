import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { RpcListenError } from '../framework/listen.ts';
import type { Certificate } from './certificate.ts';
import { ElectrumServerError } from './error.ts';
import { webServer } from './web-listen.ts';

/** Where a server listens; 0 for a port that is free. */
export type Endpoint = {
  readonly port: number;
  readonly certificate?: Certificate;
  /** Whether clients speak over web sockets. @defaultValue false */
  readonly web?: boolean;
};

export type ListenOptions = {
  readonly host: string;
  /** Most connections. */
  readonly most: number;
  /** Longest message of a web socket, in bytes. */
  readonly longest: number;
  readonly onClient: (stream: Duplex) => void;
};

export type Bound = { readonly port: number; readonly close: () => Promise<void> };

const HANDSHAKE_MS = 10_000;

/**
 * Listens on a port, over TLS where there is a certificate.
 *
 * @throws RpcListenError RPC_LISTEN_FAILED; ElectrumServerError ELECTRUM_CERTIFICATE_INVALID
 */
export async function listenOn(endpoint: Endpoint, { host, most, longest, onClient }: ListenOptions): Promise<Bound> {
  const { port, certificate, web = false } = endpoint;
  const server = web
    ? await certified(() => webServer({ certificate, handshakeMs: HANDSHAKE_MS, longest, onClient }))
    : await certified(() => lineServer(certificate, onClient));
  server.maxConnections = most;
  // Those too whose handshake is still under way.
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(unbound(error, { host, port })));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function lineServer(certificate: Certificate | undefined, onClient: ListenOptions['onClient']): Server {
  const onSocket = (socket: Socket): void => {
    socket.setNoDelay(true);
    onClient(socket);
  };
  if (certificate === undefined) return createTcpServer(onSocket);
  const terms = { ...certificate, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS } as const;
  // Whoever speaks no TLS is cut off.
  return createTlsServer(terms, onSocket).on('tlsClientError', (_, socket) => socket.destroy());
}

/** A certificate that is none is told when the server is made. */
async function certified(make: () => Server | Promise<Server>): Promise<Server> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ElectrumServerError) throw error;
    const { code } = error as { readonly code?: string };
    throw new ElectrumServerError('The certificate and its key cannot be used.', {
      code: 'ELECTRUM_CERTIFICATE_INVALID',
      facts: { reason: code },
      next: 'Give a certificate in PEM and the key that belongs to it.',
      retry: 'operator',
    });
  }
}

function unbound(error: Error, where: { readonly host: string; readonly port: number }): RpcListenError {
  const { code: reason } = error as { readonly code?: string };
  return new RpcListenError('The Electrum server cannot listen on this address and port.', {
    code: 'RPC_LISTEN_FAILED',
    facts: { ...where, reason },
    next: 'Stop the program that listens there, or choose another port.',
    retry: 'operator',
  });
}
