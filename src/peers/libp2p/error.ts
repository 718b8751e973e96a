import { SwapfoldError } from '../../primitives/error.ts';

/**
 * The network between nodes cannot be opened, or cannot do what was asked.
 *
 * @example
 * ```ts
 * import { PeerNetworkError, peerPort } from 'swapfold/peers/libp2p';
 *
 * try {
 *   peerPort(14_429);
 * } catch (error) {
 *   error instanceof PeerNetworkError && error.code; // → 'NETID_INVALID'
 * }
 * ```
 */
export class PeerNetworkError extends SwapfoldError {}
