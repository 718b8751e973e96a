import type { PaymentView } from '../../ports/chain.ts';
import { type Seconds, toUnixSeconds } from '../../primitives/time.ts';
import { type Look, lookFresh, lookPayment, lookTransaction } from '../swap/turn.ts';
import type { WatcherTurn } from './turn.ts';

/** The taker payment, found by its id until its amount is known, and by its terms from then on. */
export function lookTakerPayment(turn: WatcherTurn, maxAge: Seconds): Look<PaymentView> {
  return turn.swap.ownTerms === null ? lookForAmount(turn, maxAge) : lookPayment(turn, 'taker', maxAge);
}

/** The same, as recent as an action needs. */
export function lookTakerPaymentFresh(turn: WatcherTurn, maxAge: Seconds): Look<PaymentView> {
  return turn.swap.ownTerms === null ? lookForAmount(turn, maxAge) : lookFresh(turn, 'taker', maxAge);
}

function lookForAmount(turn: WatcherTurn, maxAge: Seconds): Look<PaymentView> {
  const look = lookTransaction(turn, 'taker', { hash: turn.watch.taker_payment_hash, maxAge });
  if ('pending' in look) return look;
  const isThere = look.value.status === 'mempool' || look.value.status === 'confirmed';
  // The chain has it but does not give its bytes: then nobody can say whether it is the payment of the message.
  const problem = isThere ? 'the bytes of the taker payment cannot be read' : null;
  const clock = toUnixSeconds(turn.now);
  return { value: { funding: null, problem, spend: null, refundable: false, clock, height: 0 } };
}
