import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import type { StoredTransaction } from '../../../events/payloads.ts';
import type { PaymentFunding, PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Millis } from '../../../primitives/time.ts';
import type { Leg } from '../../command.ts';
import { type Proposal, type Turn, wakeAt } from '../turn.ts';
import { variantToFollow, variantToSend } from './variants.ts';

/*
 * A chain may answer through too few servers to be believed, such as one of two. Then the engine concludes nothing, pays nothing, reveals no secret
 * for the first time, and starts no refund. It still keeps sending what the log is already committed to: a claim with a public secret, and a refund
 * whose lock has passed according to the log. Both spend the output that the log names, so at most one of all variants confirms, and a lying server
 * can cost a fee within its usual limit, but no payment.
 */

/** What too few servers say about a payment that the log names. */
export type Doubtful = { readonly at: Millis; readonly view: PaymentView; readonly funding: PaymentFunding };

/** What too few servers say about this payment; null if none do, or they show none or another one. */
export function seenInDoubt(
  { facts }: Pick<Turn, 'facts'>,
  { leg, payment }: { readonly leg: Leg; readonly payment: StoredTransaction | null },
): Doubtful | null {
  const seen = onLeg(facts.doubtful, leg);
  const funding = seen?.value.funding ?? null;
  if (seen === null || funding === null || funding.tx.tx_hash !== payment?.tx_hash) return null;
  return { at: seen.at, view: seen.value, funding };
}

/** The own variant that they show waiting for a block; undefined if they show no spend, null if they show one that ends it or is unknown. */
export function shownInDoubt(
  { view: { spend } }: Doubtful,
  variants: readonly PreparedRecord[],
): string | undefined | null {
  if (spend === null) return undefined;
  const shown = variants.find(({ tx }) => tx.tx_hash === spend.tx?.tx_hash);
  return shown === undefined || spend.confirmations > 0 ? null : shown.tx.tx_hash;
}

/** A claim or a refund that too few servers report, and how its variants are made and sent. */
export type Kept = {
  readonly leg: Leg;
  readonly seen: Doubtful;
  readonly variants: readonly PreparedRecord[];
  /** The variant that they show waiting for a block; undefined if they show none. */
  readonly shown: string | undefined;
  readonly first: () => Proposal;
  readonly needsBetter: (record: PreparedRecord) => boolean;
  /** The next variant, at a higher fee; null if none can be signed. */
  readonly better: (record: PreparedRecord) => Proposal;
  readonly send: (record: PreparedRecord) => Proposal;
};

/** Keeps a variant with these servers: the current one, the next more expensive one if they want it, or a first one if there is none. */
export function keepInDoubt(turn: Turn, { leg, seen, variants, shown, ...ways }: Kept): Proposal {
  const record =
    shown === undefined ? variantToSend(turn, leg, variants) : variantToFollow(turn, leg, { variants, shown });
  if (record === 'wait') return null;
  if (record === null) return ways.first();
  if (!turn.facts.broadcasts.has(record.tx.tx_hash)) {
    if (record === variants.at(-1) && isWantedDearer(record, shown) && ways.needsBetter(record)) {
      const dearer = ways.better(record);
      if (dearer !== null) return dearer;
    }
    if (record.tx.tx_hash === shown || isOutLately(turn, seen, record)) return null;
  }
  return ways.send(record);
}

/** Whether a variant went out so recently that no look can tell yet whether it is gone again; the turn wakes when one can. */
function isOutLately(turn: Turn, { at }: Doubtful, { acceptedAt }: PreparedRecord): boolean {
  if (acceptedAt === null) return false;
  const since = acceptedAt + turn.policy.dropAfter * 1000;
  if (turn.now < since) wakeAt(turn, since);
  return turn.now < since || at <= acceptedAt;
}

/** Whether they say that its fee is too low, or show it waiting. A variant that they hide is sent to them again, but not at a higher fee. */
function isWantedDearer({ refused }: PreparedRecord, shown: string | undefined): boolean {
  return refused === 'feeTooLow' || shown !== undefined;
}
