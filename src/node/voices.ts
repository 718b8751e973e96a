import { hostname, networkInterfaces } from 'node:os';

/** Of what a URL leaves open, by its scheme. */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };
/** Names among them are those of RFC 6761, section 6.3, and those that the tables of hosts of Linux systems have. */
const LOOPBACK =
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|ip6-(?:localhost|loopback))$/;
/** An address of IPv4 in the spelling of IPv6 (RFC 4291, section 2.5.5.2), as URLs have it. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;
/** Of what is named by host and port alone. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

export type OwnHost = {
  /** Names and addresses of this host beside those of the loopback. @defaultValue as the system tells them now */
  readonly own?: readonly string[];
};

/**
 * Whose word it is what each of these says, in their order. It is that of its host, however many ports, paths, keys and schemes it is named by, under all of
 * the names and addresses of this host too. Where nothing but this host is named, as by tunnels to others, each of its ports is someone else; beside
 * another host all of them together are one. What a name of others resolves to is not asked.
 *
 * @param addresses URLs, or hosts with their ports; what is neither has a voice of its own
 */
export function voicesOf(addresses: readonly string[], { own = ownNames() }: OwnHost = {}): readonly string[] {
  const known = new Set(own.map(spelled));
  const hosts = addresses.map((address) => hostOf(address, known));
  const isAlone = hosts.every(({ port }) => port !== null);
  return hosts.map(({ name, port }) => (port === null ? name : isAlone ? `${name}:${port}` : name));
}

const THIS_HOST = 'this host';

/** `port`: of this host; null for another one. */
type Host = { readonly name: string; readonly port: string | null };

function hostOf(address: string, known: ReadonlySet<string>): Host {
  const url = urlOf(address);
  if (url === null) return { name: address, port: null };
  const host = plain(url.hostname);
  if (!LOOPBACK.test(host) && !known.has(host)) return { name: host, port: null };
  return { name: THIS_HOST, port: url.port === '' ? String(PORTS[url.protocol]) : url.port };
}

function urlOf(address: string): URL | null {
  try {
    return new URL(SCHEME.test(address) ? address : `http://${address}`);
  } catch {
    return null;
  }
}

function plain(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const [, high = '', low = ''] = MAPPED.exec(host) ?? [];
  if (high === '') return host;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** As a URL has it. */
function spelled(name: string): string {
  const url = urlOf(name.includes(':') ? `[${name}]` : name);
  return url === null ? name.toLowerCase() : plain(url.hostname);
}

function ownNames(): readonly string[] {
  const name = hostname();
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  return [name, `${name}.local`, ...addresses];
}
