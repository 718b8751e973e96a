import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import type { StoredTransaction } from '../../../events/payloads.ts';
import type { PaymentFunding, PaymentView } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Millis } from '../../../primitives/time.ts';
import type { Leg } from '../../command.ts';
import { type Proposal, type Turn, wakeAt } from '../turn.ts';
import { variantToFollow, variantToSend } from './variants.ts';

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
  { leg, payment }: { readonly leg: Leg; readonly payment: StoredTransaction | null },
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

/** A claim or a refund of which too few servers tell, and how its variants are made and sent. */
export type Kept = {
  readonly leg: Leg;
  readonly seen: Doubtful;
  readonly variants: readonly PreparedRecord[];
  /** The variant that they show waiting for a block; undefined where they show none. */
  readonly shown: string | undefined;
  readonly first: () => Proposal;
  readonly needsBetter: (record: PreparedRecord) => boolean;
  /** The next variant, at a higher fee; null where none can be signed. */
  readonly better: (record: PreparedRecord) => Proposal;
  readonly send: (record: PreparedRecord) => Proposal;
};

/** Keeps a variant with them: the one that stands, the next dearer one where they want it, or a first one where there is none. */
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

/** Whether a variant went out so lately that no look can tell yet whether it is gone again; the turn wakes when one can. */
function isOutLately(turn: Turn, { at }: Doubtful, { acceptedAt }: PreparedRecord): boolean {
  if (acceptedAt === null) return false;
  const since = acceptedAt + turn.policy.dropAfter * 1000;
  if (turn.now < since) wakeAt(turn, since);
  return turn.now < since || at <= acceptedAt;
}

/** Whether they say that its fee is too low, or show it waiting. What they hide is sent to them again, and not at a higher fee. */
function isWantedDearer({ refused }: PreparedRecord, shown: string | undefined): boolean {
  return refused === 'feeTooLow' || shown !== undefined;
}
