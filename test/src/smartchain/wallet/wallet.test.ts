import { expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { secretKeyOfSeed } from '../../../../src/smartchain/keys/seed.ts';
import { encodeWif } from '../../../../src/smartchain/keys/wif.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { keyOfHash } from '../../../../src/smartchain/wallet/keyring.ts';
import { openWallet, type WalletContent, type WalletStore } from '../../../../src/smartchain/wallet/wallet.ts';

const prefixes = PREFIXES.main;
const fixedRandom = () => {
  let next = 0;
  return { bytes: (length: number) => new Uint8Array(length).fill(next++) } as never;
};
const memoryStore = () => {
  const state: { content: WalletContent | undefined; saves: number; fails: boolean } = {
    content: undefined,
    saves: 0,
    fails: false,
  };
  const store: WalletStore = {
    load: async () => state.content,
    async save(content) {
      state.saves++;
      if (state.fails) throw new Error('the disk is full');
      state.content = content;
    },
  };
  return { state, store };
};
const keyOf = (seed: string) => ({ secretKey: secretKeyOfSeed(seed), compressed: true });

it('keys and watched owners are there again after the wallet is reopened', async () => {
  const { state, store } = memoryStore();
  const wallet = await openWallet({ prefixes, random: fixedRandom(), store });
  const added = await wallet.add(keyOf('a'));
  const made = await wallet.create();
  await wallet.watch('key:00');
  await wallet.watch('key:00');
  await wallet.add(keyOf('a'));
  expect(state.saves).toBe(3);
  // Thirty-two zeros are no key, so the next bytes are taken.
  expect(bytesToHex(made.secretKey)).toBe('01'.repeat(32));
  const again = await openWallet({ prefixes, random: fixedRandom(), store });
  expect([...again.ring.keys.values()].map(({ address }) => address)).toEqual([added.address, made.address]);
  expect([...again.ring.watched]).toEqual(['key:00']);
  expect(again.ownKey()).toBeUndefined();
});

it('a key whose saving failed is saved when it is added again', async () => {
  const { state, store } = memoryStore();
  const wallet = await openWallet({ prefixes, random: fixedRandom(), store });
  state.fails = true;
  await expect(wallet.add(keyOf('a'))).rejects.toThrow('the disk is full');
  await expect(wallet.watch('key:00')).rejects.toThrow('the disk is full');
  state.fails = false;
  await wallet.add(keyOf('a'));
  await wallet.watch('key:00');
  expect(state.content?.keys.length).toBe(1);
  expect(state.content?.watched).toEqual(['key:00']);
});

it('a key is not held before it is durable, and never when its saving failed', async () => {
  const { state, store } = memoryStore();
  const wallet = await openWallet({ prefixes, random: fixedRandom(), store });
  const adding = [wallet.create(), wallet.add(keyOf('a')), wallet.watch('key:00')];
  expect([wallet.ring.keys.size, wallet.ring.watched.size]).toEqual([0, 0]);
  await Promise.all(adding);
  expect([wallet.ring.keys.size, wallet.ring.watched.size]).toEqual([2, 1]);
  expect([state.content?.keys.length, state.content?.watched]).toEqual([2, ['key:00']]);
  state.fails = true;
  await Promise.allSettled([wallet.create(), wallet.watch('key:01')]);
  expect([wallet.ring.keys.size, wallet.ring.watched.size]).toEqual([2, 1]);
});

it('none of many keys that are added at once is lost', async () => {
  const { state, store } = memoryStore();
  const wallet = await openWallet({ prefixes, random: fixedRandom(), store });
  const names = Array.from({ length: 50 }, (_, index) => `key ${index}`);
  await Promise.all(names.map((name) => wallet.add(keyOf(name))));
  const again = await openWallet({ prefixes, random: fixedRandom(), store });
  expect(new Set(again.ring.keys.keys())).toEqual(new Set(wallet.ring.keys.keys()));
  expect(state.content?.keys.length).toBe(50);
});

it('adding the same key twice at once waits for it to be durable both times', async () => {
  const { state, store } = memoryStore();
  const wallet = await openWallet({ prefixes, random: fixedRandom(), store });
  await Promise.all([
    wallet.add(keyOf('a')),
    wallet.add(keyOf('a')).then(() => expect(state.content?.keys.length).toBe(1)),
  ]);
});

it('a private key with a typing error is no seed phrase, and is not repeated', async () => {
  const wif = encodeWif(keyOf('a'), prefixes);
  const wrong = `${wif.slice(0, 20)}${wif[20] === 'a' ? 'b' : 'a'}${wif.slice(21)}`;
  const opened = openWallet({ prefixes, random: fixedRandom(), seed: new Secret(wrong) });
  const error = await opened.then(
    () => undefined,
    (fault: Error) => fault,
  );
  expect(error?.message).toContain('looks like a private key');
  expect(error?.message).not.toContain(wrong.slice(5, 15));
});

it('the own key is that of a seed phrase, or of a key in the import format', async () => {
  const open = (text: string) => openWallet({ prefixes, random: fixedRandom(), seed: new Secret(text) });
  const wallet = await open('a');
  expect(wallet.ownKey()?.secretKey).toEqual(secretKeyOfSeed('a'));
  const wif = encodeWif(keyOf('b'), prefixes);
  expect((await open(wif)).ownKey()?.secretKey).toEqual(secretKeyOfSeed('b'));
  await expect(open('  ')).rejects.toMatchObject({ code: 'SMARTCHAIN_KEY_INVALID' });
  expect(keyOfHash(wallet.ring, new Uint8Array(20))).toBeUndefined();
});

it('a kept key of another network is refused, and the error does not show it', async () => {
  const { state, store } = memoryStore();
  const wif = encodeWif(keyOf('b'), PREFIXES.test);
  state.content = { keys: [new Secret(wif)], watched: [] };
  const error: unknown = await openWallet({ prefixes, random: fixedRandom(), store }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'SMARTCHAIN_KEY_INVALID' });
  expect(JSON.stringify(error) + String(error)).not.toContain(wif);
});
