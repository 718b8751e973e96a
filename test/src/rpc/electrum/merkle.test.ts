import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merkleProof } from '../../../../src/rpc/electrum/merkle.ts';
import { merkleRoot } from '../../../../src/smartchain/chain/block.ts';
import { rootOf } from '../../../support/electrum/proofs.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));

it('a proof leads from every position to the root, whatever the number of leaves, and from no other one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hash, { minLength: 1, maxLength: 19 }), (leaves) => {
      for (const [position, leaf] of leaves.entries()) {
        const { branch, root } = merkleProof(leaves, position);
        expect(root).toBe(merkleRoot(leaves));
        expect(rootOf(leaf, position, branch)).toBe(root);
        if (position > 0) expect(rootOf(leaf, position - 1, branch)).not.toBe(root);
      }
    }),
    { numRuns: 40 },
  );
});
