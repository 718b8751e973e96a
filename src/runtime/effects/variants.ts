import type { PreparedRecord } from '../../../machines/journal/context.ts';
import { MOST_URGENT } from '../policy.ts';
import type { Turn } from '../turn.ts';

/** Urgency of a new try: more than that of every one that was included without effect, because its gas may not have sufficed. */
export function urgencyAfter(variants: readonly PreparedRecord[], funding: string): number {
  let urgency = 0;
  for (const { target, dead, urgency: tried } of variants) {
    if (target === funding && dead) urgency = Math.max(urgency, Math.min(MOST_URGENT, tried + 1));
  }
  return urgency;
}

/** Refused for its fee, and not yet for the highest: the next variant offers more. Beyond that the same one is tried again. */
export function isTooCheap({ refused, urgency }: PreparedRecord): boolean {
  return refused === 'feeTooLow' && urgency < MOST_URGENT;
}

/**
 * Waits for a nonce that nobody uses any more, and its predecessor did so for long: the next variant takes the least free nonce
 * instead of the same one. Two of them do no harm, because a payment is spent but once.
 */
export function isBlocked(turn: Turn, variants: readonly PreparedRecord[], record: PreparedRecord): boolean {
  if (record.refused !== 'nonceGap' || record.urgency >= MOST_URGENT) return false;
  const before = variants[variants.indexOf(record) - 1];
  return before !== undefined && record.preparedAt - before.preparedAt > turn.policy.bumpAfter * 1000;
}
