/** Whether the log supports a claim, contradicts it, or lacks what is needed to decide. */
export type AuditStatus = 'verified' | 'violated' | 'notCheckable';

/** One claim of a log, checked against the rest of it. */
export type AuditCheck = {
  /** Id of the check, documented in docs/reference/audit.md. */
  readonly check: string;
  /** Position of the event in its log, from 0; null where the claim concerns the whole log. */
  readonly seq: number | null;
  readonly status: AuditStatus;
  /** What the rest of the log requires. Present with every violation. */
  readonly expected?: string;
  /** What the log says. Present with every violation. */
  readonly found?: string;
  /** Why nothing could be decided, or what a violation means. Present wherever the status is `notCheckable`. */
  readonly reason?: string;
};

/** The outcome of an audit: three counts, and the checks that make them up. */
export type AuditReport = {
  readonly verified: number;
  readonly violated: number;
  readonly notCheckable: number;
  readonly checks: readonly AuditCheck[];
};

/** Collects the findings of one check. */
export type Findings = {
  readonly verified: (seq: number | null, found?: string) => void;
  readonly violated: (
    seq: number | null,
    contradiction: { readonly expected: string; readonly found: string; readonly reason?: string },
  ) => void;
  readonly notCheckable: (seq: number | null, reason: string) => void;
};

/** Findings under the id `check`, put at the end of `checks`. */
export function findingsOf(check: string, checks: AuditCheck[]): Findings {
  return {
    verified: (seq, found) => {
      checks.push(
        found === undefined
          ? { check, seq, status: 'verified' }
          : { check, seq, status: 'verified', found: brief(found) },
      );
    },
    violated: (seq, contradiction) => {
      const { reason } = contradiction;
      const [expected, found] = [brief(contradiction.expected), brief(contradiction.found)];
      checks.push(
        reason === undefined
          ? { check, seq, status: 'violated', expected, found }
          : { check, seq, status: 'violated', expected, found, reason },
      );
    },
    notCheckable: (seq, reason) => {
      checks.push({ check, seq, status: 'notCheckable', reason });
    },
  };
}

const LONGEST_TEXT = 512;

/** A hostile log must not blow up its own report. */
function brief(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)`;
}

/** The report over finished checks. */
export function reportOf(checks: readonly AuditCheck[]): AuditReport {
  const count = (status: AuditStatus) => checks.filter((check) => check.status === status).length;
  return {
    verified: count('verified'),
    violated: count('violated'),
    notCheckable: count('notCheckable'),
    checks,
  };
}
