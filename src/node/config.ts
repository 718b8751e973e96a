import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, numberText, parseJson } from '../primitives/json.ts';
import { nearest } from '../primitives/nearest.ts';
import { Secret } from '../primitives/secret.ts';
import type { Seconds } from '../primitives/time.ts';
import { invalidConfig } from './config-problem.ts';
import { DEVICE_MEMBER, type DeviceConfig, deviceConfigOf } from './device-config.ts';
import { fileFault } from './file-fault.ts';
import { NETWORK_MEMBERS, type NetworkConfig, networkConfigOf } from './network-config.ts';

/** How a trading node is configured: the members of the real node's `MM2.json` that take effect here. */
export type NodeConfig = {
  readonly passphrase: Secret<string>;
  /** Whether the passphrase is the words of BIP 39, and each coin has a key of its own. */
  readonly enableHd: boolean;
  /** What `userpass` must be. */
  readonly rpcPassword: Secret<string>;
  readonly rpcPort: number;
  /** Address to listen on. */
  readonly rpcIp: string;
  /** Whether only callers from this host may use more than the public methods. */
  readonly rpcLocalOnly: boolean;
  /** Origin whose pages may read answers; null for the default. */
  readonly rpcCors: string | null;
  /** A path, or the entries themselves. */
  readonly coins: JsonValue;
  /** Folder of all that the node keeps. */
  readonly dbdir: string;
  /** Whether it claims and refunds for takers of other nodes who are away. */
  readonly isWatcher: boolean;
  /** As a watcher, whether it acts too where the reward does not pay for the gas. */
  readonly watchesUnpaid: boolean;
  /** Whether watchers learn of its own swaps. */
  readonly useWatchers: boolean;
  /** Lock of the taker's payment of two ordinary coins, from which all others derive; null for the usual one. */
  readonly paymentLocktime: Seconds | null;
  /** Whether coins of accounts must name the contracts of the second trading protocol. Swaps are made by the first one either way. */
  readonly useTradingProtoV2: boolean;
  readonly network: NetworkConfig;
  readonly device: DeviceConfig;
  /** Members that have no effect. */
  readonly ignored: readonly string[];
};

/** Port of the real node. */
export const DEFAULT_RPC_PORT = 7783;

/** Name of the folder of the real node. */
const DEFAULT_DBDIR = 'DB';

/** Of the real node's members those that take effect, and those that nothing depends on. */
const KNOWN = new Set([
  'passphrase',
  'enable_hd',
  'rpc_password',
  'rpcport',
  'rpcip',
  'rpc_local_only',
  'rpccors',
  'coins',
  'dbdir',
  'is_watcher',
  'use_watchers',
  'watch_unpaid',
  'payment_locktime',
  'use_trading_proto_v2',
  'gui',
  DEVICE_MEMBER,
  ...NETWORK_MEMBERS,
]);

/** Members that would change what the node does with money or who may call it, and that are not built. */
const REFUSED = ['https', 'hd_account_id', 'wss_certs', 'p2p_in_memory'];

/** The member that was perhaps meant by one that has no effect. */
export function nearestMember(name: string): string | undefined {
  return nearest(name, [...KNOWN])[0];
}

/**
 * Reads a configuration file. Paths in it are relative to its folder. @throws NodeError NODE_CONFIG_INVALID
 *
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { readNodeConfig } from 'swapfold/node';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'node-'));
 * const path = join(folder, 'MM2.json');
 * await writeFile(path, '{"passphrase":"a phrase","rpc_password":"only I know","dbdir":"data"}');
 * const { rpcPort, dbdir } = await readNodeConfig(path);
 * [rpcPort, dbdir]; // → [7783, join(folder, 'data')]
 * await rm(folder, { recursive: true });
 * ```
 */
export async function readNodeConfig(path: string): Promise<NodeConfig> {
  let text: string | null = null;
  let content: JsonValue;
  try {
    text = await readFile(path, 'utf8');
    content = parseJson(text);
  } catch (error) {
    const next = 'Give a JSON file with the members of MM2.json; nothing was started.';
    throw invalidConfig({ file: path, fault: fileFault(error, text) }, next);
  }
  if (!isJsonObject(content)) throw invalidConfig({ file: path, fault: 'it is not an object' });
  const config = nodeConfigOf(content, path);
  const beside = (name: string): string => resolve(dirname(path), name);
  const { coins, dbdir } = config;
  return { ...config, coins: typeof coins === 'string' ? beside(coins) : coins, dbdir: beside(dbdir) };
}

