import { createHash } from 'node:crypto';

export function doubleHash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

/** Hash of a raw header as it is shown. */
export function hashOfHeader(hex: string): string {
  return doubleHash(Buffer.from(hex, 'hex')).reverse().toString('hex');
}

/** What a header says of its parent and of its transactions, as both are shown. */
export function partsOfHeader(hex: string): { readonly previous: string; readonly merkleRoot: string } {
  const bytes = Buffer.from(hex, 'hex');
  const shown = (from: number) =>
    Buffer.from(bytes.subarray(from, from + 32))
      .reverse()
      .toString('hex');
  return { previous: shown(4), merkleRoot: shown(36) };
}

/** Where a proof leads from a leaf, by the bits of its position. */
export function rootOf(leaf: string, position: number, branch: readonly string[]): string {
  let hash: Uint8Array = Buffer.from(leaf, 'hex').reverse();
  for (const [level, sibling] of branch.entries()) {
    const other = Buffer.from(sibling, 'hex').reverse();
    hash = doubleHash(Buffer.concat((position >> level) % 2 === 0 ? [hash, other] : [other, hash]));
  }
  return Buffer.from(hash).reverse().toString('hex');
}
