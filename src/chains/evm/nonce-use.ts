import { BackendSilent, type Look } from './reader.ts';
import { type Made, slotOf } from './transaction.ts';

/** What used a nonce. */
export type Use = {
  /** Id of the transaction; null where nobody can tell any more. */
  readonly id: string | null;
  /** How deep it lies, at least. */
  readonly depth: number;
};

export type Using = {
  readonly made: Pick<Made, 'id' | 'from' | 'nonce'>;
  /** What may have used it. */
  readonly others: Iterable<Made>;
};

/** Blocks of whose state every node keeps the counts. */
const KEPT_BLOCKS = 100;

/**
 * What used the nonce of a transaction, by the block in which that lies; null where nothing has. It may be this very transaction, though the node
 * does not know it by its id: an index may lag behind the blocks.
 */
export async function useOf(look: Look, { made, others }: Using): Promise<Use | null> {
  const { head } = look;
  if ((await look.used(made.from)) <= made.nonce) return null;
  for (const other of others) {
    if (slotOf(other) !== slotOf(made) || other.id === made.id) continue;
    const receipt = await look.receipt(other.id);
    if (receipt !== null) return { id: other.id, depth: head.number - receipt.block + 1 };
  }
  // The first block from which on it is used lies between.
  let used = head.number;
  let free = Math.max(-1, head.number - KEPT_BLOCKS);
  try {
    if (free >= 0 && (await look.used(made.from, free)) > made.nonce) return { id: null, depth: KEPT_BLOCKS + 1 };
    while (used - free > 1) {
      const middle = Math.floor((used + free) / 2);
      if ((await look.used(made.from, middle)) > made.nonce) used = middle;
      else free = middle;
    }
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
  }
  for (let block = used; block > free; block -= 1) {
    const found = (await look.included(block)).find((one) => slotOf(one) === slotOf(made));
    if (found !== undefined) return { id: found.id, depth: head.number - block + 1 };
  }
  return { id: null, depth: head.number - used + 1 };
}
