import type { SwapLog } from '../events/saved-swap.ts';
import { type CopyComparison, compareCopies } from './compare/copies.ts';
import { type OneJournal, oneJournal } from './compare/one-journal.ts';
import { compareSides, type SideComparison } from './compare/sides.ts';

/** How two logs of one swap differ: two logs of one side event by event, the logs of both sides by what they say about the swap. */
export type LogComparison = (CopyComparison | SideComparison) & {
  /** The engine's own records if only one log has any; an export leaves them out, so they do not make the stories differ. Else null. */
  readonly onlyJournal: OneJournal | null;
};

/** Compares two logs of one swap. The caller knows that they belong to one swap. Never throws for what they say. */
export function compareLogs(left: SwapLog, right: SwapLog): LogComparison {
  const onlyJournal = oneJournal(left, right);
  if (left.role === right.role) return { ...compareCopies(left, right), onlyJournal };
  const logs = left.role === 'maker' ? { maker: left, taker: right } : { maker: right, taker: left };
  return { ...compareSides(logs), onlyJournal };
}
