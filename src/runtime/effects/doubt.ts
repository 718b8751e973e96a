import type { PreparedRecord } from '../../../machines/journal/context.ts';
import type { Transaction } from '../../events/payloads.ts';
import type { PaymentFunding, PaymentView } from '../../ports/chain.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Leg } from '../command.ts';
import { type Turn, wakeAt } from '../turn.ts';

/*
 * A chain may answer by too few servers to be believed, such as one of two. Nothing is concluded then, nothing is paid, no secret is shown for the
 * first time, and no refund begins. What the log is bound to already is kept on its way all the same: a claim with a secret that is out, and a
 * refund whose lock the log knows to have passed. Both spend the output that the log names, so that of all variants one confirms at most, and a
 * server that lies can cost a fee within its usual bound, and no payment.
 */

/** What too few say of a payment that the log names. */
export type Doubtful = { readonly at: Millis; readonly view: PaymentView; readonly funding: PaymentFunding };

/** What too few say of this payment; null where nobody does, or they show none or another one. */
export function seenInDoubt(
  { facts }: Pick<Turn, 'facts'>,
  { leg, payment }: { readonly leg: Leg; readonly payment: Transaction | null },
): Doubtful | null {
  const seen = onLeg(facts.doubtful, leg);
  const funding = seen?.value.funding ?? null;
  if (seen === null || funding === null || funding.tx.tx_hash !== payment?.tx_hash) return null;
  return { at: seen.at, view: seen.value, funding };
}

/** The own variant that they show waiting for a block; undefined where they show no spend, null where they show one that ends it or is not known. */
export function shownInDoubt(
  { view: { spend } }: Doubtful,
  variants: readonly PreparedRecord[],
): string | undefined | null {
  if (spend === null) return undefined;
  const shown = variants.find(({ tx }) => tx.tx_hash === spend.tx?.tx_hash);
  return shown === undefined || spend.confirmations > 0 ? null : shown.tx.tx_hash;
}

/** Whether a variant went out so lately that no look can tell yet whether it is gone again; the turn wakes when one can. */
export function isOutLately(turn: Turn, { at }: Doubtful, { acceptedAt }: PreparedRecord): boolean {
  if (acceptedAt === null) return false;
  const since = acceptedAt + turn.policy.dropAfter * 1000;
  if (turn.now < since) wakeAt(turn, since);
  return turn.now < since || at <= acceptedAt;
}

/** Whether they say that its fee is too low, or show it waiting. What they hide is sent to them again, and not at a higher fee. */
export function isWantedDearer({ refused }: PreparedRecord, shown: string | undefined): boolean {
  return refused === 'feeTooLow' || shown !== undefined;
}