/**
 * The same of a value. `path` is named in errors. @throws NodeError NODE_CONFIG_INVALID
 *
 * @example
 * ```ts
 * import { nodeConfigOf } from 'swapfold/node';
 *
 * const content = { passphrase: 'a phrase', rpc_password: 'only I know', rpcport: '7790' };
 * const config = nodeConfigOf({ ...content, netid: 8762, ispublic: true }, 'MM2.json');
 * [config.rpcPort, config.network.netid, config.ignored]; // → [7790, 8762, ['ispublic']]
 * String(config.rpcPassword); // → '[redacted]'
 * nodeConfigOf({ ...content, https: true }, 'MM2.json'); // throws NODE_CONFIG_INVALID
 * ```
 */
export function nodeConfigOf(content: JsonObject, path: string): NodeConfig {
  const text = (name: string): string | null => {
    const value = content[name] ?? null;
    if (value === null || typeof value === 'string') return value;
    throw invalidConfig({ file: path, member: name, expected: 'a text' });
  };
  const secret = (name: string): Secret<string> => {
    const value = text(name);
    if (value === null || value === '') throw invalidConfig({ file: path, member: name, expected: 'a non-empty text' });
    return new Secret(value);
  };
  for (const name of REFUSED) {
    if ((content[name] ?? false) !== false)
      throw invalidConfig({ file: path, member: name, fault: 'it is not supported' });
  }
  const { coins = 'coins' } = content;
  if (typeof coins !== 'string' && !Array.isArray(coins)) {
    throw invalidConfig({ file: path, member: 'coins', expected: 'a path or an array' });
  }
  const flag = (name: string, usual: boolean): boolean => {
    const value = content[name] ?? usual;
    if (typeof value === 'boolean') return value;
    throw invalidConfig({ file: path, member: name, expected: 'true or false' });
  };
  return {
    passphrase: secret('passphrase'),
    enableHd: flag('enable_hd', false),
    rpcPassword: secret('rpc_password'),
    rpcPort: portOf(content['rpcport'] ?? null, path),
    rpcIp: text('rpcip') ?? '127.0.0.1',
    rpcLocalOnly: flag('rpc_local_only', true),
    rpcCors: text('rpccors'),
    coins,
    dbdir: (text('dbdir') ?? '').trim() || DEFAULT_DBDIR,
    isWatcher: flag('is_watcher', false),
    watchesUnpaid: flag('watch_unpaid', false),
    useWatchers: flag('use_watchers', true),
    paymentLocktime: locktimeOf(content['payment_locktime'] ?? null, path),
    useTradingProtoV2: flag('use_trading_proto_v2', false),
    network: networkConfigOf(content, path),
    device: deviceConfigOf(content, path),
    ignored: Object.keys(content).filter((name) => !KNOWN.has(name) && !REFUSED.includes(name)),
  };
}

/** In less, no two nodes pay and look in time; a whole week is longer than any coin needs. */
const LOCKTIMES = { least: 30, most: 604_800 } as const;

/** The real node reads it where it was built for tests (`custom-swap-locktime`). */
function locktimeOf(value: JsonValue, path: string): Seconds | null {
  if (value === null) return null;
  const seconds = Number(numberText(value) ?? Number.NaN);
  if (Number.isInteger(seconds) && seconds >= LOCKTIMES.least && seconds <= LOCKTIMES.most) return seconds;
  const expected = `whole seconds, ${LOCKTIMES.least} to ${LOCKTIMES.most}`;
  throw invalidConfig({ file: path, member: 'payment_locktime', expected });
}

/** A number or its text; 0 for any that is free, and none of those that belong to the system. */
function portOf(value: JsonValue, path: string): number {
  if (value === null) return DEFAULT_RPC_PORT;
  const text = typeof value === 'string' ? value : numberText(value);
  const port = Number(text ?? Number.NaN);
  if (text !== undefined && /^\d{1,5}$/.test(text) && port <= 65_535 && (port === 0 || port > 1023)) return port;
  throw invalidConfig({ file: path, member: 'rpcport', expected: '0, or 1024 to 65535' });
}
