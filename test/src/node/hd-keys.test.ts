import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { keyAddress } from '../../../src/chains/utxo/address.ts';
import { keyPathOf } from '../../../src/node/coin-keys.ts';
import { walletOfWords } from '../../../src/node/hd-keys.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { Secret } from '../../../src/primitives/secret.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const BITCOIN = { keyPrefix: Uint8Array.of(0), scriptPrefix: Uint8Array.of(5), bech32: 'bc' };
const HASH = hexToBytes('5a'.repeat(32));

const open = (words: string) => walletOfWords(new Secret(words));
const addressAt = (path: string, kind: 'p2pkh' | 'p2wpkh') =>
  keyAddress(open(WORDS).ofPath(path).coins.key, { form: BITCOIN, kind });

describe('the keys of the words of BIP 39', () => {
  it.each([
    ["m/84'/0'/0'/0/0", 'p2wpkh', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ["m/84'/0'/0'/0/1", 'p2wpkh', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
    ["m/84'/0'/0'/1/0", 'p2wpkh', 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'],
    ["m/44'/0'/0'/0/0", 'p2pkh', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
  ] as const)('%s are those that BIP 84 and other wallets have', (path, kind, address) => {
    expect(addressAt(path, kind)).toBe(address);
  });

  it('has the chain of the second test vector of BIP 32 in the library beneath', () => {
    const seed =
      'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542';
    const node = HDKey.fromMasterSeed(hexToBytes(seed)).derive("m/0/2147483647'/1/2147483646'/2");
    expect(node.publicExtendedKey).toBe(
      'xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt',
    );
  });

  it('are known to others by the key above Komodo’s last account number, which is not hardened', () => {
    const { coins, ofPath } = open(WORDS);
    expect(bytesToHex(ofPath("m/44'/141'/2147483647/0/0").coins.key)).toBe(bytesToHex(coins.key));
    expect(bytesToHex(ofPath("m/44'/141'/2147483647'/0/0").coins.key)).not.toBe(bytesToHex(coins.key));
  });

  it('are the same for the same path, and for words with other blanks between them', () => {
    const wallet = open(WORDS);
    expect(wallet.ofPath("m/44'/0'/0'/0/0")).toBe(wallet.ofPath("m/44'/0'/0'/0/0"));
    expect(open(`  ${WORDS.replaceAll(' ', '  ')}\n`).coins.key).toEqual(wallet.coins.key);
  });

  it('show the public side of an account, whose addresses are those of its keys, until the wallet is closed', () => {
    const wallet = open(WORDS);
    const account = HDKey.fromExtendedKey(wallet.xpubAt("m/44'/60'/1'"));
    expect([account.privateKey, account.depth]).toEqual([null, 3]);
    expect(account.deriveChild(0).deriveChild(7).publicKey).toEqual(wallet.ofPath("m/44'/60'/1'/0/7").coins.key);
    expect(() => wallet.xpubAt('m')).toThrow(RangeError);
    wallet.close();
    expect(() => wallet.xpubAt("m/44'/60'/1'")).toThrow('the wallet is closed');
  });

  it('sign nothing once the wallet is closed, whichever they are', () => {
    const wallet = open(WORDS);
    const { coins } = wallet.ofPath("m/44'/0'/0'/0/0");
    expect(coins.sign(HASH)).toBeInstanceOf(Uint8Array);
    wallet.close();
    for (const signer of [coins, wallet.coins]) expect(() => signer.sign(HASH)).toThrow('The wallet is closed');
    expect(() => wallet.ofPath("m/44'/0'/0'/0/1")).toThrow();
  });

  it('appear nowhere', () => {
    const wallet = open(WORDS);
    wallet.ofPath("m/44'/0'/0'/0/0");
    const secret = HDKey.fromMasterSeed(new Uint8Array(64)).privateKey;
    expect(secret).not.toBeNull();
    expect(Object.keys(wallet.coins).sort()).toEqual(['key', 'sign']);
    expect(JSON.stringify(wallet)).not.toContain('abandon');
  });

  it.each([
    ['a word that is none', WORDS.replace('about', 'abuot')],
    ['a wrong checksum', 'abandon '.repeat(12).trim()],
    ['eleven words', 'abandon '.repeat(11).trim()],
    ['another seed phrase', 'a phrase that nobody else knows'],
    ['a key', `0x${'1'.padStart(64, '0')}`],
  ])('are not derived from %s, and the error does not show it', (_, words) => {
    let text = '';
    try {
      open(words);
    } catch (error) {
      expect(error).toMatchObject({ code: 'PASSPHRASE_INVALID', next: expect.stringContaining('enable_hd') });
      text = String(error);
    }
    expect(text).toContain('BIP 39');
    expect(text).not.toContain('abandon');
    expect(text).not.toContain(words);
  });
});

describe('the path of a coin’s key', () => {
  const ENTRY = { derivation_path: "m/44'/141'" };

  it.each([
    [{}, "m/44'/141'/0'/0/0"],
    [{ path_to_address: null }, "m/44'/141'/0'/0/0"],
    [{ path_to_address: { account_id: 7 } }, "m/44'/141'/7'/0/0"],
    [
      { path_to_address: { account_id: 1, chain: 'Internal', address_id: 2_147_483_647 } },
      "m/44'/141'/1'/1/2147483647",
    ],
    [{ path_to_address: { chain: 'External', address_id: 3 } }, "m/44'/141'/0'/0/3"],
  ])('of the request %o', (request, path) => {
    expect(keyPathOf(ENTRY, request)).toBe(path);
  });

  it.each([
    [{ path_to_address: 5 }, 'expected struct HDPathAccountToAddressId'],
    [{ path_to_address: { chain: 'internal' } }, 'unknown variant `internal`, expected `External` or `Internal`'],
    [{ path_to_address: { account_id: -1 } }, 'expected u32'],
    [{ path_to_address: { address_id: 2_147_483_648 } }, 'address_id 2147483648 is above 2147483647'],
  ])('is refused for the request %o', (request, text) => {
    expect(() => keyPathOf(ENTRY, request)).toThrow(text);
  });

  it.each([["m/45'/141'"], ["m/44/141'"], ["m/44'"], ["44'/141'"], [5]])('is refused under the path %s', (path) => {
    expect(() => keyPathOf({ derivation_path: path }, {})).toThrow('derivation_path');
  });
});
