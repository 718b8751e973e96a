import { BackendSilent } from '../../ports/silence.ts';
import type { EvmLook } from './reader.ts';
import { type Made, slotOf } from './transaction.ts';

/** What used a nonce. */
export type Use = {
  /** Id of the transaction; null if no node knows it any more. */
  readonly id: string | null;
  /** Number of its block, or of one above it. */
  readonly block: number;
};

export type Using = {
  readonly made: Pick<Made, 'id' | 'from' | 'nonce'>;
  /** The transactions that may have used it. */
  readonly others: Iterable<Made>;
};

/** For how many blocks every node keeps the state with the counts. */
const KEPT_BLOCKS = 100;
/** Into how many parts concurrent questions divide them: two rounds find one block. */
const PARTS = 11;

/**
 * What used the nonce of a transaction, by the block that holds it; null if nothing has. It may be this very transaction, even if the node does not
 * know its id: an index may lag behind the blocks.
 */
export async function useOf(look: EvmLook, { made, others }: Using): Promise<Use | null> {
  const { head } = look;
  if ((await look.used(made.from)) <= made.nonce) return null;
  const ids = new Set([...others].filter((other) => slotOf(other) === slotOf(made)).map(({ id }) => id));
  ids.add(made.id);
  const included = await Promise.all([...ids].map(async (id) => ({ id, receipt: await look.receipt(id) })));
  const [own] = included.flatMap(({ id, receipt }) => (receipt === null ? [] : [{ id, block: receipt.block }]));
  if (own !== undefined) return own;
  const { used, free } = await firstUsed(look, made);
  if (used === head.number - KEPT_BLOCKS) return { id: null, block: used };
  for (let block = used; block > free; block -= 1) {
    const found = await usedIn(look, block, { made, ids });
    if (found !== null) return { id: found, block };
  }
  return { id: null, block: used };
}

type Sought = { readonly made: Using['made']; readonly ids: ReadonlySet<string> };

/**
 * Id of what used the nonce in this block; null if it is not known to be there. Of a block above the size limit nodes report the ids: if none of
 * those that may have used it is among them, it was made elsewhere.
 */
async function usedIn(look: EvmLook, block: number, { made, ids }: Sought): Promise<string | null> {
  try {
    return (await look.included(block)).find((one) => slotOf(one) === slotOf(made))?.id ?? null;
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
    return (await look.ids(block)).find((id) => ids.has(id)) ?? null;
  }
}

/** The first kept block from which on it is used is `used` or a block below it, above `free`. */
async function firstUsed(
  look: EvmLook,
  { from, nonce }: Pick<Made, 'from' | 'nonce'>,
): Promise<{ readonly used: number; readonly free: number }> {
  let used = look.head.number;
  let free = Math.max(0, used - KEPT_BLOCKS) - 1;
  try {
    while (used - free > 1) {
      const step = Math.ceil((used - free) / PARTS);
      const blocks: number[] = [];
      for (let block = free + step; block < used; block += step) blocks.push(block);
      const counts = await Promise.all(blocks.map((block) => look.used(from, block)));
      const at = counts.findIndex((count) => count > nonce);
      const below = at < 0 ? blocks.length : at;
      [free, used] = [blocks[below - 1] ?? free, blocks[below] ?? used];
    }
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
  }
  return { used, free };
}
