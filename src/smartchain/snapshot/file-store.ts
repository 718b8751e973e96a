import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SnapshotStore } from './store.ts';

const OWNER_ONLY = 0o600;

/**
 * A snapshot in a file. It is replaced atomically: after a crash the file holds the previous or the new snapshot. `onFailure` is told of failures;
 * the chain continues without a snapshot.
 *
 * @example
 * ```ts
 * import { mkdtemp, readdir, rm } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { snapshotFile } from 'swapfold/smartchain';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
 * const failures: unknown[] = [];
 * const snapshots = snapshotFile(join(folder, 'KITE.snapshot'), (error) => failures.push(error));
 * await snapshots.load(); // → undefined
 * await snapshots.save(Uint8Array.of(1, 2, 3));
 * [await readdir(folder), (await snapshots.load())?.length, failures]; // → [['KITE.snapshot'], 3, []]
 * await rm(folder, { recursive: true });
 * ```
 */
export function snapshotFile(path: string, onFailure: (error: unknown) => void): SnapshotStore {
  return {
    load: () => readFile(path).catch((error: unknown) => unlessMissing(error, onFailure)),
    save: (bytes) => save(path, bytes).catch(onFailure),
  };
}

function unlessMissing(error: unknown, onFailure: (error: unknown) => void): undefined {
  if ((error as { readonly code?: unknown }).code !== 'ENOENT') onFailure(error);
  return undefined;
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  // The writer holds the log's lock, so it is alone; leftovers of a killed process are overwritten.
  const temporary = `${path}.tmp`;
  try {
    const handle = await open(temporary, 'w', OWNER_ONLY);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  // Makes the rename durable, if the system can: Windows cannot open folders.
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
