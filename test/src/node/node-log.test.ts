import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeLogPath, openNodeLog } from '../../../src/node/node-log.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';

// The key of the passphrase `passphrase`, and the folder that the real node makes for it.
const KEY = hexToBytes('03bc2c7ba671bae4a6fc835244c9762b41647b9827d4780a89a949b984a8ddcc06');
const FOLDER = 'ca1e04745e8ca0c60d8c5881531d51bec470743f';

describe('the folder of a node', () => {
  it('is named by the hash of the wallet’s key, so that wallets never share a log', () => {
    expect(nodeLogPath({ dbdir: '/var/DB', key: KEY })).toBe(`/var/DB/${FOLDER}/swapfold.db`);
  });

  it('is made for this user alone', async () => {
    const dbdir = join(mkdtempSync(join(tmpdir(), 'swapfold-folder-')), 'deep', 'DB');
    const log = await openNodeLog({ dbdir, key: KEY });
    await log.close();
    expect(statSync(join(dbdir, FOLDER)).mode & 0o777).toBe(0o700);
  });

  it('belongs to one node at a time', async () => {
    const dbdir = mkdtempSync(join(tmpdir(), 'swapfold-folder-'));
    const log = await openNodeLog({ dbdir, key: KEY });
    await expect(openNodeLog({ dbdir, key: KEY })).rejects.toMatchObject({ code: 'LOG_LOCKED' });
    await log.close();
    await (await openNodeLog({ dbdir, key: KEY })).close();
  });

  it('is named if it cannot be created', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'swapfold-folder-')), 'file');
    writeFileSync(file, '');
    await expect(openNodeLog({ dbdir: file, key: KEY })).rejects.toMatchObject({
      code: 'NODE_FOLDER',
      facts: { folder: join(file, FOLDER), reason: 'ENOTDIR' },
    });
  });
});
