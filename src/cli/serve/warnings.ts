import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { nodeLogPath } from '../../node/node-log.ts';

export type Opened = {
  /** Path of the configuration file. */
  readonly conf: string;
  readonly dbdir: string;
  /** Public key of the wallet, 33 bytes. */
  readonly key: Uint8Array;
  readonly useTradingProtoV2: boolean;
};

/** What an operator should hear before a node is opened: nothing of it keeps the node from starting. Asked before the log is opened. */
export async function warningsOf({ conf, dbdir, key, useTradingProtoV2 }: Opened): Promise<readonly string[]> {
  const others = await othersBeside(basename(dirname(nodeLogPath({ dbdir, key }))), dbdir);
  const count = others === 1 ? '1 other wallet was' : `${others} other wallets were`;
  return [
    ...((await isForOthers(conf))
      ? [`other users of this host can open ${conf}, which holds the passphrase: chmod 600`]
      : []),
    ...(useTradingProtoV2
      ? ['use_trading_proto_v2: swap_v2_contracts are required and checked, but swaps use the first protocol']
      : []),
    ...(others === 0
      ? []
      : [`this wallet is new in ${dbdir}, where ${count} opened before: is the passphrase correct?`]),
  ];
}

/** Windows tells nothing of the kind in the mode. */
async function isForOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const found = await stat(path).catch(() => null);
  return found !== null && (found.mode & 0o077) !== 0;
}

/** How many other wallets have a folder there, where this one has none yet; a mistyped phrase is another wallet. */
async function othersBeside(own: string, dbdir: string): Promise<number> {
  const names = await readdir(dbdir).catch((): string[] => []);
  return names.includes(own) ? 0 : names.filter((name) => /^[0-9a-f]{40}$/.test(name)).length;
}
