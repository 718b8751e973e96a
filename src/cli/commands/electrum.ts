import { readFile } from 'node:fs/promises';
import { connectDaemon, type DaemonAccess } from '../../chains/utxo/daemon/client.ts';
import { ActivationFailure } from '../../node/activation-failure.ts';
import { daemonOfConf } from '../../node/daemon-conf.ts';
import type { Certificate } from '../../rpc/electrum/certificate.ts';
import { type ElectrumServer, type ElectrumServerOptions, openElectrumServer } from '../../rpc/electrum/server.ts';
import { systemClock } from '../../runtime/host/clock-system.ts';
import { commandLogger } from '../command-logger.ts';
import { endOfProcess } from '../end-of-process.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { fitted } from '../render/fitted.ts';
import { clean, styleOf } from '../render/text.ts';
import { jsonLine } from '../rows.ts';
import { packageVersion } from '../version.ts';
import { said } from '../voice.ts';

export type ElectrumOptions = {
  readonly conf: string;
  readonly url?: string;
  readonly host: string;
  readonly port?: number;
  readonly tlsPort?: number;
  readonly wsPort?: number;
  readonly wssPort?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Milliseconds. */
  readonly poll: number;
  readonly json?: boolean;
};

/** Port of the protocol without encryption. */
const DEFAULT_PORT = 50_001;

/** `swapfold electrum`: a server of the Electrum protocol over a daemon, until a signal ends it. */
export async function electrumCommand({
  io,
  json = false,
  ...options
}: ElectrumOptions & { io: CliIo }): Promise<ExitCode> {
  const access = await daemonAccess(options);
  const ports = await portsOf(options);
  const ending = endOfProcess();
  const output = createOutput(io.stdout);
  try {
    const server = await openElectrumServer({
      client: connectDaemon(access),
      clock: systemClock(),
      logger: await commandLogger(io),
      software: `swapfold ${packageVersion()}`,
      host: options.host,
      pollMs: options.poll,
      ...ports,
    });
    try {
      await output.write(
        json ? jsonLine(rowOf(server)) : said(io, fitted(startedText(server, access), styleOf(io).columns)),
      );
      await output.flush();
      await ending.ended;
    } finally {
      await server.close();
    }
  } finally {
    ending.release();
  }
  return EXIT.ok;
}

async function daemonAccess({ conf, url }: Pick<ElectrumOptions, 'conf' | 'url'>): Promise<DaemonAccess> {
  if (url !== undefined && !isPlainUrl(url)) {
    throw new UsageError('The --url of the daemon must be such as http://127.0.0.1:7771, without user and password.');
  }
  try {
    return await daemonOfConf(conf, { url });
  } catch (error) {
    if (error instanceof ActivationFailure) throw new UsageError(clean(error.message));
    throw error;
  }
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

type Ports = Pick<ElectrumServerOptions, 'tcp' | 'tls' | 'ws' | 'wss'>;

async function portsOf(options: ElectrumOptions): Promise<Ports> {
  const { port, tlsPort, wsPort, wssPort } = options;
  const certificate = await certificateOf(options);
  const isElsewhere = [tlsPort, wsPort, wssPort].some((other) => other !== undefined);
  const tcp = port ?? (isElsewhere ? undefined : DEFAULT_PORT);
  return {
    ...(tcp === undefined ? {} : { tcp }),
    ...(wsPort === undefined ? {} : { ws: wsPort }),
    ...(tlsPort === undefined || certificate === null ? {} : { tls: { port: tlsPort, ...certificate } }),
    ...(wssPort === undefined || certificate === null ? {} : { wss: { port: wssPort, ...certificate } }),
  };
}

/** Null where no port is encrypted. */
async function certificateOf({ tlsPort, wssPort, tlsCert, tlsKey }: ElectrumOptions): Promise<Certificate | null> {
  const isWanted = tlsPort !== undefined || wssPort !== undefined;
  if (!isWanted && tlsCert === undefined && tlsKey === undefined) return null;
  if (!isWanted || tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('TLS needs --tls-port or --wss-port, --tls-cert and --tls-key together.');
  }
  return { cert: await readPem(tlsCert), key: await readPem(tlsKey) };
}

function readPem(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as { readonly code?: unknown };
    throw new UsageError(`The file ${clean(path)} cannot be read (${String(code)}).`);
  });
}

function rowOf({ host, tcpPort, tlsPort, wsPort, wssPort, tip }: ElectrumServer) {
  const { height, hash } = tip();
  return { host, tcp: tcpPort, tls: tlsPort, ws: wsPort, wss: wssPort, height, hash };
}

function startedText(server: ElectrumServer, { url }: DaemonAccess): string {
  const { host, tip } = server;
  const ports = { tcp: server.tcpPort, tls: server.tlsPort, ws: server.wsPort, wss: server.wssPort };
  const lines = [
    `The Electrum server listens on ${host}`,
    ...Object.entries(ports).flatMap(([name, port]) => (port === null ? [] : [`  ${name.padEnd(7)} ${port}`])),
    `  daemon  ${url}, height ${tip().height}`,
  ];
  return `${lines.map(clean).join('\n')}\n`;
}
