import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatBytes, uintBytes } from '../../../src/htlc/byte-writer.ts';
import { ScratchWriter } from '../../../src/htlc/scratch-writer.ts';
import { int64Bytes, varBytes } from '../../../src/htlc/transaction-encoding.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';

type Part = { readonly write: (to: ScratchWriter) => void; readonly bytes: Uint8Array };

const bytes = fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.uint8Array({ minLength: 250, maxLength: 260 }));
const long = fc.constantFrom(0xfc, 0xfd, 0xffff, 0x1_0000).map((length) => new Uint8Array(length).fill(7));
const part = fc.oneof(
  bytes.map((value): Part => ({ write: (to) => to.bytes(value), bytes: value })),
  fc.oneof(bytes, long).map((value): Part => ({ write: (to) => to.varBytes(value), bytes: varBytes(value) })),
  fc.nat(0xffff_ffff).map((value): Part => ({ write: (to) => to.uint32(value), bytes: uintBytes(value, 4) })),
  fc
    .bigInt({ min: -(1n << 63n), max: (1n << 64n) - 1n })
    .map((value): Part => ({ write: (to) => to.int64(value), bytes: int64Bytes(value) })),
  fc.tuple(bytes, fc.boolean()).map(([value, upper]): Part => {
    const text = upper ? bytesToHex(value).toUpperCase() : bytesToHex(value);
    return { write: (to) => to.reversedHex(text), bytes: value.toReversed() };
  }),
);

it('writes what the encoders put together, however often it is used again', () => {
  const writer = new ScratchWriter();
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      writer.clear();
      for (const { write } of parts) write(writer);
      expect(bytesToHex(writer.written())).toBe(bytesToHex(concatBytes(parts.map((each) => each.bytes))));
    }),
  );
});

it('refuses numbers without room and invalid hex', () => {
  const writer = new ScratchWriter();
  for (const value of [-1, 0x1_0000_0000, 1.5, Number.NaN]) expect(() => writer.uint32(value)).toThrow(RangeError);
  for (const value of [1n << 64n, -(1n << 63n) - 1n]) expect(() => writer.int64(value)).toThrow(RangeError);
  for (const text of ['0', '0g', 'g0', 'aabb0', '\u0130\u0130', '00\u{1f600}']) {
    expect(() => writer.reversedHex(text)).toThrow(RangeError);
  }
});
