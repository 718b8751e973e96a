import type { LegFunds, NextStep, SwapFunds } from '../../machines/swap-verdict.ts';
import type { UnixSeconds } from '../primitives/time.ts';
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

type Open = {
  readonly role: string | null;
  readonly outcome: string | null;
  readonly next: NextStep | null;
  readonly funds: SwapFunds | null;
};

/** A node refunds when the median time of the last blocks has passed the lock, which may be two hours behind (BIP 113). */
const MEDIAN_LAG_SECONDS = 2 * 60 * 60;

/**
 * Whether a node should have moved coins by `now`, and as far as the log shows it did not: the time of its step has
 * passed while its own payment is in the open or the other one is still to be claimed, or both payments could be
 * refunded long ago and its own was not. Then the other side may act first, so that somebody must look whether the
 * node runs.
 */
export function isOverdue({ role, outcome, next, funds }: Open, now: UnixSeconds | undefined): boolean {
  if (now === undefined || next?.who !== 'engine' || funds === null) return false;
  const own = role === 'maker' ? funds.makerPayment : funds.takerPayment;
  const isOut = own.status === 'locked' || own.status === 'uncertain';
  if (next.until !== null) return now > next.until && (isOut || outcome === 'claim-pending');
  const locks = [funds.makerPayment, funds.takerPayment].flatMap(refundLocks);
  return outcome === 'refund-pending' && isOut && locks.length > 0 && now > Math.max(...locks) + MEDIAN_LAG_SECONDS;
}

function refundLocks({ claimable }: LegFunds): readonly UnixSeconds[] {
  return claimable.flatMap(({ how, from }) => (how === 'refund' && from !== null ? [from] : []));
}

/** Said of a swap that is lost, where nothing is left to be said of a next step. */
export const LOST = 'the other side has both payments, and nothing on the chains brings the coins back.';

/** Whether the outcome alone makes a user look: a person must act, or the coins are lost. */
export function isAlarming(swap: Parameters<typeof waitsForPerson>[0]): boolean {
  return swap.outcome === 'lost' || waitsForPerson(swap);
}

type Standing = Pick<ReplayedSwap, 'anomalies' | 'outcome' | 'next' | 'role' | 'funds'> & {
  /** Where the log was looked at for it. */
  readonly end?: PaymentEnd | null | undefined;
  /** The moment to judge for; without one, no step is overdue. */
  readonly now?: UnixSeconds;
};

/**
 * Whether the user must look at a swap: coins are at risk and no node moves them automatically, or the log has a fault.
 * Every command that reads swaps then exits with status 1.
 */
export function needsLook(swap: Standing): boolean {
  return lookReason(swap) !== null;
}

/** Why {@link needsLook} says so, in words; null where it does not. */
export function lookReason({ anomalies, outcome, next, end, role, funds, now }: Standing): string | null {
  if (end?.shown === 'denied')
    return `the transaction that the log calls the ${end.how} does not spend the ${end.payment} payment`;
  if (outcome === 'lost') return 'the other side has both payments';
  if (outcome === 'funds-at-risk') return 'coins are at risk, and no node moves them automatically';
  if (waitsForPerson({ outcome, next })) return 'the next step needs a person';
  if (isOverdue({ role, outcome, next, funds }, now)) return 'the time by which a node had to act has passed';
  const faults = anomalies.filter(({ severity }) => severity === 'fault').map(({ code }) => code);
  return faults.length === 0 ? null : `the log has a fault (${[...new Set(faults)].join(', ')})`;
}
