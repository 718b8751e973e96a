import { currentPrepared } from '../../../machines/journal/context.ts';
import { onLeg } from '../../primitives/pair.ts';
import { append, broadcastOwn, type Look, latestClock, lookTransaction, type Turn, wakeIn } from '../turn.ts';

/**
 * Whether nothing is left to do for the own fee of a swap that is over.
 *
 * A node may lose a fee that it took, or drop it while it waits. Whoever was shown it can send it again at any time, so that its
 * coins are as good as spent, and on an account every later nonce waits for its own: it goes out again until a block that is final
 * holds it, or another transaction in its place. A block that is not can lose it as well.
 */
export function isFeeOut(turn: Turn): Look<true> {
  const { swap, journal, policy, traits } = turn;
  const record = currentPrepared(journal, 'fee');
  // What no node took is given back to the wallet with the end of the swap.
  if (record === null || record.acceptedAt === null || isOld(turn)) return OUT;
  const look = lookTransaction(turn, swap.own, { hash: record.tx.tx_hash, maxAge: policy.refundPoll });
  if ('pending' in look) return look;
  const { status, confirmations } = look.value;
  if (confirmations >= onLeg(traits, swap.own).finality) return OUT;
  if (status !== 'unknown') return { pending: wakeIn(turn, policy.refundPoll) };
  if (record.refused === 'inputsSpent' || record.refused === 'nonceUsed' || record.refused === 'invalid') return OUT;
  const sent = broadcastOwn(turn, swap.own, { purpose: 'fee', record });
  return { pending: 'pending' in sent ? sent.pending : append(...sent.accepted) };
}

const OUT: Look<true> = { value: true };

/** As long as a finished swap is watched at most. To give up is safe, so that the latest clock decides. */
function isOld(turn: Turn): boolean {
  const { swap, policy } = turn;
  return latestClock(turn) - swap.lastEventAt > policy.guardFor * 1000;
}
