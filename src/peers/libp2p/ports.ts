import { PeerNetworkError } from './error.ts';

/** The network of a configuration without a number. */
export const DEFAULT_NETID = 0;

/** Numbers that the framework accepts (`lp_network.rs`). */
const MOST_NETID = 14_428;
/** The first network of the framework, which it refuses. */
const CLOSED_NETID = 7777;

const FIRST_PORT = 7783;
const TCP_OFFSET = 20;

/**
 * The port of seed nodes of a network: each ten numbers share forty ports, and TCP is twenty above the first of a network.
 *
 * @throws PeerNetworkError NETID_INVALID
 *
 * @example
 * ```ts
 * import { peerPort } from 'swapfold/peers/libp2p';
 *
 * peerPort(0); // → 7803
 * peerPort(8762); // → 42845
 * peerPort(7777); // throws NETID_INVALID
 * ```
 */
export function peerPort(netid: number): number {
  if (!Number.isInteger(netid) || netid < 0 || netid > MOST_NETID || netid === CLOSED_NETID) {
    throw new PeerNetworkError('The number of the network cannot be used.', {
      code: 'NETID_INVALID',
      facts: { netid, expected: `a whole number from 0 to ${MOST_NETID}, not ${CLOSED_NETID}` },
      next: 'Give the number that the nodes to trade with have; 8762 is the main network.',
      retry: 'operator',
    });
  }
  return Math.floor(netid / 10) * 40 + FIRST_PORT + (netid % 10) + TCP_OFFSET;
}
