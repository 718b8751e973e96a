import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { encodeAddress } from '../../../../src/smartchain/encoding/address.ts';
import { messageHash, signMessage, verifyMessage } from '../../../../src/smartchain/keys/message.ts';
import { publicKeyOf } from '../../../../src/smartchain/keys/secp256k1.ts';
import { decodeWif } from '../../../../src/smartchain/keys/wif.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const prefixes = PREFIXES.main;
const secretKey = new Uint8Array(32).fill(7);
const addressOf = (compressed: boolean) =>
  encodeAddress({ kind: 'key', hash: hash160(publicKeyOf(secretKey, compressed)) }, prefixes);

it('verifies what was signed, for the address in the form of key signed with', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.boolean(), (message, compressed) => {
      const signature = signMessage({ secretKey, compressed, message });
      expect(verifyMessage({ address: addressOf(compressed), signature, message, prefixes })).toBe('true');
      expect(verifyMessage({ address: addressOf(!compressed), signature, message, prefixes })).toBe('false');
      expect(verifyMessage({ address: addressOf(compressed), signature, message: `${message} `, prefixes })).toBe(
        'false',
      );
    }),
    { numRuns: 25 },
  );
});

it('signs for another family of chains with its text, and neither verifies for the other', () => {
  const magic = 'Bitcoin Signed Message:\n';
  const given = { address: addressOf(true), message: 'm', prefixes };
  const own = signMessage({ secretKey, compressed: true, message: 'm' });
  const other = signMessage({ secretKey, compressed: true, message: 'm', magic });
  expect(verifyMessage({ ...given, signature: other, magic })).toBe('true');
  expect(verifyMessage({ ...given, signature: other })).toBe('false');
  expect(verifyMessage({ ...given, signature: own, magic })).toBe('false');
});

it('refuses a signature with any bit changed, other than the header bits that say nothing', () => {
  const signature = Uint8Array.from(atob(signMessage({ secretKey, compressed: true, message: 'm' })), (c) =>
    c.charCodeAt(0),
  );
  fc.assert(
    fc.property(fc.nat(64), fc.nat(7), (index, bit) => {
      const altered = signature.slice();
      altered[index] = (altered[index] as number) ^ (1 << bit);
      // 27 to 34 are eight headers in a row; adding eight means the same.
      const same = index === 0 && (((altered[0] as number) - (signature[0] as number)) & 7) === 0;
      expect(verdictOf(altered)).toBe(same ? 'true' : 'false');
    }),
    { numRuns: 60 },
  );
  expect(verdictOf(Uint8Array.of((signature[0] as number) - 8, ...signature.subarray(1)))).toBe('true');

  function verdictOf(bytes: Uint8Array): string {
    const text = btoa(String.fromCharCode(...bytes));
    return verifyMessage({ address: addressOf(true), signature: text, message: 'm', prefixes });
  }
});

it('finds faults in the order of the address, its kind, the base64, the rest', () => {
  const script = encodeAddress({ kind: 'script', hash: new Uint8Array(20) }, prefixes);
  const verdict = (address: string, signature: string) => verifyMessage({ address, signature, message: 'm', prefixes });
  expect(verdict('no address', '!!!')).toBe('addressInvalid');
  expect(verdict(script, '!!!')).toBe('addressNotKey');
  expect(verdict(addressOf(true), '!!!')).toBe('malformed');
  expect(verdict(addressOf(true), '')).toBe('false');
});

it.each([
  'A',
  'AA',
  'AAA',
  'AAA=A',
  'AB==',
  'AAB=',
  'AA==AA==',
  '====',
  'A===',
  'AAAA====',
  'AAAA\n',
  ' AAAA',
  'AA A',
  'AA-_',
])('calls %j malformed', (signature) => {
  expect(verifyMessage({ address: addressOf(true), signature, message: 'm', prefixes })).toBe('malformed');
});

it.each(['00', 'ff'])('finds no signer where r and s hold %s throughout', (byte) => {
  const signature = btoa(String.fromCharCode(31, ...hexToBytes(byte.repeat(64))));
  expect(verifyMessage({ address: addressOf(true), signature, message: 'm', prefixes })).toBe('false');
});

type Row = { readonly address: string; readonly message: string; readonly signature: string };
type Answer = { readonly expected?: boolean; readonly expectedError?: { readonly message: string } };
type Made = Row & {
  readonly wif: string;
  readonly privkey: string;
  readonly compressed: boolean;
  readonly messageHash: string;
};

describeShared('recorded messages', () => {
  const file = JSON.parse(readShared('vectors/node/messages.json')) as {
    published: (Row & Answer)[];
    negative: (Row & Answer)[];
    generated: Made[];
  };
  const texts = {
    true: true,
    false: false,
    malformed: 'Malformed base64 encoding',
    addressInvalid: 'Invalid address',
    addressNotKey: 'Address does not refer to key',
  };

  it.each([...file.published, ...file.negative])('$address says $message: $signature', (row) => {
    expect(texts[verifyMessage({ ...row, prefixes })]).toBe(row.expected ?? row.expectedError?.message);
  });

  it('made for the file are signed alike, bit for bit', () => {
    expect(file.generated.length).toBeGreaterThan(10);
    for (const row of file.generated) {
      expect(bytesToHex(messageHash(row.message))).toBe(row.messageHash);
      const key = decodeWif(row.wif, prefixes);
      expect(key).toEqual({ secretKey: hexToBytes(row.privkey), compressed: row.compressed });
      expect(
        signMessage({ secretKey: hexToBytes(row.privkey), compressed: row.compressed, message: row.message }),
      ).toBe(row.signature);
      expect(verifyMessage({ ...row, prefixes })).toBe('true');
    }
  });
});
