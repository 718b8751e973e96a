import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ethereumGetPublicKey, getPublicKey } from '../../../../src/hardware/trezor/calls.ts';
import { DEVICE_KEY_PATH } from '../../../../src/hardware/trezor/keys.ts';
import { pathNumbers } from '../../../../src/hardware/trezor/path.ts';
import {
  bytesOf,
  messageWriter,
  readFields,
  textOf,
  u32Of,
  u32sOf,
  u64Of,
} from '../../../../src/hardware/trezor/protobuf.ts';
import { WireFault } from '../../../../src/hardware/trezor/wire-fault.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';

describe('the bytes of a request', () => {
  it('for an account have the path in one field', () => {
    const { payload } = ethereumGetPublicKey(pathNumbers("m/44'/60'/0'") ?? []).message;
    expect(bytesToHex(payload)).toBe('0a0fac80808008bc8080800880808080081000');
  });

  it('for the key of the device have a field for each step of the path', () => {
    const { type, payload } = getPublicKey(DEVICE_KEY_PATH, { coin: 'Komodo' }).message;
    const path = '08ac80808008' + '088d81808008' + '08ffffffff07' + '0800' + '0800';
    const rest = `1209${hex('secp256k1')}18002206${hex('Komodo')}3001`;
    expect({ type, payload: bytesToHex(payload) }).toEqual({ type: 11, payload: path + rest });
  });
});

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('fields', () => {
  it('come out as they went in', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const u32s = fc.array(fc.nat({ max: 0xffff_ffff }), { maxLength: 20 });
    fc.assert(
      fc.property(
        u64,
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array(),
        u32s,
        u32s,
        (number, text, bytes, packed, repeated) => {
          const writer = messageWriter().number(1, number).text(2, text).bytes(3, bytes).packed(4, packed);
          const fields = readFields(writer.repeated(5000, repeated).done());
          expect(u64Of(fields, 1)).toBe(number);
          expect(textOf(fields, 2)).toBe(text);
          expect(bytesOf(fields, 3)).toEqual(bytes);
          expect(u32sOf(fields, 4)).toEqual(packed);
          expect(u32sOf(fields, 5000)).toEqual(repeated);
          expect(u32Of(fields, 6)).toBeUndefined();
        },
      ),
    );
  });

  it('of an unknown number or form are passed over', () => {
    const fields = readFields(hexToBytes(`08019a3f0301020319${'00'.repeat(8)}25${'00'.repeat(4)}1002`));
    expect([u32Of(fields, 1), u32Of(fields, 2)]).toEqual([1, 2]);
  });

  it('that are repeated and may not be count by their last one', () => {
    expect(u32Of(readFields(hexToBytes('08010802')), 1)).toBe(2);
  });
});

describe('bytes that are not a message', () => {
  it.each([
    ['a tag that is cut off', '80'],
    ['a truncated number', '0880'],
    ['a number of 11 bytes', `08${'80'.repeat(10)}01`],
    ['a number of 65 bits', `08${'ff'.repeat(9)}02`],
    ['a truncated field', '0a05aabb'],
    ['a field longer than memory', '0affffffffffffffff7f00'],
    ['a field without a number', '0001'],
    ['a group', '0b0c'],
    ['a form that there is not', '0f00'],
    ['more fields than any message has', '0801'.repeat(257)],
  ])('%s', (_, bytes) => {
    expect(() => readFields(hexToBytes(bytes))).toThrow(WireFault);
  });

  it.each([
    ['bytes for a number', () => u32Of(readFields(hexToBytes('0a00')), 1)],
    ['a number for bytes', () => bytesOf(readFields(hexToBytes('0801')), 1)],
    ['33 bits for 32', () => u32Of(readFields(hexToBytes('088080808010')), 1)],
    ['33 bits for 32 in a packed field', () => u32sOf(readFields(hexToBytes('0a058080808010')), 1)],
    ['a packed field that is cut off', () => u32sOf(readFields(hexToBytes('0a0180')), 1)],
    ['text that is no UTF-8', () => textOf(readFields(hexToBytes('0a02c328')), 1)],
  ])('%s', (_, read) => {
    expect(read).toThrow(WireFault);
  });

  it('end in that fault and in nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          const fields = readFields(bytes);
          for (const read of [u32Of, u64Of, bytesOf, textOf, u32sOf]) {
            for (let field = 1; field < 4; field++) quietly(() => read(fields, field));
          }
        } catch (error) {
          expect(error).toBeInstanceOf(WireFault);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

function quietly(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(WireFault);
  }
}
