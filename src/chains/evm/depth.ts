import type { EvmCoin } from './coin.ts';
import type { Look } from './reader.ts';

/**
 * Confirmations of what is in a block. Where the coin goes by what its nodes call final, what is above that never has as many as finality takes,
 * however deep it lies: a chain whose finality stands still can still take it away. A node that tells no final block, as one that has just begun or is
 * asked too much, says nothing about that.
 */
export async function depthOf(
  look: Look,
  block: number,
  { coin: { finality, finalizedTag = false } }: { readonly coin: EvmCoin },
): Promise<number> {
  const depth = look.head.number - block + 1;
  if (!finalizedTag || depth < finality) return depth;
  const final = await look.finalized();
  return final !== null && block <= final ? depth : finality - 1;
}
