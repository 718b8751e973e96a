import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byteReader } from '../../../src/htlc/byte-reader.ts';
import { readShielded, type ShieldedPart, shieldedBytes } from '../../../src/htlc/shielded.ts';

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const some = (size: number) => fc.array(bytes(size), { maxLength: 2 });
const NONE = new Uint8Array(0);

const part = (sapling: boolean): fc.Arbitrary<ShieldedPart> =>
  fc
    .record({
      spends: sapling ? some(384) : fc.constant([]),
      outputs: sapling ? some(948) : fc.constant([]),
      joinSplits: some(sapling ? 1698 : 1802),
      seal: bytes(96),
      binding: bytes(64),
    })
    .map(({ seal, binding, ...vectors }) => ({
      ...vectors,
      joinSplitSeal: vectors.joinSplits.length > 0 ? seal : NONE,
      bindingSignature: vectors.spends.length + vectors.outputs.length > 0 ? binding : NONE,
    }));

it.each([true, false])(
  'a shielded part is read as it was written, with its own seal and signature (sapling: %s)',
  (sapling) => {
    fc.assert(
      fc.property(part(sapling), (given) => {
        expect(readShielded(byteReader(shieldedBytes(given, { sapling })), { sapling })).toEqual(given);
      }),
      { numRuns: 50 },
    );
  },
);
