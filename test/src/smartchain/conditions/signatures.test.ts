import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { compressedKeyOf, isSignedBy, signHash } from '../../../../src/smartchain/conditions/signatures.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { bytesOf, hex, KEY, OTHER_KEY, SECRET } from './trees.ts';

type SignatureVector = {
  readonly txid: string;
  readonly privkey: string;
  readonly msg32: string;
  readonly signature: string;
};

describeShared('published condition signatures', () => {
  const { vectors } = JSON.parse(readShared('vectors/node/cc-signatures-rfc6979.json')) as {
    vectors: SignatureVector[];
  };

  it('are all there', () => {
    expect(vectors).toHaveLength(3);
  });

  it.each(vectors)('$txid is signed with the same bytes', ({ privkey, msg32, signature }) => {
    expect(bytesToHex(signHash(hex(msg32), hex(privkey)))).toBe(signature);
    const key = compressedKeyOf(hex(privkey));
    expect(isSignedBy(key, { hash: hex(msg32), signature: hex(signature) })).toBe(true);
  });
});

function withHighS(signature: Uint8Array): Uint8Array {
  const s = BigInt(`0x${bytesToHex(signature.subarray(32))}`);
  const high = (secp256k1.Point.CURVE().n - s).toString(16).padStart(64, '0');
  return Uint8Array.from([...signature.subarray(0, 32), ...hex(high)]);
}

describe('signatures', () => {
  it('are of one key and one hash, and have a low s', () => {
    fc.assert(
      fc.property(bytesOf(32), bytesOf(32), (hash, otherHash) => {
        fc.pre(bytesToHex(hash) !== bytesToHex(otherHash));
        const signature = signHash(hash, SECRET);
        expect(isSignedBy(KEY, { hash, signature })).toBe(true);
        expect(isSignedBy(OTHER_KEY, { hash, signature })).toBe(false);
        expect(isSignedBy(KEY, { hash: otherHash, signature })).toBe(false);
        expect(isSignedBy(KEY, { hash, signature: withHighS(signature) })).toBe(false);
        expect(secp256k1.verify(withHighS(signature), hash, KEY, { prehash: false, lowS: false })).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('of zeros, and keys that are no point, are refused and not thrown over', () => {
    const hash = new Uint8Array(32).fill(1);
    const signature = signHash(hash, SECRET);
    expect(isSignedBy(KEY, { hash, signature: new Uint8Array(64) })).toBe(false);
    expect(isSignedBy(KEY, { hash, signature: new Uint8Array(64).fill(255) })).toBe(false);
    expect(isSignedBy(new Uint8Array(33), { hash, signature })).toBe(false);
    expect(isSignedBy(new Uint8Array(33).fill(2), { hash, signature })).toBe(false);
    expect(isSignedBy(Uint8Array.from([4, ...KEY.subarray(1)]), { hash, signature })).toBe(false);
  });

  it.each([
    ['zero', new Uint8Array(32)],
    ['above the order', new Uint8Array(32).fill(255)],
    ['of 31 bytes', new Uint8Array(31).fill(1)],
  ])('need a secret key that is not %s', (_, secret) => {
    expect(() => compressedKeyOf(secret)).toThrow(expect.objectContaining({ code: 'SMARTCHAIN_KEY_INVALID' }));
  });
});
