import type { BlockList } from './blocks.ts';

/** Blocks of a chain, and a function that remembers everything that depends on them: it returns another that restores it. */
export type Replaceable = { readonly list: Pick<BlockList<unknown>, 'blocks'>; readonly remember: () => () => void };

/**
 * Replaces the last blocks, or changes nothing.
 *
 * @param exchange takes so many blocks away and puts others in their place.
 * @throws RangeError for too great a depth, or what the exchange throws.
 */
export function replaceLast<T>({ list, remember }: Replaceable, depth: number, { exchange }: { exchange: () => T }): T {
  if (!Number.isSafeInteger(depth) || depth < 1 || depth >= list.blocks.length) {
    throw new RangeError(`cannot disconnect ${depth} of ${list.blocks.length - 1} blocks`);
  }
  const restore = remember();
  try {
    return exchange();
  } catch (error) {
    restore();
    throw error;
  }
}
