export { PeerNetworkError } from './error.ts';
export type { NetworkLimits } from './limits.ts';
export { type Libp2pNetwork, type Libp2pOptions, openLibp2pNetwork, type PeerLink } from './network.ts';
export { DEFAULT_NETID, peerPort } from './ports.ts';
