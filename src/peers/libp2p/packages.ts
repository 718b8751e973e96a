import { optionalPackage } from '../../primitives/optional-package.ts';
import { provideWithResolvers } from './with-resolvers.ts';

export type Libp2pPackages = Awaited<ReturnType<typeof loadPackages>>;

/** The packages of the network. @throws PackageMissingError for a package that is not installed */
export async function loadPackages() {
  provideWithResolvers();
  const { createLibp2p } = await optionalPackage('libp2p', () => import('libp2p'));
  const { tcp } = await optionalPackage('@libp2p/tcp', () => import('@libp2p/tcp'));
  const { noise } = await optionalPackage('@libp2p/noise', () => import('@libp2p/noise'));
  const { yamux } = await optionalPackage('@libp2p/yamux', () => import('@libp2p/yamux'));
  const { generateKeyPairFromSeed } = await optionalPackage('@libp2p/crypto', () => import('@libp2p/crypto/keys'));
  const { multiaddr } = await optionalPackage('@multiformats/multiaddr', () => import('@multiformats/multiaddr'));
  return { createLibp2p, tcp, noise, yamux, generateKeyPairFromSeed, multiaddr };
}
