import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { encodeBase58Check } from '../../../../src/smartchain/encoding/base58check.ts';
import {
  decodeShieldedAddress,
  type ShieldedAddress,
  shieldedAddressFields,
} from '../../../../src/smartchain/encoding/shielded-address.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const { main, test, regtest } = PREFIXES;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

it('holds the parts in the order of the address', () => {
  fc.assert(
    fc.property(bytes(64), bytes(43), (sprout, sapling) => {
      expect(decodeShieldedAddress(encodeBase58Check(Uint8Array.of(22, 154, ...sprout)), main)).toEqual({
        type: 'sprout',
        payingKey: sprout.slice(0, 32),
        transmissionKey: sprout.slice(32),
      });
      for (const prefixes of [main, test, regtest]) {
        const text = bech32.encode(prefixes.sapling, bech32.toWords(sapling), 100);
        const expected = {
          type: 'sapling',
          diversifier: sapling.slice(0, 11),
          diversifiedTransmissionKey: sapling.slice(11),
        };
        expect(decodeShieldedAddress(text, prefixes)).toEqual(expected);
        expect(decodeShieldedAddress(text.toUpperCase(), prefixes)).toEqual(expected);
      }
    }),
  );
});

it('accepts white space around a Sprout address, and none around a Sapling one', () => {
  const sprout = encodeBase58Check(Uint8Array.of(22, 154, ...new Uint8Array(64)));
  const sapling = bech32.encode('zs', bech32.toWords(new Uint8Array(43)));
  expect(decodeShieldedAddress(` ${sprout}\n`, main)).toEqual(decodeShieldedAddress(sprout, main));
  expect(decodeShieldedAddress(sprout, main)).toBeDefined();
  for (const text of [` ${sapling}`, `${sapling} `, ` ${sapling.slice(0, -1)}`]) {
    expect(decodeShieldedAddress(text, main)).toBeUndefined();
  }
});

it('refuses a Sapling address in mixed case, with another checksum, other bits at its end or another length', () => {
  const words = bech32.toWords(new Uint8Array(43));
  const text = bech32.encode('zs', words);
  expect(decodeShieldedAddress(text, main)).toBeDefined();
  expect(decodeShieldedAddress(`Z${text.slice(1)}`, main)).toBeUndefined();
  expect(decodeShieldedAddress(bech32m.encode('zs', words), main)).toBeUndefined();
  expect(decodeShieldedAddress(bech32.encode('zs', [...words.slice(0, -1), 1]), main)).toBeUndefined();
  expect(decodeShieldedAddress(bech32.encode('zs', words.slice(1)), main)).toBeUndefined();
  expect(decodeShieldedAddress(bech32.encode('zs', [...words, 0]), main)).toBeUndefined();
  expect(decodeShieldedAddress(bech32.encode('zt', words), main)).toBeUndefined();
});

it('refuses any one character replaced', () => {
  const sapling = bech32.encode('zs', bech32.toWords(new Uint8Array(43).fill(7)));
  const sprout = encodeBase58Check(Uint8Array.of(22, 154, ...new Uint8Array(64).fill(7)));
  fc.assert(
    fc.property(
      fc.constantFrom(sapling, sprout),
      fc.nat(94),
      fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l1Zb'),
      (text, at, put) => {
        fc.pre(at < text.length && text[at] !== put);
        expect(decodeShieldedAddress(text.slice(0, at) + put + text.slice(at + 1), main)).toBeUndefined();
      },
    ),
  );
});

type Row = {
  readonly request: string;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly decoded?: Record<string, unknown>;
};

describeShared('published shielded addresses', () => {
  const file = JSON.parse(readShared('vectors/node/z_validateaddress.json')) as {
    positive: Row[];
    negative: Row[];
    docSample: { request: string; response: { address: string; payingkey: string; transmissionkey: string } };
  };

  it.each(file.positive)('$request', ({ request, expected, decoded }) => {
    const address = decodeShieldedAddress(request, main) as ShieldedAddress;
    expect(address.type).toBe(expected['type']);
    const {
      isvalid,
      address: echoed,
      type,
      ismine,
      ...fields
    } = { ...decoded, ...expected } as Record<string, unknown>;
    const { prefix, len, ...named } = fields;
    expect(shieldedAddressFields(address)).toEqual(named);
    expect([isvalid, typeof ismine, type]).toEqual([true, 'boolean', address.type]);
    expect([undefined, request]).toContain(echoed);
  });

  it('print their fields in the order of the node', () => {
    const [sprout, sapling] = file.positive.map(
      ({ request }) => decodeShieldedAddress(request, main) as ShieldedAddress,
    );
    expect(Object.keys(shieldedAddressFields(sprout as ShieldedAddress))).toEqual(['payingkey', 'transmissionkey']);
    expect(Object.keys(shieldedAddressFields(sapling as ShieldedAddress))).toEqual([
      'diversifier',
      'diversifiedtransmissionkey',
    ]);
  });

  it.each(file.negative)('$request is refused', ({ request }) => {
    expect(decodeShieldedAddress(request, main)).toBeUndefined();
  });

  // The sample answers for another address than it asks for, one of the regression-test network; the fields are that one's.
  it('the sample of the documentation holds under the prefixes of its answer', () => {
    const { address, payingkey, transmissionkey } = file.docSample.response;
    const decoded = decodeShieldedAddress(address, regtest) as ShieldedAddress;
    expect(shieldedAddressFields(decoded)).toEqual({ payingkey, transmissionkey });
    expect(decodeShieldedAddress(address, main)).toBeUndefined();
  });
});

it('prints keys last byte first', () => {
  const payingKey = hexToBytes(`01${'00'.repeat(31)}`);
  const fields = shieldedAddressFields({ type: 'sprout', payingKey, transmissionKey: payingKey });
  expect(fields['payingkey']).toBe(`${'00'.repeat(31)}01`);
  expect(payingKey[0]).toBe(1);
});
