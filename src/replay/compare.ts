import type { SwapLog } from '../events/saved-swap.ts';
import { type CopyComparison, compareCopies } from './compare/copies.ts';
import { type OneJournal, oneJournal } from './compare/one-journal.ts';
import { compareSides, type SideComparison } from './compare/sides.ts';

/** How two logs of one swap differ: two logs of one side event by event, those of both sides by what they say of the swap. */
export type LogComparison = (CopyComparison | SideComparison) & {
  /** The engine's own records where one log alone has any; an export leaves them out, so that they make no different story. Else null. */
  readonly onlyJournal: OneJournal | null;
};

/** Holds two logs of one swap against each other. Whether they are of one swap is the caller's to know. Never throws for what they say. */
export function compareLogs(left: SwapLog, right: SwapLog): LogComparison {
  const onlyJournal = oneJournal(left, right);
  if (left.role === right.role) return { ...compareCopies(left, right), onlyJournal };
  const logs = left.role === 'maker' ? { maker: left, taker: right } : { maker: right, taker: left };
  return { ...compareSides(logs), onlyJournal };
}
