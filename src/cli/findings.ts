import type { NextStep } from '../../machines/swap-verdict.ts';
import type { PaymentEnd } from '../replay/payment-ends.ts';
import type { ReplayedSwap } from '../replay/swaps.ts';

/** Whether coins are in the open, and no node moves them by itself. */
export function waitsForPerson({
  outcome,
  next,
}: {
  readonly outcome: string | null;
  readonly next: NextStep | null;
}): boolean {
  return outcome === 'funds-at-risk' || next?.who === 'operator';
}

type Standing = Pick<ReplayedSwap, 'anomalies' | 'outcome' | 'next'> & {
  /** Where the log was looked at for it. */
  readonly end?: PaymentEnd | null | undefined;
};

/**
 * Whether whoever runs a command must look at a swap: coins are in the open and no node moves them by itself, or the log has a fault. It is the exit
 * status 1 of every command that reads swaps.
 */
export function needsLook(swap: Standing): boolean {
  return lookReason(swap) !== null;
}

/** Why {@link needsLook} says so, in words; null where it does not. */
export function lookReason({ anomalies, outcome, next, end }: Standing): string | null {
  if (end?.shown === 'denied')
    return `the transaction that the log calls the ${end.how} does not spend the ${end.payment} payment`;
  if (outcome === 'funds-at-risk') return 'coins are at risk, and no node moves them by itself';
  if (waitsForPerson({ outcome, next })) return 'the next step is one for a person';
  const faults = anomalies.filter(({ severity }) => severity === 'fault').map(({ code }) => code);
  return faults.length === 0 ? null : `the log has a fault (${[...new Set(faults)].join(', ')})`;
}
