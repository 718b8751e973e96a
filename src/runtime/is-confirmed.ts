import type { PaymentFunding } from '../ports/chain.ts';

/** What a swap's parties agreed on for a payment. */
export type Confirmation = {
  readonly confirmations: number;
  /** Whether it must be notarized as well. */
  readonly requiresNota: boolean;
};

/**
 * Whether a payment counts as confirmed. A transaction in a mempool can be replaced, so it needs one confirmation even
 * if none was required.
 */
export function isConfirmed(funding: PaymentFunding, { confirmations, requiresNota }: Confirmation): boolean {
  return funding.confirmations >= Math.max(1, confirmations) && (!requiresNota || funding.notarised === true);
}

/** What was agreed for the other side's payment. */
export function agreedForOther(swap: {
  readonly otherConfirmations: number;
  readonly otherRequiresNota: boolean;
}): Confirmation {
  return { confirmations: swap.otherConfirmations, requiresNota: swap.otherRequiresNota };
}
