import type { SwapLog } from '../../events/saved-swap.ts';
import { auditSwap } from '../audit/audit-swap.ts';
import type { AuditCheck } from '../audit/report.ts';
import { NO_SWAP_PAYMENT } from '../audit/spends.ts';

/** A check of the audit that a log violates, for whoever reads the story of the swap. */
export type ExplainedViolation = Pick<AuditCheck, 'check' | 'seq'> & {
  /** It concerns what stands beside the swap, such as prices or printed flags: nothing about coins follows from it. */
  readonly cosmetic: boolean;
  readonly sentence: string;
};

/** Checks of members that no step of a swap depends on. */
const COSMETIC = new Set(['my-info', 'printed-flags', 'usd-prices', 'event-names', 'foreign-members', 'key-form']);

/** What the audit of a log violates: the same checks, in sentences. */
export function violationsOf(log: SwapLog): readonly ExplainedViolation[] {
  return auditSwap(log)
    .checks.filter(({ status }) => status === 'violated')
    .map((violated) => {
      const { check, seq } = violated;
      const cosmetic = COSMETIC.has(check);
      return { check, seq, cosmetic, sentence: sentenceOf(violated, cosmetic) };
    });
}

const LONGEST_VALUE = 100;

function sentenceOf({ check, seq, expected, found, reason }: AuditCheck, cosmetic: boolean): string {
  const place = seq === null ? '' : `event ${seq}: `;
  const values =
    found === NO_SWAP_PAYMENT
      ? `this transaction spends no swap payment; it must take ${brief(expected)}`
      : `the log says ${brief(found)}, the rest of it asks for ${brief(expected)}`;
  const why = reason === undefined ? '' : ` (${reason})`;
  return `${place}${values}${why}.${cosmetic ? ' Cosmetic: nothing about the coins follows from it.' : ''} [${check}]`;
}

function brief(value: string | undefined): string {
  if (value === undefined || value === '') return 'nothing';
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
}
