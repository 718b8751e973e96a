import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { compactOfDer } from '../../../../src/smartchain/keys/lax-der.ts';

const read = (hex: string) => {
  const compact = compactOfDer(hexToBytes(hex.replaceAll(' ', '')));
  return compact === undefined
    ? undefined
    : bytesToHex(compact)
        .replace(/^(0*)(.*?)(.{64})$/, '$2 $3')
        .replace(/ 0*/, ' ');
};
const long = 'ab'.repeat(32);

it.each([
  ['strict', '3006 020101 020102', '1 2'],
  ['with a top bit set', '3006 0201ff 020180', 'ff 80'],
  ['with needless zeros', '3008 02020001 02020002', '1 2'],
  ['with any sequence length', '30ff 020101 020102'.replace('ff', '7f'), '1 2'],
  ['with a sequence length of two bytes', '3082ffff 020101 020102', '1 2'],
  ['with a sequence length of no bytes', '3080 020101 020102', '1 2'],
  ['with bytes behind', '3006 020101 020102 ffff', '1 2'],
  ['with a number of no bytes', '3004 0200 0200', ' '],
  ['with lengths in the long form', '300a 02810101 0283000001 02', '1 2'],
  ['with a length of many zero bytes', '30ff 0288 0000000000000001 01 020102'.replace('ff', '10'), '1 2'],
  ['with a number of 32 bytes behind zeros', `3000 0224 00000000${long} 020102`, `${long} 2`],
])('reads a signature %s', (_, hex, numbers) => {
  expect(read(hex)).toBe(numbers);
});

it.each([
  ['nothing', ''],
  ['no sequence', '3106 020101 020102'],
  ['a sequence alone', '30'],
  ['a sequence length cut off', '3084 0000'],
  ['no first number', '3000'],
  ['another type first', '3006 030101 020102'],
  ['another type second', '3006 020101 030102'],
  ['a number cut off', '3006 020101 020202'],
  ['no length', '3006 020101 02'],
  ['a length cut off', '3006 020101 0282 00'],
  ['a length of four bytes', '3006 0284 01000000 01 020102'],
  ['a number of 33 bytes', `3000 0221 01${long} 020102`],
  ['a second number of 33 bytes', `3000 020102 0221 01${long}`],
])('refuses %s', (_, hex) => {
  expect(read(hex)).toBeUndefined();
});

it('gives 64 bytes or nothing for any bytes', () => {
  const parts = fc.array(fc.constantFrom(0x30, 0x02, 0x00, 0x01, 0x03, 0x20, 0x21, 0x80, 0x81, 0x82, 0xff), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(parts, (bytes) => {
      expect([undefined, 64]).toContain(compactOfDer(Uint8Array.of(0x30, ...bytes))?.length);
    }),
  );
});
