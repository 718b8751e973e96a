import type { JournalContext, PreparedRecord } from '../../../machines/journal/context.ts';
import type { Purpose } from '../../events/journal.ts';
import { MOST_VARIANTS } from '../policy.ts';

/*
 * How many different transactions go out for one purpose. Each may cost a fee, so their number is limited, as their fees are.
 */

/** How many of them are reserved for new attempts: none of these may be a dearer variant of a waiting attempt. */
export const KEPT_VARIANTS = 3;

/** Before its lock a refund has no effect: until then, at most this many go to nodes. */
export const VARIANTS_BEFORE_LOCK = MOST_VARIANTS / 2;

type Counted = { readonly journal: Pick<JournalContext, 'prepared' | 'retryAt'> };

/** How many went to nodes so far. Equal ones count as one. */
export function variantsOf({ journal }: Counted, purpose: Purpose): number {
  const hashes = new Set<string>();
  for (const { attemptedAt, tx } of journal.prepared[purpose]) if (attemptedAt !== null) hashes.add(tx.tx_hash);
  return hashes.size;
}

/** How many may still be signed. Beyond the last one, each order of an operator to try again allows one more. */
export function variantsLeft(turn: Counted, purpose: Purpose): number {
  const left = MOST_VARIANTS - variantsOf(turn, purpose);
  if (left > 0) return left;
  const { retryAt, prepared } = turn.journal;
  return retryAt !== null && prepared[purpose].every(({ preparedAt }) => preparedAt < retryAt) ? 1 : 0;
}

/**
 * Variants without effect. A variant that the wallet could no longer replace counts too: the last one was to replace it and had to stand beside it,
 * because a block has it, whatever looks say.
 */
export function withoutEffect(variants: readonly PreparedRecord[]): readonly PreparedRecord[] {
  const last = variants.at(-1);
  return variants.filter((record) => record.dead || isSettled(record, last));
}

/** Whether it went out, and the last one had to stand beside it. */
export function isSettled(record: PreparedRecord, last: PreparedRecord | undefined): boolean {
  return record.attemptedAt !== null && standsBeside(record, last);
}

/** Whether they take nothing in common, so that both can be included. */
export function standsBeside({ tx: { spends } }: PreparedRecord, other: PreparedRecord | undefined): boolean {
  const taken = other?.tx.spends;
  return spends !== undefined && taken !== undefined && !spends.some((spent) => taken.includes(spent));
}

/** When it went out: when a node accepted it, else when one may first have got it. */
export function triedAt({ preparedAt, attemptedAt, acceptedAt }: PreparedRecord): number {
  return acceptedAt ?? attemptedAt ?? preparedAt;
}

/** What variants take; this distinguishes those of one attempt from those of another. */
export function placeOf({ tx }: PreparedRecord): string {
  return tx.spends?.join() ?? tx.tx_hash;
}
