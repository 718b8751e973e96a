import type { JournalPayloads } from '../../../events/journal.ts';
import { publishedMargin } from '../assumptions.ts';
import { endsOf, messageLimits, type Terms } from './moments.ts';
import type { Stored } from './story.ts';

// Rule R14 for what a log says about a missed moment: which one, and by how much.

type Missed = JournalPayloads['DeadlineReached'];

/** Figures of a timeout: `Timeout 12 > 10`, or with brackets. Counts of blocks name their unit. */
const FIGURES = /Timeout \(?(\d+) > (\d+)\)?(?! blocks)/;

/** Steps that end if no message came: their end counts from the start of the wait. */
const MESSAGES: ReadonlySet<string> = new Set([
  'negotiate',
  'waitForTakerFee',
  'waitForMakerPayment',
  'waitForTakerPayment',
]);

/** Whole seconds in which a wait is counted. */
const ROUNDING = 2000;

/** What is wrong with what one append says about a missed moment, or null. */
export function missedProblem(terms: Terms, records: readonly Stored[]): string | null {
  const missed = records.find(({ type }) => type === 'DeadlineReached');
  const figures = figuresOf(records);
  if (figures !== null && figures.elapsed <= figures.limit) {
    return `a failure tells of a time-out of ${figures.elapsed} s where ${figures.limit} s are allowed`;
  }
  if (missed === undefined) return null;
  const { kind, deadline, clock } = missed.data as Missed;
  if (endsOf(kind, terms).includes(deadline) || contests(kind, terms).includes(deadline)) return null;
  if (!MESSAGES.has(kind) || figures === null) return `${kind} is told to have ended at ${deadline}`;
  if (!messageLimits(terms.lockDuration).has(figures.limit)) return `${kind} is told to end after ${figures.limit} s`;
  // The party's own clock; what a chain's clock showed is not known here.
  const off = missed.at - (figures.elapsed - figures.limit) * 1000 - deadline;
  return clock === 'host' && Math.abs(off) > ROUNDING ? `${kind} is told to have ended ${off} ms too early` : null;
}

function figuresOf(records: readonly Stored[]): { readonly elapsed: number; readonly limit: number } | null {
  for (const { data } of records) {
    const { error } = (data ?? {}) as { readonly error?: unknown };
    const found = typeof error === 'string' ? FIGURES.exec(error) : null;
    if (found !== null) return { elapsed: Number(found[1]), limit: Number(found[2]) };
  }
  return null;
}

/** From the margin before the other side's lock on, a first claim is contested. */
function contests(kind: string, { role, agreement, lockDuration }: Terms): readonly number[] {
  if (role !== 'maker' || kind !== 'spendTakerPayment') return [];
  return [(agreement.taker.terms.lock - publishedMargin(lockDuration)) * 1000];
}
