import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { SwapfoldError } from '../../primitives/error.ts';
import { RpcListenError } from '../framework/listen.ts';

/** A certificate with its key, both in PEM. */
export type Certificate = { readonly cert: string; readonly key: string };

/** Where a server listens; 0 for a port that is free. */
export type Endpoint = { readonly port: number; readonly certificate?: Certificate };

/** An option of an Electrum server makes no sense, or its daemon does not answer. */
export class ElectrumServerError extends SwapfoldError {}

export type Bound = { readonly port: number; readonly close: () => Promise<void> };

const HANDSHAKE_MS = 10_000;

/**
 * Listens on a port, over TLS where there is a certificate.
 *
 * @throws RpcListenError RPC_LISTEN_FAILED; ElectrumServerError ELECTRUM_CERTIFICATE_INVALID
 */
export async function listenOn(
  { port, certificate }: Endpoint,
  {
    host,
    most,
    onClient,
  }: { readonly host: string; readonly most: number; readonly onClient: (socket: Socket) => void },
): Promise<Bound> {
  const server = certificate === undefined ? createTcpServer(onClient) : tlsServer(certificate, onClient);
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

function tlsServer({ cert, key }: Certificate, onClient: (socket: TLSSocket) => void): Server {
  try {
    const server = createTlsServer({ cert, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }, onClient);
    // Whoever speaks no TLS is cut off.
    return server.on('tlsClientError', (_, socket) => socket.destroy());
  } catch (error) {
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
    next: 'End what listens there, or choose another port.',
    retry: 'operator',
  });
}
