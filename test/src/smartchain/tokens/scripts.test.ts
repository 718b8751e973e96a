import { expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { tokenScriptHex, tokenScriptOf } from '../../../../src/smartchain/tokens/scripts.ts';

/** Of keys it is told apart by its number alone: whether it is a point is not looked at. */
function key(number: number): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes[0] = 2;
  new DataView(bytes.buffer).setUint32(1, number);
  return bytes;
}

it('a script that was made before has the right codes and keys, in whatever order many are asked for', () => {
  const asked = (number: number) =>
    [
      [[], [key(number)]],
      [[0xf5], [key(number)]],
      [[0xf5, 0xf6], [key(number)]],
      [[], [key(number), key(number + 1)]],
      [[], [key(number + 1), key(number)]],
    ] as const;
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 1200; number++) {
      for (const [evals, keys] of asked(number)) {
        expect(tokenScriptHex(evals, keys)).toBe(bytesToHex(tokenScriptOf(evals, keys)));
      }
    }
  }
}, 60_000);
