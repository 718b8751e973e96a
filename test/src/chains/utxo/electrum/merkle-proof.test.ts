import fc from 'fast-check';
import { expect, it } from 'vitest';
import { provenRoot } from '../../../../../src/chains/utxo/electrum/merkle-proof.ts';
import { LosslessNumber } from '../../../../../src/primitives/json.ts';
import { merkleProof } from '../../../../../src/rpc/electrum/merkle.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));

it('a proof leads to the root from its own position, and from no other one and with no other branch', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hash, { minLength: 1, maxLength: 19 }), (leaves) => {
      for (const [position, leaf] of leaves.entries()) {
        const { branch, root } = merkleProof(leaves, position);
        const from = (pos: number, merkle: readonly string[] = branch) =>
          provenRoot(leaf, { merkle: [...merkle], pos: new LosslessNumber(String(pos)) });
        expect(from(position)).toBe(root);
        const neighbour = position ^ 1;
        if (neighbour < leaves.length) expect(from(neighbour)).not.toBe(root);
        expect(from(position + 2 ** branch.length)).toBeNull();
        expect(from(-1)).toBeNull();
        if (branch.length > 1) expect(from(position, [...branch].reverse())).not.toBe(root);
        if (branch.length > 0) expect(from(position, branch.slice(1))).not.toBe(root);
      }
    }),
    { numRuns: 40 },
  );
});

// Block 170 of Bitcoin: the first one with a payment.
const FIRST = 'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082';
const SECOND = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
const ROOT = '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff';

it('the two transactions of a block of Bitcoin are under its root, each on its own side', () => {
  expect(provenRoot(FIRST, { merkle: [SECOND], pos: 0 as never })).toBe(ROOT);
  expect(provenRoot(SECOND, { merkle: [FIRST], pos: 1 as never })).toBe(ROOT);
  expect(provenRoot(SECOND, { merkle: [FIRST], pos: 0 as never })).not.toBe(ROOT);
});

it.each([
  ['nothing', null],
  ['no hashes', { pos: 0 }],
  ['a hash that is none', { merkle: ['00'], pos: 0 }],
  ['a position that is no number', { merkle: [SECOND], pos: '0x' }],
  ['more levels than any block has', { merkle: Array.from({ length: 33 }, () => SECOND), pos: 0 }],
])('%s proves nothing', (_, answer) => expect(provenRoot(FIRST, answer as never)).toBeNull());
