import { currentPrepared, type PreparedRecord } from '../../../../machines/journal/context.ts';
import type { Purpose } from '../../../events/journal.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Leg } from '../../command.ts';
import { append, broadcastOwn, type Look, latestClock, lookTransaction, type Turn, wakeIn } from '../turn.ts';

/**
 * Whether nothing is left to do for the fee of a finished swap, and for the children of what it sent.
 *
 * A node may lose a fee that it accepted, or drop it while it waits. Anyone who has seen it can send it again at any time, so its coins count as
 * spent, and on an account every later nonce waits for its nonce. So it goes out again until a final block holds it, or another transaction in its
 * place; a block that is not final may still lose it. The same goes for a child, whose parent may have been included without it.
 */
export function isFeeOut(turn: Turn): Look<true> {
  const { swap, journal } = turn;
  if (isOld(turn)) return OUT;
  const fee = currentPrepared(journal, 'fee');
  const left = fee === null ? OUT : isOut(turn, swap.own, { purpose: 'fee', record: fee });
  if ('pending' in left) return left;
  for (const purpose of ['claimChild', 'refundChild', 'paymentChild'] as const) {
    for (const record of journal.prepared[purpose]) {
      const child = isOut(turn, purpose === 'claimChild' ? swap.other : swap.own, { purpose, record });
      if ('pending' in child) return child;
    }
  }
  return OUT;
}

type Sent = { readonly purpose: Purpose; readonly record: PreparedRecord };

function isOut(turn: Turn, leg: Leg, { purpose, record }: Sent): Look<true> {
  const { policy, traits } = turn;
  // What no node accepted goes back to the wallet when the swap ends.
  if (record.acceptedAt === null || record.dead) return OUT;
  const look = lookTransaction(turn, leg, { hash: record.tx.tx_hash, maxAge: policy.refundPoll });
  if ('pending' in look) return look;
  const { status, confirmations } = look.value;
  if (confirmations >= onLeg(traits, leg).finality) return OUT;
  if (status !== 'unknown') return { pending: wakeIn(turn, policy.refundPoll) };
  if (record.refused === 'inputsSpent' || record.refused === 'nonceUsed' || record.refused === 'invalid') return OUT;
  const sent = broadcastOwn(turn, leg, { purpose, record });
  return { pending: 'pending' in sent ? sent.pending : append(...sent.accepted) };
}

const OUT: Look<true> = { value: true };

/** The longest time for which a finished swap is watched. Giving up is safe, so the latest clock decides. */
function isOld(turn: Turn): boolean {
  const { swap, policy } = turn;
  return latestClock(turn) - swap.lastEventAt > policy.guardFor * 1000;
}
