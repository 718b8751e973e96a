import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openSqliteLog } from '../../src/log/sqlite/open.ts';
import type { SqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { record } from '../../src/testing/contracts/log/expect.ts';

/** What a log consists of on the disk. */
export const PARTS = ['', '-wal', '-shm'] as const;

export function copyParts(from: string, to: string): void {
  for (const part of PARTS) if (existsSync(from + part)) copyFileSync(from + part, to + part);
}

/** Every file of a folder with its bytes, to compare before and after. */
export function contentOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.toSorted().map((file) => [file, readFileSync(file).toString('base64')]));
}

/** Appends so many records, one a transaction, to a few streams in turn. */
export async function appendInTurn(
  log: SqliteLog,
  { from = 0, count, key = 'swap' }: { from?: number; count: number; key?: string },
) {
  for (let index = from; index < from + count; index++) {
    const stream = `taker-swap/${key}-${index % 5}`;
    const data = { key, index, filler: 'x'.repeat((index * 97) % 700) };
    await log.append({ stream, expected: Math.floor(index / 5), records: [record(`Step${index % 3}`, data)] });
  }
}

/**
 * Writes a log, as a killed process leaves it, to another name: so many records in the file, and more in the write-ahead log.
 *
 * @returns its records, as {@link recordsOf} gives them.
 */
export async function writeKilled(path: string, { inFile, inWal, to }: { inFile: number; inWal: number; to: string }) {
  const key = path.slice(path.lastIndexOf('/') + 1);
  const first = await openSqliteLog({ path });
  await appendInTurn(first, { count: inFile, key });
  await first.close();
  const second = await openSqliteLog({ path });
  await appendInTurn(second, { from: inFile, count: inWal, key });
  copyParts(path, to);
  const held = await recordsOf(second);
  await second.close();
  // SQLite removes these once the last statement on them is collected, at whatever moment that is.
  for (const part of ['-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
  return held;
}

/** The records of every stream that is not set apart, as JSON. */
export async function recordsOf(log: SqliteLog): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>();
  for (const { stream } of await log.find({})) held.set(stream, JSON.stringify(await log.read(stream)));
  return held;
}

/** Puts a durable log that an earlier release wrote into a folder: `log.db` was closed, `killed.db` was killed. */
export function unpackDurable(release: string, folder: string): void {
  const from = join(import.meta.dirname, '../replay/durable', release);
  for (const name of readdirSync(from)) {
    writeFileSync(join(folder, name.replace(/\.gz$/, '')), gunzipSync(readFileSync(join(from, name))));
  }
}
