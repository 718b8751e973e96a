import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asFileError, FileError } from '../../log/file-error.ts';
import { writeFileAtomically } from '../../log/files/write-file.ts';
import type { Random } from '../../ports/clock.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { Secret } from '../../primitives/secret.ts';
import { SmartChainError } from '../../smartchain/error.ts';
import type { RpcCredentials } from './auth.ts';

/** Default port of the RPC. */
export const DEFAULT_RPC_PORT = 7771;

/** What a chain's conf file sets. */
export type ChainConf = RpcCredentials & {
  readonly port: number;
  /** Address to listen on: the first `rpcbind`. @defaultValue 127.0.0.1 */
  readonly bind: string;
  /** Every `rpcallowip`: addresses and subnets that may call besides loopback. */
  readonly allow: readonly string[];
  /** `rpcworkqueue`: maximum number of simultaneous requests. */
  readonly workQueue: number | undefined;
  /** Every other setting, by its name. */
  readonly others: ReadonlyMap<string, string>;
};

/** Path of a chain's conf file. */
export function confPath(folder: string, name: string): string {
  return join(folder, `${name}.conf`);
}

/**
 * Reads a conf file in the form of the smart-chain node: one `name=value` a line, `#` begins a remark wherever it stands, and of a name that stands
 * twice the first one counts. Undefined when there is none.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID without a user or a password, or for a port that is none; FileError
 * FILE_UNREADABLE.
 */
export async function readConf(path: string): Promise<ChainConf | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw asFileError(error, path);
  });
  return text === undefined ? undefined : parseConf(text, path);
}

export type NewConf = {
  readonly random: Random;
  /** @defaultValue {@link DEFAULT_RPC_PORT} */
  readonly port?: number;
  /** Other settings to keep in a new file. */
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * Reads a conf file, or makes it with a random password, readable for its owner alone, when there is none. @throws
 * SmartChainError as {@link readConf}; FileError FILE_UNWRITABLE
 */
export async function openConf(path: string, made: NewConf): Promise<ChainConf> {
  const found = await readConf(path);
  if (found !== undefined) return found;
  const text = newConf(made);
  try {
    await writeFileAtomically(path, text, { secrets: true });
  } catch (error) {
    // Another process made it at the same moment.
    const other = error instanceof FileError && error.code === 'FILE_EXISTS' ? await readConf(path) : undefined;
    if (other === undefined) throw error;
    return other;
  }
  return parseConf(text, path);
}

/**
 * Sets the port in a conf file and leaves everything else as it stands, so that clients of the real node find a chain that
 * listens on a port of the system's choice. @throws FileError FILE_NOT_FOUND, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function setConfPort(path: string, port: number): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw asFileError(error, path);
  });
  const set = PORT_LINE.test(text) ? text.replace(PORT_LINE, `$1${port}`) : withLine(text, `rpcport=${port}`);
  if (set !== text) await writeFileAtomically(path, set, { secrets: true, force: true });
}

const PORT_LINE = /^(\ufeff?[^\S\n]*rpcport[^\S\n]*=[^\S\n]*)\d*/m;

/** At the top of the file, outside of any section. */
function withLine(text: string, line: string): string {
  const rest = text.replace(/^\ufeff/, '');
  return `${text.slice(0, text.length - rest.length)}${line}\n${rest}`;
}

function newConf({ random, port = DEFAULT_RPC_PORT, settings = {} }: NewConf): string {
  const lines = [
    `rpcuser=user${bytesToHex(random.bytes(4))}`,
    `rpcpassword=pass${bytesToHex(random.bytes(32))}`,
    `rpcport=${port}`,
    'rpcbind=127.0.0.1',
    'rpcallowip=127.0.0.1',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

const KNOWN = new Set(['rpcuser', 'rpcpassword', 'rpcport', 'rpcbind', 'rpcallowip', 'rpcworkqueue']);

/** Reads the text of a conf file, see {@link readConf}. `path` is named in errors. */
export function parseConf(text: string, path: string): ChainConf {
  const settings = settingsOf(text);
  const first = (name: string): string | undefined => settings.get(name)?.[0];
  const needed = (name: string): string => first(name) || invalid(path, `${name} is not set`);
  const number = (name: string, most: number): number | undefined => {
    const value = first(name);
    if (value === undefined) return undefined;
    const inBounds = /^\d{1,9}$/.test(value) && Number(value) <= most;
    return inBounds ? Number(value) : invalid(path, `${name} is not a number up to ${most}`);
  };
  return {
    user: needed('rpcuser'),
    password: new Secret(needed('rpcpassword')),
    port: number('rpcport', 65_535) ?? DEFAULT_RPC_PORT,
    bind: first('rpcbind') ?? '127.0.0.1',
    allow: settings.get('rpcallowip') ?? [],
    workQueue: number('rpcworkqueue', 100_000),
    others: new Map([...settings].flatMap(([name, [value = '']]) => (KNOWN.has(name) ? [] : [[name, value]]))),
  };
}

function settingsOf(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const written of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const [line = ''] = written.split('#', 1);
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    if (name === '') continue;
    const values = settings.get(name) ?? [];
    values.push(line.slice(at + 1).trim());
    settings.set(name, values);
  }
  return settings;
}

function invalid(path: string, fault: string): never {
  throw new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'The conf file of the chain cannot be used.', {
    facts: { file: path, fault },
    next: 'Correct the file, or remove it: a new one with another password is then created.',
    retry: 'operator',
  });
}
