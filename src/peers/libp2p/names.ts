import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import type { PeerAddress } from './address.ts';

/** Resolves a domain name to IP addresses; throws if there are none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Addresses of one name that are tried. */
const MOST_ADDRESSES = 8;

/** As the system resolves them. */
export const resolveName: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * Where a node can be reached, IPv4 first. A link is known by its address and not by the dialed name: bans and bounds apply to
 * addresses, and the framework discards an answer about relays that holds a name, and forgets who gave it (`peers_exchange.rs`).
 */
export async function placesOf({ host, port }: PeerAddress, resolve: ResolveName): Promise<readonly PeerAddress[]> {
  if (isIP(host) !== 0) return [{ host, port }];
  // A link-local address has no form in libp2p.
  const found = (await resolve(host)).filter((address) => isIP(address) !== 0 && !address.includes('%'));
  const sorted = [...found.filter(isIPv4), ...found.filter((address) => !isIPv4(address))];
  return sorted.slice(0, MOST_ADDRESSES).map((address) => ({ host: address, port }));
}
