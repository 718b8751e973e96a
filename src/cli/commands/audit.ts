import { auditSwap } from '../../replay/audit/audit-swap.ts';
import { auditChain } from '../../replay/audit/chain.ts';
import { type AuditReport, reportOf } from '../../replay/audit/report.ts';
import { createSharingAudit } from '../../replay/audit/sharing.ts';
import { outcomeEnd } from '../../replay/payment-ends.ts';
import { replaySwap } from '../../replay/swaps.ts';
import { moment } from '../arguments.ts';
import { eachSwap, type ReadableSwap } from '../each-swap.ts';
import { lookReason } from '../findings.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { addAudit, auditSummary, auditText, emptyAuditTotals } from '../render/audit.ts';
import { count } from '../render/text.ts';
import { errorRow } from '../rows.ts';
import type { SelectionOptions } from '../selection.ts';

export type AuditOptions = SelectionOptions & { readonly json?: boolean; readonly only?: 'violated' };

/** `swapfold audit`: every check of every swap, and of all of them together. */
export function auditCommand(
  inputs: readonly string[],
  { io, json = false, only, ...selection }: AuditOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const totals = emptyAuditTotals();
  const onlyViolated = only === 'violated';
  const sharing = createSharingAudit();
  return eachSwap(inputs, {
    io,
    json,
    selection,
    records: true,
    swap(read) {
      const { file, log } = read;
      const audit = auditOf(read, sharing);
      addAudit(totals, audit);
      const { verified, violated, notCheckable, checks } = audit;
      const shown = onlyViolated ? checks.filter(({ status }) => status === 'violated') : checks;
      const swap = replaySwap(log);
      const look = lookReason({ ...swap, end: outcomeEnd(swap, { log }), now: moment('now') });
      const why = look === null ? {} : { look };
      return {
        row: { file, uuid: log.uuid, audit: { verified, violated, notCheckable, checks: shown }, ...why },
        text: (style) => auditText({ file, uuid: log.uuid, audit, ...why }, { style, onlyViolated }),
        findings: violated > 0 || look !== null,
      };
    },
    unreadRow: ({ file, uuid, error, line }) => ({
      file,
      uuid,
      audit: { verified: 0, violated: 0, notCheckable: 0, checks: [] },
      error: errorRow(error, line),
    }),
    onUnread: ({ error }) => count(totals.errors, error.code),
    summary: (style) => auditSummary(totals, style),
  });
}

/** Each swap is held against those before it; a log that came as sealed records against its seals as well. */
function auditOf({ log, records }: ReadableSwap, sharing: ReturnType<typeof createSharingAudit>): AuditReport {
  const { checks } = auditSwap(log);
  return reportOf([...checks, ...sharing(log), ...(records === undefined ? [] : auditChain(records))]);
}
