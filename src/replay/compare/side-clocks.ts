import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { formatDuration } from '../../primitives/time.ts';

/** How far the taker's clock is ahead of the maker's, in milliseconds; negative if it is behind. Null if no event bounds it. */
export type ClockBounds = { readonly atLeast: number | null; readonly atMost: number | null };

/** What one side writes before the other can. */
const IN_ORDER: readonly { readonly first: Role; readonly says: string; readonly hears: string }[] = [
  { first: 'taker', says: 'TakerFeeSent', hears: 'TakerFeeValidated' },
  { first: 'maker', says: 'MakerPaymentSent', hears: 'MakerPaymentReceived' },
  { first: 'taker', says: 'TakerPaymentSent', hears: 'TakerPaymentReceived' },
];

/** Bounds of the difference of the two clocks, from what cannot have been heard before it was said. */
export function clockBounds(logs: Readonly<Record<Role, SwapLog>>): ClockBounds {
  let atLeast: number | null = null;
  let atMost: number | null = null;
  for (const { first, says, hears } of IN_ORDER) {
    const second = first === 'maker' ? 'taker' : 'maker';
    const [said, heard] = [timeOf(logs[first], says), timeOf(logs[second], hears)];
    if (said === null || heard === null) continue;
    if (first === 'taker') atLeast = Math.max(atLeast ?? Number.NEGATIVE_INFINITY, said - heard);
    else atMost = Math.min(atMost ?? Number.POSITIVE_INFINITY, heard - said);
  }
  return { atLeast, atMost };
}

function timeOf({ events }: SwapLog, type: string): number | null {
  return events.find((event) => event.type === type)?.at ?? null;
}

/** The least to subtract from the taker's times, in milliseconds, so that nothing arrives before it was sent. */
export function clockShift({ atLeast, atMost }: ClockBounds): number {
  if (atLeast !== null && atMost !== null && atLeast > atMost) return 0;
  if (atLeast !== null && atLeast > 0) return atLeast;
  return atMost !== null && atMost < 0 ? atMost : 0;
}

/** Two well-set clocks differ by no more than this. */
const TOLERANCE_MS = 1000;

/** What is odd about the two clocks; null if nothing is, as far as the logs show. */
export function clockSentence({ atLeast, atMost }: ClockBounds): string | null {
  if (atLeast !== null && atMost !== null && atLeast - atMost > TOLERANCE_MS) {
    return `The times of the two logs contradict each other by ${told(atLeast - atMost)}: one of the clocks was set during the swap, or one log does not have its own times.`;
  }
  if (atLeast !== null && atLeast > TOLERANCE_MS) {
    return `The clock of the taker was ahead of that of the maker by ${told(atLeast)} or more${limit(atMost)}.`;
  }
  if (atMost !== null && atMost < -TOLERANCE_MS) {
    return `The clock of the maker was ahead of that of the taker by ${told(-atMost)} or more${limit(atLeast === null ? null : -atLeast)}.`;
  }
  return null;
}

function limit(most: number | null): string {
  return most === null ? '' : `, and by ${told(most)} at most`;
}

function told(millis: number): string {
  return formatDuration(millis / 1000);
}
