import type { Want } from '../../../../machines/definition.ts';
import { waitedTooLongForSpend } from '../../../htlc/error-texts.ts';
import type { SwapMessage } from '../../../ports/peers.ts';
import { type Millis, toUnixSeconds } from '../../../primitives/time.ts';
import { watchTopic } from '../../watch-topics.ts';
import { append, clockOf, lookPayment, nudgePayment, type Proposal, resend, type Turn, wakeAt } from '../turn.ts';
import { speedUpPayment } from './child.ts';
import { keepPayment, tellTaken } from './keep-payment.ts';
import { takenPayment } from './own-things.ts';
import { deadlineOf } from './pay.ts';

/**
 * The taker has paid and waits for the maker's claim, which reveals the secret. It repeats its messages to the maker
 * and the watchers, keeps its payment on the chain, and goes on to the refund once the chain says that it accepts one.
 */
export function waitForTakerPaymentSpend(turn: Turn, want: Want): Proposal {
  const { swap, events, policy } = turn;
  const told = tellTaken(turn);
  if (told !== null) return told;
  const mine = lookPayment(turn, swap.own, policy.spendPoll);
  if ('pending' in mine) return mine.pending;
  const { spend, funding, refundable } = mine.value;
  if (spend?.how === 'secret' && spend.tx !== null && spend.secret !== null) {
    return append({ type: 'TakerPaymentSpent', data: { transaction: spend.tx, secret: spend.secret } });
  }
  const taken = takenPayment(turn);
  if (taken !== null)
    return append({ type: 'TakerPaymentWaitForSpendFailed', data: { error: taken } }, events.refundWaitStarted());
  // The chain decides whether the lock has passed: the host's clock may stand still, jump or be wrong.
  if (want.until !== undefined && (refundable || spend?.how === 'refund')) return lockPassed(turn, want);
  if (funding === null) {
    const again = keepPayment(turn);
    if (again !== null) return again;
  } else {
    const nudge = nudgePayment(turn, funding.confirmations) ?? speedUpPayment(turn, funding);
    if (nudge !== null) return nudge;
    const resent = resend(turn, {
      topic: `swap/${swap.uuid}`,
      message: { kind: 'takerPayment', tx: funding.tx },
      every: policy.resend.payment,
    });
    if (resent !== null) return resent;
  }
  return watcherMessage(turn);
}

function lockPassed({ swap, events }: Turn, want: Want): Proposal {
  const error = waitedTooLongForSpend(swap.ownPayment?.tx_hash ?? '', toUnixSeconds(want.until ?? (0 as Millis)));
  return append(
    deadlineOf(want, clockOf(swap.own)),
    { type: 'TakerPaymentWaitForSpendFailed', data: { error } },
    events.refundWaitStarted(),
  );
}

function watcherMessage(turn: Turn): Proposal {
  const { swap, events, facts, policy } = turn;
  if (swap.state !== 'waitingForSpendWatched') return null;
  const next = (facts.sentAt.get('watcher') ?? 0) + policy.resend.payment * 1000;
  if (next > turn.now) return wakeAt(turn, next);
  const watch = events.watch();
  if (watch === null) return null;
  const message: SwapMessage = { kind: 'watcher', watch };
  // Signed with the key that paid the fee and the payment, so only the taker can request a watch of them.
  const signer = watch.taker_pub === null ? {} : { signer: watch.taker_pub };
  return resend(turn, { topic: watchTopic(watch.taker_coin), message, every: policy.resend.payment, ...signer });
}
