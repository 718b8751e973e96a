import type { Findings } from './report.ts';
import type { AuditedSwap } from './swap-view.ts';

/** A check as its documentation lists it. */
export type AuditRule = {
  /** Stable id, in kebab case. */
  readonly check: string;
  /** What is checked against what, in one sentence. */
  readonly describes: string;
  /** Where the rule comes from. */
  readonly source: string;
};

/** A check of a stored swap. It never throws, whatever the log holds, and takes time linear in the size of the log. */
export type SwapRule = AuditRule & { readonly run: (swap: AuditedSwap, findings: Findings) => void };
