/** How to reach one server. */
export type ElectrumServerEntry = {
  /** `host:port`. */
  readonly url: string;
  readonly protocol: ElectrumProtocol;
  /** Whether to accept any certificate. */
  readonly disableCertVerification: boolean;
  /** How long connecting may take, in milliseconds. */
  readonly timeoutMs: number;
};

export const ELECTRUM_PROTOCOLS = ['TCP', 'SSL', 'WS', 'WSS'] as const;
export type ElectrumProtocol = (typeof ELECTRUM_PROTOCOLS)[number];

/** Host and port of a server. @throws RangeError for an address without a port */
export function addressOf({ url }: Pick<ElectrumServerEntry, 'url'>): { readonly host: string; readonly port: number } {
  const at = url.lastIndexOf(':');
  const host = url.slice(0, Math.max(at, 0)).replace(/^\[|\]$/g, '');
  const port = Number(url.slice(at + 1));
  if (at <= 0 || host === '' || !/^\d{1,5}$/.test(url.slice(at + 1)) || port < 1 || port > 65_535) {
    throw new RangeError(`${url} does not have the form host:port`);
  }
  return { host, port };
}

/** Why no connection to a server is possible; null if one is. */
export function hopeless(server: ElectrumServerEntry): string | null {
  try {
    addressOf(server);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
