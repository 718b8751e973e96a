import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { warningsOf } from '../../../../src/cli/serve/warnings.ts';
import { nodeLogPath } from '../../../../src/node/node-log.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-warnings-'));
  await writeFile(join(folder, 'MM2.json'), '{}', { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true }));

const keyOf = (byte: number) => new Uint8Array(33).fill(byte);
const warned = (byte = 2, useTradingProtoV2 = false) =>
  warningsOf({ conf: join(folder, 'MM2.json'), dbdir: join(folder, 'DB'), key: keyOf(byte), useTradingProtoV2 });
const known = (byte: number) =>
  mkdir(dirname(nodeLogPath({ dbdir: join(folder, 'DB'), key: keyOf(byte) })), { recursive: true });

describe('before a node is opened', () => {
  it('nothing is said of a file for its owner alone, and of a first wallet', async () => {
    expect(await warned()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o602])(
    'a configuration of mode %o is named, since it holds the passphrase',
    async (mode) => {
      await chmod(join(folder, 'MM2.json'), mode);
      expect(await warned()).toEqual([
        `other users of this host can open ${folder}/MM2.json, which holds the passphrase: chmod 600`,
      ]);
    },
  );

  it('names a new wallet beside others, since a mistyped phrase is another wallet', async () => {
    await known(3);
    await mkdir(join(folder, 'DB', 'notes'));
    expect(await warned()).toEqual([
      `this wallet is new in ${folder}/DB, where 1 other wallet was opened before: is the passphrase correct?`,
    ]);
    await known(4);
    expect((await warned())[0]).toContain('2 other wallets were opened before');
  });

  it('it is said that swaps are made by the first protocol though the second is configured', async () => {
    expect(await warned(2, true)).toEqual([expect.stringMatching(/^use_trading_proto_v2: .* use the first protocol$/)]);
  });

  it('a wallet that was there before is not', async () => {
    await known(3);
    await known(2);
    expect(await warned(2)).toEqual([]);
  });
});
