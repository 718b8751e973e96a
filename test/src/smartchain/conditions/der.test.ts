import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteReader } from '../../../../src/htlc/byte-reader.ts';
import {
  bitSetBytes,
  compareBytes,
  derElement,
  MAX_UNSIGNED,
  readBitSet,
  readElement,
  readUnsigned,
  setBytes,
  unsignedBytes,
} from '../../../../src/smartchain/conditions/der.ts';
import { bytesOf, hex } from './trees.ts';

describe('DER elements', () => {
  it.each([
    [0, '30 00'],
    [127, '30 7f'],
    [128, '30 81 80'],
    [255, '30 81 ff'],
    [256, '30 82 01 00'],
    [65535, '30 82 ff ff'],
    [65536, '30 83 01 00 00'],
  ])('%i bytes of content have the head %s', (length, head) => {
    const expected = hex(head.replaceAll(' ', ''));
    expect(derElement(0x30, new Uint8Array(length)).subarray(0, -length || undefined)).toEqual(expected);
  });

  it('refuses to write more than three bytes of length can say', () => {
    expect(() => derElement(0x30, new Uint8Array(0x100_0000))).toThrow(RangeError);
  });

  it('reads back what it wrote, up to the longest script', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(300), fc.nat(10_000)), (length) => {
        const reader = byteReader(derElement(0x81, new Uint8Array(length)));
        expect(readElement(reader, 0x81).length).toBe(length);
        expect(reader).toMatchObject({ problem: undefined, offset: reader.bytes.length });
      }),
    );
  });

  it.each([
    ['another tag', '8000'],
    ['a length in a longer form than needed', '81817f'],
    ['a length of two bytes where one does', '818200ff'],
    ['an open length', '8180'],
    ['a length of three bytes', '8183000001aa'],
    ['content that ends too early', '8102aa'],
    ['no length', '81'],
    ['nothing', ''],
  ])('refuses %s', (_, bytes) => {
    const reader = byteReader(hex(bytes));
    readElement(reader, 0x81);
    expect(reader.problem).toBeDefined();
  });
});

describe('DER numbers', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '0080'],
    [131072, '020000'],
    [1048576, '100000'],
    [0x00ff_ffff, '00ffffff'],
    [MAX_UNSIGNED, '00ffffffff'],
  ])('%i is written as %s', (value, bytes) => {
    expect(unsignedBytes(value)).toEqual(hex(bytes));
  });

  it('reads back every number of four bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_UNSIGNED }), (value) => {
        const reader = byteReader(derElement(0x81, unsignedBytes(value)));
        expect(readUnsigned(reader, 0x81)).toBe(value);
        expect(reader.problem).toBeUndefined();
      }),
    );
  });

  it.each([
    ['no digits', '8100'],
    ['a negative number', '810180'],
    ['a zero that is not needed', '81020001'],
    ['five bytes of value', '81050100000000'],
    ['very many digits', `8114${'7f'.repeat(20)}`],
  ])('refuses %s', (_, bytes) => {
    const reader = byteReader(hex(bytes));
    expect(readUnsigned(reader, 0x81)).toBe(0);
    expect(reader.problem).toBeDefined();
  });
});

describe('sets of types', () => {
  it.each([
    [[], '00'],
    [[0], '0780'],
    [[5], '0204'],
    [[7], '0001'],
    [[5, 15], '000401'],
    [[31], '0000000001'],
  ])('bits %j are written as %s', (bits, bytes) => {
    expect(bitSetBytes(bits.reduce((mask, bit) => mask | (1 << bit), 0))).toEqual(hex(bytes));
  });

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.integer(), (mask) => {
        const reader = byteReader(derElement(0x82, bitSetBytes(mask)));
        expect(readBitSet(reader, 0x82)).toBe(mask | 0);
        expect(reader.problem).toBeUndefined();
      }),
    );
  });

  it.each([
    ['no count of unused bits', '8200'],
    ['a count that hides a bit', '82020304'],
    ['a count that is too low', '82020104'],
    ['a last byte without bits', '8203000400'],
    ['more bits than there are types', '82060000000000ff'],
  ])('refuses %s', (_, bytes) => {
    const reader = byteReader(hex(bytes));
    expect(readBitSet(reader, 0x82)).toBe(0);
    expect(reader.problem).toBeDefined();
  });
});

describe('order of a set', () => {
  it('goes byte by byte, a beginning before the whole', () => {
    expect(setBytes(['02', '0101', '01', 'ff', '00'].map(hex))).toEqual(hex('00010101' + '02ff'));
  });

  it('does not depend on the order given', () => {
    fc.assert(
      fc.property(fc.array(bytesOf(2)), (elements) => {
        expect(setBytes([...elements].reverse())).toEqual(setBytes(elements));
      }),
    );
    expect(compareBytes(hex('01'), hex('01'))).toBe(0);
  });
});
