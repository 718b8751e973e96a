import { isIP } from 'node:net';
import { PeerNetworkError } from './error.ts';

/** Where a node listens or can be reached: an IP address or a domain name, and a TCP port. */
export type PeerAddress = { readonly host: string; readonly port: number };

const DOMAIN = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*\.?$/i;
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^:]+))(?::(?<port>\d{1,5}))?$/;

/**
 * An address as people write it: `host`, `host:port` or `[IPv6]:port`. Without a port it uses that of the network.
 *
 * @throws PeerNetworkError PEER_ADDRESS_INVALID
 */
export function parsePeerAddress(text: string, usualPort: number): PeerAddress {
  const groups = (isIP(text) === 6 ? { plain: text } : WITH_PORT.exec(text)?.groups) as
    | Readonly<Partial<Record<'bracketed' | 'plain' | 'port', string>>>
    | undefined;
  const host = groups?.bracketed ?? groups?.plain ?? '';
  const port = groups?.port === undefined ? usualPort : Number(groups.port);
  const isHost = groups?.bracketed === undefined ? isIP(host) !== 0 || DOMAIN.test(host) : isIP(host) === 6;
  if (isHost && port <= 65_535) return { host, port };
  throw new PeerNetworkError('The address of a node cannot be used.', {
    code: 'PEER_ADDRESS_INVALID',
    facts: { address: text.slice(0, 200), expected: 'an IP address or a domain name, with or without a port' },
    next: 'Correct the address; nothing was opened.',
    retry: 'operator',
  });
}

/** The same for people to read. */
export function addressText({ host, port }: PeerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The same in libp2p’s form. */
export function multiaddrText({ host, port }: PeerAddress): string {
  const family = isIP(host);
  return `/${family === 0 ? 'dns' : `ip${family}`}/${host}/tcp/${port}`;
}

/** Whether it is this host itself, whose address any process may use. */
export function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.') || host.startsWith('::ffff:127.');
}

const MAPPED = /^::ffff:(?=\d+\.)/i;
/** The groups of an IPv6 address that identify its owner, of eight. */
const NETWORK_GROUPS = 4;

/**
 * What one party has to come from: an IPv4 address, or the network of an IPv6 address (/64), of whose addresses everyone there can take any.
 * Any other text stays as it is.
 */
export function sourceOf(host: string): string {
  const address = host.replace(MAPPED, '').replace(/%.*$/, '').toLowerCase();
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  // The last groups may be written as an IPv4 address, which is two groups.
  const count = groups.length + rest.length + (address.includes('.') ? 1 : 0);
  const filled = [...groups, ...Array.from({ length: Math.max(0, 8 - count) }, () => '0'), ...rest];
  const network = filled.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
