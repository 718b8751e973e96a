import type { NextStep } from '../../machines/swap-verdict.ts';
import type { Explanation } from '../replay/explain.ts';

/** Steps that only take or bring back what is locked, or look: right or useless, and never a loss, if the log is out of date. */
const HARMLESS = /^(spend|refund|find|finish|confirm|repair)/;

/** What to say instead of a step that could pay a second time. */
export const LOOK_FIRST = 'Look at both chains first: the log may lack what was done last.';

/** A next step, as far as it can be given for a log that may lack records at its end. */
export function stepOf<T extends Pick<NextStep, 'action'>>(next: T | null, unsure: boolean): T | null {
  return next !== null && unsure && !HARMLESS.test(next.action) ? null : next;
}

/** An explanation of a swap whose log may lack records at its end. */
export function unsureExplanation(explanation: Explanation): Explanation {
  const settled = explanation.outcome !== 'in-progress';
  const { next, advice } = explanation;
  return { ...explanation, next: settled ? next : [], advice: [LOOK_FIRST, ...(settled ? advice : [])] };
}
