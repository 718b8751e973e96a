import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DaemonAccess } from '../chains/utxo/daemon/client.ts';
import { type JsonObject, numberText } from '../primitives/json.ts';
import { Secret } from '../primitives/secret.ts';
import { ActivationFailure } from './activation-failure.ts';

/**
 * How the daemon of a coin is reached: by the user, the password and the port of its own configuration file (as in the real node).
 *
 * @throws ActivationFailure daemonConf when the entry names no file, or the file lacks what is needed.
 */
export async function daemonOf(entry: JsonObject): Promise<DaemonAccess> {
  return daemonOfConf(confPath(entry), { port: numberText(entry['rpcport']) });
}

export type DaemonConfOptions = {
  /** Where the file names no port. */
  readonly port?: string | undefined;
  /** Where the daemon is, instead of a port of this host. */
  readonly url?: string | undefined;
};

/** The same of a conf file alone. @throws ActivationFailure daemonConf */
export async function daemonOfConf(path: string, options: DaemonConfOptions = {}): Promise<DaemonAccess> {
  const settings = await readSettings(path);
  const needed = (name: string): string => {
    const value = settings.get(name);
    if (value === undefined || value === '') {
      throw new ActivationFailure('daemonConf', `Conf file ${path} doesn't have the ${name} key`);
    }
    return value;
  };
  const user = needed('rpcuser');
  const password = new Secret(needed('rpcpassword'));
  if (options.url !== undefined) return { url: options.url, user, password };
  const port = settings.get('rpcport') ?? options.port;
  if (port === undefined || !/^\d{1,5}$/.test(port)) {
    throw new ActivationFailure(
      'daemonConf',
      'Rpc port is not set neither in `coins` file nor in native daemon config',
    );
  }
  if (Number(port) === 0 || Number(port) > 65_535) {
    const why = `Rpc port ${port} of conf file ${path} is not from 1 to 65535, so no daemon can listen on it`;
    throw new ActivationFailure('daemonConf', why);
  }
  return { url: `http://127.0.0.1:${port}`, user, password };
}

function confPath(entry: JsonObject): string {
  const { confpath, name, asset } = entry;
  if (typeof confpath === 'string') return confpath.replace(/^(?:~|USERHOME)(?=\/)/, homedir());
  if (typeof asset === 'string') return join(homedir(), '.komodo', asset, `${asset}.conf`);
  if (typeof name === 'string') return join(homedir(), `.${name}`, `${name}.conf`);
  throw new ActivationFailure('daemonConf', "'name' field is not found in config");
}

async function readSettings(path: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as { readonly code?: unknown };
    throw new ActivationFailure(
      'daemonConf',
      `Error parsing the native wallet configuration '${path}': ${code === 'ENOENT' ? 'No such file or directory' : String(code)}`,
    );
  });
  return settingsOf(text);
}

/** Sections of a conf file by the setting that chooses their chain. */
const CHAINS: ReadonlyMap<string, string> = new Map([
  ['regtest', 'regtest'],
  ['testnet', 'test'],
  ['signet', 'signet'],
]);

/** What stands above all sections counts, and behind it the section of the chain that the file chooses: those of others are about other daemons. */
function settingsOf(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, Map<string, string>>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const [bare = ''] = line.split('#', 1);
    section = /^\s*\[([^\]]*)\]\s*$/.exec(bare)?.[1] ?? section;
    const at = bare.indexOf('=');
    const name = bare.slice(0, Math.max(at, 0)).trim();
    const settings = sections.get(section) ?? new Map<string, string>();
    if (name !== '' && !settings.has(name)) settings.set(name, bare.slice(at + 1).trim());
    sections.set(section, settings);
  }
  const above = sections.get('') ?? new Map<string, string>();
  const chosen = [...CHAINS].find(([name]) => above.get(name) === '1')?.[1] ?? above.get('chain') ?? 'main';
  return new Map([...(sections.get(chosen) ?? []), ...above]);
}
