import { BackendSilent } from '../../ports/silence.ts';
import type { TendermintLook } from './reader.ts';
import { type Made, madeOf, slotOf } from './transaction.ts';

/** What used a sequence. */
export type Use = {
  /** Id of the transaction; null if no node knows it any more. */
  readonly id: string | null;
  /** Its minimum depth. */
  readonly depth: number;
};

export type Using = {
  readonly made: Pick<Made, 'id' | 'from' | 'sequence'>;
  /** The account's address. */
  readonly address: string;
  /** The transactions that may have used it. */
  readonly others: Iterable<Made>;
};

/** For how many blocks nodes keep the state. */
const KEPT_BLOCKS = 100;

/**
 * What used the sequence of a transaction; null where nothing has, by the state of the account, which no index that lags behind can hide. It may be
 * this very transaction, though nodes do not know it by its id yet.
 */
export async function useOf(look: TendermintLook, { made, address, others }: Using): Promise<Use | null> {
  const { head } = look;
  const usedAt = async (height: number) => (await look.account(address, height))?.sequence ?? 0;
  if ((await usedAt(head.height)) <= made.sequence) return null;
  for (const other of others) {
    if (slotOf(other) !== slotOf(made) || other.id === made.id) continue;
    const included = await look.included(other.id);
    if (included !== null) return { id: other.id, depth: head.height - included.height + 1 };
  }
  // The first block that uses it lies between.
  let used = head.height;
  let free = Math.max(0, head.height - KEPT_BLOCKS);
  try {
    if (free > 0 && (await usedAt(free)) > made.sequence) return { id: null, depth: KEPT_BLOCKS + 1 };
    while (used - free > 1) {
      const middle = Math.floor((used + free) / 2);
      if ((await usedAt(middle)) > made.sequence) used = middle;
      else free = middle;
    }
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
  }
  for (let block = used; block > free; block -= 1) {
    const found = await usedIn(look, block, made);
    if (found !== null) return { id: found, depth: head.height - block + 1 };
  }
  return { id: null, depth: head.height - used + 1 };
}

/** Id of what used the sequence in this block; null if it is not known to be there. A block that is longer than is read may hold what an index knows. */
async function usedIn(look: TendermintLook, block: number, made: Using['made']): Promise<string | null> {
  try {
    const held = (await look.contents(block)).map(madeOf);
    return held.find((one) => one !== null && slotOf(one) === slotOf(made))?.id ?? null;
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
    return (await look.included(made.id))?.height === block ? made.id : null;
  }
}
