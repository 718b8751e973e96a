import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { systemRandom } from '../../../../src/runtime/host/random-system.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { walletFile } from '../../../../src/smartchain/wallet/file-store.ts';
import { openWallet, type WalletContent } from '../../../../src/smartchain/wallet/wallet.ts';
import { scratchFolder } from '../../../support/cli.ts';

const HIDDEN = 'UveryPrivateKeyOfSomebody';

const plain = (content: WalletContent | undefined) =>
  content && { keys: content.keys.map((key) => key.reveal()), watched: content.watched };

describe('a wallet file', () => {
  it('gives back what was saved, whatever it was', async () => {
    using scratch = scratchFolder();
    const store = walletFile(scratch.file('deep/wallet.json'));
    expect(await store.load()).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.array(fc.string()), async (keys, watched) => {
        await store.save({ keys: keys.map((key) => new Secret(key)), watched });
        expect(plain(await store.load())).toEqual({ keys, watched });
      }),
      { numRuns: 20 },
    );
  });

  it('is for its owner alone, and nothing else is left beside it', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('wallet.json');
    await walletFile(path).save({ keys: [new Secret(HIDDEN)], watched: [] });
    await walletFile(path).save({ keys: [new Secret(HIDDEN)], watched: ['x'] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(scratch.path)).toEqual(['wallet.json']);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"keys":[],"watched":[]}',
    `{"version":1,"keys":["${HIDDEN}"]}`,
    `{"version":1,"keys":["${HIDDEN}"],"watched":[1]}`,
    `{"version":1,"keys":["${HIDDEN}"],"watched":[],"more":1}`,
  ])('with %s in it is refused without a word of it, and left alone', async (text) => {
    using scratch = scratchFolder({ 'wallet.json': text });
    const path = scratch.file('wallet.json');
    const error = await walletFile(path)
      .load()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SMARTCHAIN_WALLET_UNREADABLE', retry: 'operator' });
    expect(String(error)).not.toContain(HIDDEN);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('that cannot be written leaves the old one, and no half of a new one', async () => {
    using scratch = scratchFolder();
    const path = scratch.file('wallet.json');
    // A folder stands where the file should be.
    mkdirSync(path);
    writeFileSync(`${path}/kept`, '');
    const error = await walletFile(path)
      .save({ keys: [new Secret(HIDDEN)], watched: [] })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SMARTCHAIN_WALLET_UNWRITABLE' });
    expect(String(error)).not.toContain(HIDDEN);
    expect(readdirSync(scratch.path)).toEqual(['wallet.json']);
    await expect(walletFile(path).load()).rejects.toMatchObject({ code: 'SMARTCHAIN_WALLET_UNREADABLE' });
    chmodSync(path, 0o700);
  });

  it('keeps the keys of a wallet for the next time', async () => {
    using scratch = scratchFolder();
    const store = walletFile(scratch.file('wallet.json'));
    const open = () => openWallet({ prefixes: PREFIXES.main, random: systemRandom, store });
    const first = await open();
    const made = await Promise.all([first.create(), first.create(), first.create()]);
    await first.watch('key:00');
    const again = await open();
    expect([...again.ring.keys.values()].map(({ address }) => address).toSorted()).toEqual(
      made.map(({ address }) => address).toSorted(),
    );
    expect([...again.ring.watched]).toEqual(['key:00']);
  });
});
