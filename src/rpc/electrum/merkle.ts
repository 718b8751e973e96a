import { displayHash } from '../../htlc/transaction.ts';
import { hash256 } from '../../primitives/hash.ts';
import { hexToBytes } from '../../primitives/hex.ts';

/** The hashes with which one leaf is paired on its way up, in display order, and where it leads. */
export type MerkleProof = { readonly branch: readonly string[]; readonly root: string };

/**
 * Proves that a hash is at a position among others. A level of odd length pairs its last entry with itself.
 *
 * @param leaves hashes in display order, at least one
 */
export function merkleProof(leaves: readonly string[], position: number): MerkleProof {
  const branch: string[] = [];
  let level = leaves.map((leaf) => hexToBytes(leaf).reverse());
  for (let at = position; level.length > 1; at >>= 1) {
    const pair = level[at ^ 1] ?? (level[at] as Uint8Array);
    branch.push(displayHash(pair));
    level = levelAbove(level);
  }
  return { branch, root: displayHash(level[0] as Uint8Array) };
}

function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = [];
  const both = new Uint8Array(64);
  for (let at = 0; at < level.length; at += 2) {
    const left = level[at] as Uint8Array;
    both.set(left, 0);
    both.set(level[at + 1] ?? left, 32);
    above.push(hash256(both));
  }
  return above;
}
