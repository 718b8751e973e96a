import type { AuditCheck, AuditReport } from '../../replay/audit/report.ts';
import { fitted } from './fitted.ts';
import { clean, count, counted, type Style, tally, wrap } from './text.ts';

export type AuditedFile = {
  readonly file: string;
  readonly uuid: string;
  readonly audit: AuditReport;
  readonly look?: string;
};

/** Columns from which a line has room for a whole uuid. */
const WIDE = 150;

/** The counts of a swap, each violated check with both values, and why other checks could not be made. */
export function auditText(
  { file, uuid, audit, look }: AuditedFile,
  { style, onlyViolated }: { readonly style: Style; readonly onlyViolated: boolean },
): string {
  const { paint, columns } = style;
  if (onlyViolated && audit.violated === 0 && look === undefined) return '';
  const violated = `${audit.violated} violated`;
  const counts = `${audit.verified} verified, ${audit.violated === 0 ? violated : paint.red(violated)}, ${audit.notCheckable} not checkable`;
  const head = `${paint.bold(columns < WIDE ? uuid.slice(0, 8) : uuid)}  ${counts}  ${paint.dim(clean(file))}`;
  const lines = [fitted(head, columns)];
  for (const check of audit.checks) if (check.status === 'violated') lines.push(...violation(check, style));
  if (look !== undefined)
    lines.push(
      `  ${paint.yellow('look')} ${wrap(`${look}: swapfold explain tells what to do`, { columns, indent: 7 })}`,
    );
  if (!onlyViolated) lines.push(...openQuestions(audit.checks, style));
  return `${lines.join('\n')}\n`;
}

function violation({ check, seq, expected, found, reason }: AuditCheck, { paint, columns }: Style): string[] {
  const value = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`      ${name.padEnd(8)}  ${wrap(text, { columns, indent: 16 })}`];
  return [
    `  ${paint.red('!')} ${check}${seq === null ? '' : ` at event ${seq}`}`,
    ...value('expected', expected),
    ...value('found', found),
    ...value('why', reason),
  ];
}

/** Reasons why checks could not be made, each with the checks that it stopped. */
function openQuestions(checks: readonly AuditCheck[], { columns, paint }: Style): string[] {
  const byReason = new Map<string, Map<string, number>>();
  for (const { status, check, reason = 'no reason given' } of checks) {
    if (status !== 'notCheckable') continue;
    const names = byReason.get(reason) ?? new Map<string, number>();
    count(names, check);
    byReason.set(reason, names);
  }
  return [...byReason].map(([reason, names]) => {
    const list = [...names].map(([name, times]) => (times === 1 ? name : `${name} (${times})`)).join(', ');
    return paint.dim(`  - ${wrap(`${list}: ${reason}`, { columns, indent: 4 })}`);
  });
}

export type AuditTotals = {
  swaps: number;
  verified: number;
  violated: number;
  notCheckable: number;
  readonly violatedChecks: Map<string, number>;
  readonly errors: Map<string, number>;
};

export function emptyAuditTotals(): AuditTotals {
  return { swaps: 0, verified: 0, violated: 0, notCheckable: 0, violatedChecks: new Map(), errors: new Map() };
}

export function addAudit(totals: AuditTotals, { verified, violated, notCheckable, checks }: AuditReport): void {
  totals.swaps++;
  totals.verified += verified;
  totals.violated += violated;
  totals.notCheckable += notCheckable;
  for (const { status, check } of checks) if (status === 'violated') count(totals.violatedChecks, check);
}

export function auditSummary(totals: AuditTotals, { paint, columns }: Style): string {
  const { swaps, verified, violated, notCheckable, violatedChecks, errors } = totals;
  const lines = [
    `${paint.bold(counted(swaps, 'swap'))}: ${verified} verified, ${violated} violated, ${notCheckable} not checkable`,
  ];
  if (violatedChecks.size > 0) lines.push(`${paint.red('violated')}: ${tally(violatedChecks)}`);
  if (errors.size > 0) lines.push(`${paint.red('not readable')}: ${tally(errors)}`);
  return fitted(`${lines.join('\n')}\n`, columns);
}
