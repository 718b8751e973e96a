import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { isValidSecretKey, publicKeyOf } from '../../../../src/smartchain/keys/secp256k1.ts';
import { secretKeyOfSeed } from '../../../../src/smartchain/keys/seed.ts';
import { encodeWif } from '../../../../src/smartchain/keys/wif.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';

// Answers of convertpassphrase, published in guides of two smart chains.
it.each([
  {
    seed: 'your long and secure seed generated with atomicDEX',
    secretKey: 'c88ec5711d611f4c2b53597352d60e58fa77e2ca0580386f71b7867147a5d250',
    publicKey: '03b22eeb6cf6408607fddd770abb2ba3bbb64b112a3c626a8e8ac5fb090287c710',
    address: 'RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb',
    wif: 'UvjQFXKynQ2LSMtXeWnHdE79mtXZ7nyGqKwStWxygSyg9EecvRLm',
  },
  {
    seed: 'can create your own keywords and generate privkey from these whenever needed',
    secretKey: '9005f5b2593ab3e662e1330ceca848d62fb2021165c6484ac7037cb4efc5317e',
    publicKey: '03a3c416d3bafe44448dcb3a56e5dd13db5cc3e6992051a61a2f5675b4796c0d7a',
    address: 'RCna416S62uNVAKMwRuFtmRH2X3xJuTidD',
    wif: 'UtqWJyhXjJWYigKyKCm5ML96LvSZFDfZrT2HYXAdGs8byZ3uCMzy',
  },
])('makes the published key of "$seed"', ({ seed, ...expected }) => {
  const secretKey = secretKeyOfSeed(seed);
  const publicKey = publicKeyOf(secretKey);
  expect({
    secretKey: bytesToHex(secretKey),
    publicKey: bytesToHex(publicKey),
    address: encodeAddress({ kind: 'key', hash: hash160(publicKey) }, PREFIXES.main),
    wif: encodeWif({ secretKey, compressed: true }, PREFIXES.main),
  }).toEqual(expected);
});

it('gives a private key for any text, white space and the empty text included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (seed) => {
      const key = secretKeyOfSeed(seed);
      expect(isValidSecretKey(key)).toBe(true);
      expect([(key[0] as number) & 7, (key[31] as number) & 192]).toEqual([0, 64]);
      expect(key.subarray(1, 31)).toEqual(sha256(new TextEncoder().encode(seed)).subarray(1, 31));
    }),
  );
});
