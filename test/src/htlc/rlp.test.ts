import * as fc from 'fast-check';
import { fromRlp, toRlp } from 'viem';
import { describe, expect, it } from 'vitest';
import { byteReader } from '../../../src/htlc/byte-reader.ts';
import { bytesNumber, decodeRlpList, numberBytes, readRlp, rlpList, rlpText } from '../../../src/htlc/rlp.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const text = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 50, maxLength: 60 }));

describe('RLP', () => {
  it('of a list of texts is what viem writes, and both read it alike', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 9 }), (texts) => {
        const bytes = rlpList(texts.map(rlpText));
        expect(bytesToHex(bytes)).toBe(toRlp(texts, 'hex').slice(2));
        expect(fromRlp(bytes, 'bytes')).toEqual(texts);
        expect(decodeRlpList(bytes)).toEqual(texts.map((content) => ({ isList: false, content })));
      }),
    );
    for (const length of [0, 1, 54, 55, 56, 255, 256, 257, 65_535, 65_536]) {
      const one = new Uint8Array(length).fill(0xc5);
      expect(bytesToHex(rlpList([rlpText(one)]))).toBe(toRlp([one], 'hex').slice(2));
      expect(decodeRlpList(rlpList([rlpText(one)]))?.map(({ content }) => bytesToHex(content))).toEqual([
        bytesToHex(one),
      ]);
    }
  });

  it('keeps a list in a list apart from a text of the same bytes', () => {
    const inner = rlpList([rlpText(Uint8Array.of(7)), rlpText(Uint8Array.of(0x80))]);
    const outer = rlpList([inner, rlpText(inner)]);
    expect(bytesToHex(outer)).toBe(toRlp([[Uint8Array.of(7), Uint8Array.of(0x80)], inner], 'hex').slice(2));
    const [list, same] = decodeRlpList(outer) ?? [];
    expect(list).toEqual({ isList: true, content: hexToBytes('078180') });
    expect(same).toEqual({ isList: false, content: inner });
  });

  it('is read only if it accounts for every byte', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.nat(255), (texts, extra) => {
        const bytes = rlpList(texts.map(rlpText));
        expect(decodeRlpList(bytes.subarray(0, -1))).toBeUndefined();
        expect(decodeRlpList(Uint8Array.from([...bytes, extra]))).toBeUndefined();
        expect(decodeRlpList(rlpText(bytes))).toBeUndefined();
      }),
      { numRuns: 30 },
    );
    for (const hex of ['', '80', '7f', 'f8', 'f9ff', 'c281', 'c182', 'bf', 'ffffffffffffffffff']) {
      expect(decodeRlpList(hexToBytes(hex)), hex).toBeUndefined();
    }
  });

  it('never throws, whatever it reads', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(255), (tail, first) => {
        const reader = byteReader(Uint8Array.from([first, ...tail]));
        const { content } = readRlp(reader);
        decodeRlpList(reader.bytes);
        if (reader.problem === undefined) expect(content.length).toBeLessThanOrEqual(tail.length + 1);
        else expect(reader.offset).toBe(reader.bytes.length);
      }),
    );
  });

  it('leaves a reader behind the item', () => {
    const reader = byteReader(Uint8Array.of(9, ...rlpText(Uint8Array.of(1, 2)), ...rlpList([])));
    expect([readRlp(reader), reader.offset]).toEqual([{ isList: false, content: Uint8Array.of(9) }, 1]);
    expect([readRlp(reader), reader.offset]).toEqual([{ isList: false, content: Uint8Array.of(1, 2) }, 4]);
    expect([readRlp(reader), reader.offset]).toEqual([{ isList: true, content: new Uint8Array(0) }, 5]);
  });
});

describe('a number in RLP', () => {
  it('has the most significant byte first and no leading zeros, so none at all for 0', () => {
    expect(numberBytes(0n)).toEqual(new Uint8Array(0));
    expect(numberBytes(255n)).toEqual(Uint8Array.of(255));
    expect(numberBytes(65_791n)).toEqual(Uint8Array.of(1, 0, 255));
    expect(bytesNumber(new Uint8Array(0))).toBe(0n);
    expect(bytesNumber(Uint8Array.of(0, 1, 0, 255))).toBe(65_791n);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), (value) => bytesNumber(numberBytes(value)) === value),
    );
  });
});
