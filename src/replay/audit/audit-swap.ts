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
 * Checks a stored swap against itself: ids against bytes, payments and spends against the terms, the secret against its hash,
 * the fee against the formula, times against the rules. It uses the log alone, no chain and no key.
 *
 * Violated means that two parts of the log contradict each other, or that a rule is broken which has no exception. What the log cannot decide is not
 * checkable, with the reason. A log that passes may still be invented as a whole: an audit proves that a log is consistent, not that it happened.
 * Never throws; takes time linear in the size of the log.
 *
 * @example
 * ```ts
 * import { auditSwap, decodeSwapsText, savedSwapText } from 'swapfold';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const text = savedSwapText(buildSwap({ role: 'taker', path: successPath('taker') }));
 * const [swap] = decodeSwapsText(text.replaceAll('"maker_amount":"2.4"', '"maker_amount":"2.5"'));
 * if (!swap?.ok) throw swap?.error;
 * const wrong = auditSwap(swap.log).checks.find(({ status }) => status === 'violated');
 * wrong?.check; // → 'payment-amount'
 * wrong?.expected; // → '250000000 base units (2.5)'
 * wrong?.found; // → '240000000 base units'
 * ```
 */
export function auditSwap(log: SwapLog, options: AuditOptions = {}): AuditReport {
  const swap = auditedSwap(log, options.network);
  const checks: AuditCheck[] = [];
  for (const rule of auditRules) rule.run(swap, findingsOf(rule.check, checks));
  return reportOf(checks);
}
