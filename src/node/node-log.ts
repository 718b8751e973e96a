import { join } from 'node:path';
import { makeFolder } from '../log/files/make-folder.ts';
import { openSqliteLog, type SqliteLog } from '../log/sqlite/index.ts';
import { hash160 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { NodeError } from './error.ts';

const LOG_NAME = 'swapfold.db';

export type NodeLogOptions = {
  /** The folder of all wallets' data, as `dbdir` of the configuration names it. */
  readonly dbdir: string;
  /** Public key of the wallet, 33 bytes. */
  readonly key: Uint8Array;
};

/** Where the log of a wallet's swaps is: in a folder of its own, named by the hash of its key, as with the real node. */
export function nodeLogPath({ dbdir, key }: NodeLogOptions): string {
  return join(dbdir, bytesToHex(hash160(key)), LOG_NAME);
}

/**
 * Opens the log of a node. It creates a missing folder, for this user alone.
 *
 * @throws NodeError NODE_FOLDER; LogError LOG_LOCKED while another node has it open, and the other errors of a log in a file.
 */
export async function openNodeLog(options: NodeLogOptions): Promise<SqliteLog> {
  const path = nodeLogPath(options);
  const folder = join(path, '..');
  try {
    await makeFolder(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    throw new NodeError('The folder of the node cannot be created.', {
      code: 'NODE_FOLDER',
      facts: { folder, reason: String(code) },
      next: 'Make sure that this user may write there, or name another folder as `dbdir`.',
      retry: 'operator',
    });
  }
  return openSqliteLog({ path });
}
