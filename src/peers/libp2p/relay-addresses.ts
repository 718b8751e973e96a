import { BlockList, isIPv4 } from 'node:net';
import type { PeerAddress } from './address.ts';

/** Networks unreachable from the internet (IANA's special-purpose address registry). */
const NOT_PUBLIC = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

const blocked = new BlockList();
for (const [network, bits] of NOT_PUBLIC) blocked.addSubnet(network, bits);

/** Whether it is a public IPv4 address: the framework accepts no others, and no names. */
export function isPublicIpv4(host: string): boolean {
  return isIPv4(host) && !blocked.check(host);
}

/** Which relays to announce. */
export type RelayRules = {
  /** Of the network: seed nodes listen on no other one. */
  readonly port: number;
  /** Whether to announce relays at this address. */
  readonly isPublic: (host: string) => boolean;
};

const RELAY_ADDRESS = /^\/ip4\/(?<host>[\d.]{7,15})\/tcp\/(?<port>\d{1,5})(?:\/p2p\/[1-9A-HJ-NP-Za-km-z]{1,100})?$/;

/** The address of a relay in libp2p's form; null if it may not be announced (`validate_global_multiaddr`). */
export function relayAddressOf(text: string, { port, isPublic }: RelayRules): PeerAddress | null {
  const { host = '', port: told = '' } = RELAY_ADDRESS.exec(text)?.groups ?? {};
  return isIPv4(host) && Number(told) === port && isPublic(host) ? { host, port } : null;
}
