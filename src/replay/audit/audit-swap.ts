import type { SwapLog } from '../../events/saved-swap.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import { auditRules } from './registry.ts';
import { type AuditCheck, type AuditReport, findingsOf, reportOf } from './report.ts';
import { auditedSwap } from './swap-view.ts';

export type AuditOptions = {
  /** The network whose trading fee the taker owed. @defaultValue KDF's, by the rules of all its releases up to 2025 */
  readonly network?: NetworkProfile;
};

/**
 * Holds a stored swap against itself: ids against bytes, payments and spends against the terms, the secret against its hash,
 * the fee against the formula, times against the rules. It uses the log alone, no chain and no key.
 *
 * Violated means that two parts of the log contradict each other, or that a rule is broken which has no exception. What cannot
 * be decided from the log is not checkable, with the reason. A log that passes may still be invented as a whole: an audit proves
 * that a log is consistent, not that it happened. Never throws; takes time linear in the size of the log.
 */
export function auditSwap(log: SwapLog, options: AuditOptions = {}): AuditReport {
  const swap = auditedSwap(log, options.network);
  const checks: AuditCheck[] = [];
  for (const rule of auditRules) rule.run(swap, findingsOf(rule.check, checks));
  return reportOf(checks);
}
