import { everAttempted } from '../../../../machines/journal/context.ts';
import type { MakerSwapContext } from '../../../../machines/maker-swap/context.ts';
import { feeTaken, paymentTaken, secretHashTaken } from '../../../htlc/error-texts.ts';
import type { Turn } from '../turn.ts';

type Looking = Pick<Turn, 'swap' | 'claims'>;

/** Why a secret hash cannot serve this swap: another swap of the node has it. Null if it can. */
export function secretTaken({ claims }: Pick<Turn, 'claims'>, hash: string): string | null {
  const holder = claims.secretHash(hash);
  return holder === null ? null : secretHashTaken(holder);
}

/** The same for a fee, by its id. */
export function takenFee({ claims }: Pick<Turn, 'claims'>, hash: string): string | null {
  const holder = claims.transaction(hash);
  return holder === null ? null : feeTaken(hash, holder);
}

/**
 * Why the other's payment cannot serve this swap: its secret hash or its transaction belongs to another swap, which found it first. It is still a
 * payment to this node, but for that swap to claim. Null if it can.
 *
 * @param funding The transaction that a look has just shown. @defaultValue the one that the log holds
 */
export function takenPayment(turn: Looking, funding: string | null = null): string | null {
  const { swap, claims } = turn;
  const { otherTerms } = swap;
  const hash = otherTerms === null ? null : secretTaken(turn, otherTerms.secretHash);
  if (hash !== null) return hash;
  for (const tx_hash of [funding, swap.otherPayment?.tx_hash]) {
    const holder = tx_hash === null || tx_hash === undefined ? null : claims.transaction(tx_hash);
    if (holder !== null) return paymentTaken(tx_hash as string, holder);
  }
  return null;
}

/** The same once coins are at stake: also null if this swap has tried to claim the payment, which it then finishes. */
export function ofAnotherSwap(turn: Turn): string | null {
  const { swap, journal } = turn;
  return swap.claim !== null || everAttempted(journal, 'claim') ? null : takenPayment(turn);
}

/** Why this swap must not pay on the basis of what it was given. */
export function takenBeforePaying(turn: Turn, funding: string | null = null): string | null {
  const { swap, context } = turn;
  const fee = swap.role === 'maker' ? (context as MakerSwapContext).takerFee : null;
  return takenPayment(turn, funding) ?? (fee === null ? null : takenFee(turn, fee.tx_hash));
}
