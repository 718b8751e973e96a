import { base58 } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { decodeBase58Check, encodeBase58Check } from '../../../../src/smartchain/encoding/base58check.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

it('puts the start of the double hash behind the payload', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (payload) => {
      const whole = base58.decode(encodeBase58Check(payload));
      expect(bytesToHex(whole)).toBe(bytesToHex(payload) + bytesToHex(hash256(payload)).slice(0, 8));
      expect(decodeBase58Check(encodeBase58Check(payload))).toEqual(payload);
    }),
  );
});

it('refuses less than a checksum, and more than 128 characters', () => {
  for (const text of ['', '1', '111', 'x y']) expect(decodeBase58Check(text)).toBeUndefined();
  const payloads = [0, 1, 255].flatMap((byte) =>
    Array.from({ length: 140 }, (_, size) => new Uint8Array(size).fill(byte)),
  );
  const lengths = payloads.map((payload) => {
    const text = encodeBase58Check(payload);
    expect(decodeBase58Check(text)).toEqual(text.length <= 128 ? payload : undefined);
    return text.length;
  });
  expect(lengths).toEqual(expect.arrayContaining([128, 129]));
});

describeShared('base58 of Bitcoin Core', () => {
  const { vectors } = JSON.parse(readShared('vectors/node/base58-encode-decode.json')) as {
    vectors: [string, string][];
  };

  // Plain base58, without a checksum: the package's alphabet and arithmetic, on which the checked form stands.
  it.each(vectors)('%s is %s', (hex, text) => {
    expect(base58.encode(hexToBytes(hex))).toBe(text);
    expect(bytesToHex(base58.decode(text))).toBe(hex);
  });
});
