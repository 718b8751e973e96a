import type { NextStep } from '../../machines/swap-verdict.ts';
import type { PaymentEnd } from '../replay/payment-ends.ts';
import type { ReplayedSwap } from '../replay/swaps.ts';

/** Whether coins are at risk, and no node moves them automatically. */
export function waitsForPerson({
  outcome,
  next,
}: {
  readonly outcome: string | null;
  readonly next: NextStep | null;
}): boolean {
  return outcome === 'funds-at-risk' || next?.who === 'operator';
}

/** Said of a swap that is lost, where nothing is left to be said of a next step. */
export const LOST = 'the other side has both payments, and nothing on the chains brings the coins back.';

/** Whether the outcome alone makes a user look: a person must act, or the coins are lost. */
export function isAlarming(swap: Parameters<typeof waitsForPerson>[0]): boolean {
  return swap.outcome === 'lost' || waitsForPerson(swap);
}

type Standing = Pick<ReplayedSwap, 'anomalies' | 'outcome' | 'next'> & {
  /** Where the log was looked at for it. */
  readonly end?: PaymentEnd | null | undefined;
};

/**
 * Whether the user must look at a swap: coins are at risk and no node moves them automatically, or the log has a fault.
 * Every command that reads swaps then exits with status 1.
 */
export function needsLook(swap: Standing): boolean {
  return lookReason(swap) !== null;
}

/** Why {@link needsLook} says so, in words; null where it does not. */
export function lookReason({ anomalies, outcome, next, end }: Standing): string | null {
  if (end?.shown === 'denied')
    return `the transaction that the log calls the ${end.how} does not spend the ${end.payment} payment`;
  if (outcome === 'lost') return 'the other side has both payments';
  if (outcome === 'funds-at-risk') return 'coins are at risk, and no node moves them automatically';
  if (waitsForPerson({ outcome, next })) return 'the next step needs a person';
  const faults = anomalies.filter(({ severity }) => severity === 'fault').map(({ code }) => code);
  return faults.length === 0 ? null : `the log has a fault (${[...new Set(faults)].join(', ')})`;
}
