import { auditSwap } from '../../replay/audit/audit-swap.ts';
import { auditChain } from '../../replay/audit/chain.ts';
import { type AuditReport, reportOf } from '../../replay/audit/report.ts';
import { eachSwap, type ReadableSwap } from '../each-swap.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { addAudit, auditSummary, auditText, emptyAuditTotals } from '../render/audit.ts';
import { count } from '../render/text.ts';
import { errorRow } from '../rows.ts';

export type AuditOptions = { readonly json?: boolean; readonly only?: 'violated' };

/** `swapfold audit`: every check of every swap. */
export function auditCommand(
  inputs: readonly string[],
  { io, json = false, only }: AuditOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const totals = emptyAuditTotals();
  const onlyViolated = only === 'violated';
  return eachSwap(inputs, {
    io,
    json,
    records: true,
    swap(read) {
      const { file, log } = read;
      const audit = auditOf(read);
      addAudit(totals, audit);
      const { verified, violated, notCheckable, checks } = audit;
      const shown = onlyViolated ? checks.filter(({ status }) => status === 'violated') : checks;
      return {
        row: { file, uuid: log.uuid, audit: { verified, violated, notCheckable, checks: shown } },
        text: (style) => auditText({ file, uuid: log.uuid, audit }, { style, onlyViolated }),
        findings: violated > 0,
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

/** A log that came as sealed records is held against its seals as well. */
function auditOf({ log, records }: ReadableSwap): AuditReport {
  const report = auditSwap(log);
  return records === undefined ? report : reportOf([...report.checks, ...auditChain(records)]);
}
