import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { publicKeyOf } from '../../../../src/smartchain/keys/secp256k1.ts';
import { decodeWif, encodeWif, type WifKey } from '../../../../src/smartchain/keys/wif.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { BITCOIN_MAIN, BITCOIN_TEST } from '../bitcoin-prefixes.ts';

const { main, test } = PREFIXES;
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const key: fc.Arbitrary<WifKey> = fc.record({
  secretKey: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .filter((bytes) => bytes.some((byte) => byte > 0 && byte < 255)),
  compressed: fc.boolean(),
});

it('reads back what it wrote, only on its own network', () => {
  fc.assert(
    fc.property(key, (original) => {
      const text = encodeWif(original, main);
      expect(text).toMatch(original.compressed ? /^U/ : /^7/);
      expect(decodeWif(` ${text}\n`, main)).toEqual(original);
      expect(decodeWif(text, test)).toBeUndefined();
    }),
  );
});

it('refuses a text with any character replaced', () => {
  fc.assert(
    fc.property(key, fc.nat(50), fc.constantFrom(...'123ABCabcz0OIl'), (original, index, put) => {
      const text = encodeWif(original, main);
      fc.pre(text[index] !== put);
      expect(decodeWif(text.slice(0, index) + put + text.slice(index + 1), main)).toBeUndefined();
    }),
  );
});

it.each([
  ['zero', '00'.repeat(32)],
  ['the order of the curve', ORDER],
  ['more than the order', 'ff'.repeat(32)],
])('refuses %s as a private key, both ways', (_, hex) => {
  const secretKey = hexToBytes(hex);
  const text = createBase58check(sha256).encode(Uint8Array.of(188, ...secretKey, 1));
  expect(decodeWif(text, main)).toBeUndefined();
  expect(() => encodeWif({ secretKey, compressed: true }, main)).toThrow(/SMARTCHAIN_KEY_INVALID/);
});

it.each([
  ['31 bytes', [...new Array(31).fill(1)]],
  ['33 bytes that end with 2', [...new Array(32).fill(1), 2]],
  ['34 bytes', [...new Array(34).fill(1)]],
])('refuses %s', (_, payload) => {
  expect(decodeWif(createBase58check(sha256).encode(Uint8Array.of(188, ...payload)), main)).toBeUndefined();
});

it('reveals no secret in its error', () => {
  const secretKey = new Uint8Array(33).fill(0xab);
  expect(() => encodeWif({ secretKey, compressed: true }, main)).toThrow(
    expect.not.objectContaining({ message: expect.stringMatching(/abab|171/) }),
  );
});

type Row = { readonly wif: string; readonly pubkey: string; readonly address: string | null };
type KeyIo = [
  text: string,
  hex: string,
  about: { isPrivkey: boolean; isCompressed?: boolean; chain?: string; isTestnet?: boolean },
];

describeShared('published private keys', () => {
  const { wif, pubkeyAddress } = JSON.parse(readShared('vectors/node/keys-wif.json')) as {
    wif: Row[];
    pubkeyAddress: { pubkey: string; address: string }[];
  };

  it.each(wif)('$pubkey', (row) => {
    const decoded = decodeWif(row.wif, main) as WifKey;
    expect(decoded.compressed).toBe(true);
    const publicKey = publicKeyOf(decoded.secretKey);
    expect(bytesToHex(publicKey)).toBe(row.pubkey);
    if (row.address !== null) expect(encodeAddress({ kind: 'key', hash: hash160(publicKey) }, main)).toBe(row.address);
    expect(encodeWif(decoded, main)).toBe(row.wif);
  });

  it.each(pubkeyAddress)('$address belongs to $pubkey', ({ pubkey, address }) => {
    expect(encodeAddress({ kind: 'key', hash: hash160(hexToBytes(pubkey)) }, main)).toBe(address);
  });

  it('of Bitcoin Core, also under the prefixes of the smart chain', () => {
    const keyIo = JSON.parse(readShared('vectors/node/bitcoin-key_io-valid.json')) as {
      vectors: KeyIo[];
      komodo: KeyIo[];
    };
    const classic = JSON.parse(readShared('vectors/node/bitcoin-base58-keys.json')) as { valid: KeyIo[] };
    const zcash = JSON.parse(readShared('vectors/node/node-base58-keys-zcash.json')) as { valid: KeyIo[] };
    const rows = [keyIo.vectors, keyIo.komodo, classic.valid, zcash.valid]
      .flat()
      .filter(([, , about]) => about.isPrivkey);
    expect(rows).toHaveLength(27 + 12 + 24 + 24);
    for (const [text, hex, { isCompressed, chain, isTestnet }] of rows) {
      const onMain = chain === 'main' || chain === 'mainnet' || isTestnet === false;
      const prefixes = chain === 'komodo-main' ? main : onMain ? BITCOIN_MAIN : BITCOIN_TEST;
      expect(decodeWif(text, prefixes), text).toEqual({ secretKey: hexToBytes(hex), compressed: isCompressed });
      expect(encodeWif({ secretKey: hexToBytes(hex), compressed: isCompressed === true }, prefixes)).toBe(text);
      if (prefixes !== main) expect(decodeWif(text, main)).toBeUndefined();
    }
  });
});
