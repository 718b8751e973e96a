import { oldestFee } from '../../../machines/watcher/deadlines.ts';
import type { WatcherWant } from '../../../machines/watcher/wants.ts';
import type { Watch } from '../../events/watcher.ts';
import { waitedTooLongToConfirm } from '../../htlc/error-texts.ts';
import type { FeeCheck } from '../../ports/chain.ts';
import { toUnixSeconds } from '../../primitives/time.ts';
import { append, ask, latestClock, type Proposal, wakeAt } from '../swap/turn.ts';
import { lookTakerPayment } from './look.ts';
import { deadlineReached, stopped, type WatcherTurn } from './turn.ts';

/**
 * A watcher works for takers who paid their fee for this swap: at the start, the fee is no older than the lock duration of the swap's payments. As in
 * the real node, it does not check the amount.
 */
export function validateTakerFee(turn: WatcherTurn): Proposal {
  const { facts, policy, watch, now } = turn;
  const seen = facts.feeCheck;
  if (seen?.value === null) return append({ type: 'TakerFeeValidated', data: null });
  if (seen !== null) {
    if (facts.feeChecks >= policy.feeCheck.retries) return append(stopped('InvalidTakerFee', seen.value));
    const next = seen.at + policy.feeCheck.pause * 1000;
    if (now < next) return wakeAt(turn, next);
  }
  return ask(turn, 'taker', { op: 'checkFee', check: feeCheckOf(watch) });
}

/** A watcher's question to the taker's chain about the fee of a watch. */
export function feeCheckOf(watch: Watch): FeeCheck {
  return {
    tx: null,
    hash: watch.taker_fee_hash,
    payer: watch.taker_pub,
    feeSat: null,
    burnSat: 0n,
    minHeight: watch.taker_coin_start_block,
    notBefore: oldestFee(watch),
  };
}

/** The taker's payment must exist, as the message says, before the watcher does anything for it. */
export function validateTakerPayment(turn: WatcherTurn, want: WatcherWant<string>): Proposal {
  const { now, policy, watch, swap } = turn;
  const { until } = want;
  if (want.notBefore !== undefined && now < want.notBefore) return wakeAt(turn, want.notBefore);
  if (swap.refundProblem !== null) return append(stopped('InvalidTakerPayment', swap.refundProblem));
  const look = lookTakerPayment(turn, policy.confirmationPoll);
  if ('pending' in look) return look.pending;
  const { funding, problem, spend } = look.value;
  const confirmations = funding?.confirmations ?? -1;
  if (problem === null && confirmations >= Math.min(watch.taker_payment_confirmations, 1)) {
    return append({ type: 'TakerPaymentValidated', data: null });
  }
  if (problem === null && spend !== null) return append({ type: 'TakerPaymentValidated', data: null });
  // What is in a block will not change; the right payment may still replace what waits in a mempool.
  if (problem !== null && confirmations > 0) return append(stopped('InvalidTakerPayment', problem));
  if (until === undefined) return null;
  if (latestClock(turn) <= until) return wakeAt(turn, until + 1);
  const late = deadlineReached(turn, { kind: 'takerPaymentConfirmation', at: until });
  if (funding === null) return append(late, stopped('InvalidTakerPayment', 'the taker payment is not on the chain'));
  if (problem !== null) return append(late, stopped('InvalidTakerPayment', problem));
  const least = { until: toUnixSeconds(until), confirmations: 1 };
  const error = waitedTooLongToConfirm(funding.tx.tx_hash, least);
  return append(late, stopped('TakerPaymentNotConfirmed', error));
}
