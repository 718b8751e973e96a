/** Of what a URL leaves open, by its scheme. */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };
/** Names among them are those of RFC 6761, section 6.3, and those that the tables of hosts of Linux systems have. */
const LOOPBACK =
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|ip6-(?:localhost|loopback))$/;
/** An address of IPv4 in the spelling of IPv6 (RFC 4291, section 2.5.5.2), as URLs have it. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/**
 * Whose word it is what a node says: that of its host, however many ports, paths, keys and schemes it is named by. On this host each port is another
 * node, under whatever name of the loopback.
 *
 * @param url of http, https, ws or wss
 */
export function voiceNameOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const host = plain(hostname.toLowerCase().replace(/\.$/, ''));
  return LOOPBACK.test(host) ? `loopback:${port === '' ? PORTS[protocol] : port}` : host;
}

function plain(host: string): string {
  const [, high = '', low = ''] = MAPPED.exec(host) ?? [];
  if (high === '') return host;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
