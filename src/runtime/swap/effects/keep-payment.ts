import { currentPrepared, everAccepted } from '../../../../machines/journal/context.ts';
import { limitedWant } from '../../../../machines/swap/limits.ts';
import type { TakerSwapContext } from '../../../../machines/taker-swap/context.ts';
import { takerLimits } from '../../../../machines/taker-swap/deadlines.ts';
import { takerSide } from '../../../../machines/taker-swap/side.ts';
import { append, ask, broadcast, type Proposal, signedOf, type Turn } from '../turn.ts';
import { isLate, otherIsReady } from './pay.ts';
import { justTaken } from './variants.ts';

/** Sends this side's payment to the chain again while that is safe. */
export function keepPayment(turn: Turn): Proposal {
  const { swap, journal } = turn;
  const record = currentPrepared(journal, 'payment');
  if (record === null) {
    if (swap.ownPayment === null || swap.ownPayment.tx_hex === '') return null;
    const { tx_hex, tx_hash } = swap.ownPayment;
    return ask(turn, swap.own, { op: 'broadcast', transaction: { tx_hex, tx_hash }, key: `broadcast:${tx_hash}` });
  }
  // A look may have shown it before any node accepted it: the first answer belongs in the log.
  const told = tellTaken(turn);
  if (told !== null) return told;
  const may = everAccepted(journal, 'payment') ? true : mayPay(turn);
  if (may !== true) return may;
  if (record.acceptedAt === null) {
    const sent = broadcast(turn, swap.own, { purpose: 'payment', record });
    return 'pending' in sent ? sent.pending : append(...sent.accepted);
  }
  const transaction = signedOf(record.tx);
  return ask(turn, swap.own, { op: 'broadcast', transaction, key: `broadcast:${transaction.tx_hash}` });
}

/**
 * Whether a payment may go out that no node has accepted yet although the log has moved on, because a look showed another one that a node made up or
 * that is gone. Sending it means paying, and a taker pays only in time and against a confirmed payment.
 */
function mayPay(turn: Turn): true | Proposal {
  if (turn.swap.role === 'maker') return true;
  const side = takerSide(turn.swap.state, turn.context as TakerSwapContext);
  const want = limitedWant(takerLimits, 'sendTakerPayment', { side });
  return isLate(turn, want) ? null : otherIsReady(turn, want);
}

/** Records that a node has just accepted the own payment, which the log already calls sent. */
export function tellTaken(turn: Turn): Proposal {
  const taken = justTaken(turn, 'payment');
  return taken === null ? null : append(...taken.accepted);
}
