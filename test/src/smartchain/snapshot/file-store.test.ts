import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { snapshotFile } from '../../../../src/smartchain/snapshot/file-store.ts';
import { scratchFolder } from '../../../support/cli.ts';

const BYTES = Uint8Array.of(1, 2, 3);

function openStore(path: string) {
  const failures: unknown[] = [];
  return { store: snapshotFile(path, (error) => failures.push(error)), failures };
}

it('keeps the last bytes, for the owner alone, and leaves nothing beside them', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'X.snapshot');
  const { store, failures } = openStore(path);
  expect(await store.load()).toBeUndefined();
  await store.save(Uint8Array.of(9, 9, 9, 9));
  await store.save(BYTES);
  expect(await store.load()).toEqual(Buffer.from(BYTES));
  expect([readdirSync(scratch.path), statSync(path).mode & 0o777]).toEqual([['X.snapshot'], 0o600]);
  expect(failures).toEqual([]);
});

it('skips what a process left that was killed while it wrote', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'X.snapshot');
  const { store } = openStore(path);
  await store.save(BYTES);
  writeFileSync(`${path}.tmp`, 'half of');
  expect(await store.load()).toEqual(Buffer.from(BYTES));
  await store.save(BYTES);
  expect(readdirSync(scratch.path)).toEqual(['X.snapshot']);
});

it('reports what went wrong, and throws nothing: the log has everything', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'X.snapshot');
  const { store, failures } = openStore(path);
  mkdirSync(path);
  expect(await store.load()).toBeUndefined();
  await store.save(BYTES);
  expect(failures.map((error) => (error as { code: string }).code)).toEqual(['EISDIR', 'EISDIR']);
  expect(readdirSync(scratch.path)).toEqual(['X.snapshot']);
  const nowhere = openStore(join(scratch.path, 'none', 'X.snapshot'));
  await nowhere.store.save(BYTES);
  expect(nowhere.failures).toHaveLength(1);
});
