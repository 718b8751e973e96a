import type { Want } from '../../../machines/definition.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { append, lookPayment, nudgePayment, type Proposal, resend, type Turn, wakeAt } from '../turn.ts';
import { deadlineReached } from './pay.ts';
import { keepPayment } from './refund.ts';

/**
 * The taker has paid and waits for the maker to take it, which reveals the secret. It keeps telling the maker and the
 * watchers, keeps its payment on the chain, and heads for the refund once its lock has passed.
 */
export function waitForTakerPaymentSpend(turn: Turn, want: Want): Proposal {
  const { swap, policy } = turn;
  const mine = lookPayment(turn, swap.own, policy.spendPoll);
  if ('pending' in mine) return mine.pending;
  const { spend, funding } = mine.value;
  if (spend?.how === 'secret' && spend.tx !== null && spend.secret !== null) {
    return append({ type: 'TakerPaymentSpent', data: { transaction: spend.tx, secret: spend.secret } });
  }
  if (want.until !== undefined) {
    if (turn.now > want.until || spend?.how === 'refund') return lockPassed(turn, want);
    wakeAt(turn, want.until + 1);
  }
  if (funding === null) {
    const again = keepPayment(turn);
    if (again !== null) return again;
  } else {
    const nudge = nudgePayment(turn, funding.confirmations);
    if (nudge !== null) return nudge;
    const told = resend(turn, {
      topic: `swap/${swap.uuid}`,
      message: { kind: 'takerPayment', tx: funding.tx },
      every: policy.resend.payment,
    });
    if (told !== null) return told;
  }
  return watcherMessage(turn);
}

function lockPassed({ swap, events }: Turn, want: Want): Proposal {
  const hash = swap.ownPayment?.tx_hash ?? '';
  const until = want.until === undefined ? 0 : want.until / 1000;
  const error = `Waited too long until ${until} for transaction ${hash} 0 to be spent`;
  return append(
    deadlineReached(want),
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
  return resend(turn, { topic: `swpwtchr/${watch.taker_coin}`, message, every: policy.resend.payment });
}
