import type { Ed25519PrivateKey, Libp2p } from '@libp2p/interface';
import { provideWithResolvers } from '../../../../src/peers/libp2p/with-resolvers.ts';
import { frameworkNode } from './framework.ts';
import type { FrameworkNode, FrameworkOptions } from './node.ts';

/** A node of the framework as its description has it, on this host. */
export async function openFramework(options: FrameworkOptions): Promise<FrameworkNode> {
  const { role, listen = '127.0.0.1:0' } = options;
  const [ip, port] = listen.split(':');
  const { generateKeyPair } = await import('@libp2p/crypto/keys');
  const key = await generateKeyPair('Ed25519');
  return frameworkNode(await plainHost(key, role === 'relay' ? [`/ip4/${ip}/tcp/${port}`] : []), { ...options, key });
}

/** TCP, noise and yamux under an identity of ed25519, and nothing else. */
async function plainHost(privateKey: Ed25519PrivateKey, listen: readonly string[]): Promise<Libp2p> {
  provideWithResolvers();
  const { createLibp2p } = await import('libp2p');
  const { tcp } = await import('@libp2p/tcp');
  const { noise } = await import('@libp2p/noise');
  const { yamux } = await import('@libp2p/yamux');
  return createLibp2p({
    ...{ privateKey, start: false },
    addresses: { listen: [...listen] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false },
    connectionManager: { maxConnections: 500, inboundConnectionThreshold: 500, maxIncomingPendingConnections: 500 },
  });
}
