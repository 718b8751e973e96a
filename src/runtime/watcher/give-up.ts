import { currentPrepared } from '../../../machines/journal/context.ts';
import type { WatcherWant } from '../../../machines/watcher/wants.ts';
import type { PaymentView } from '../../ports/chain.ts';
import type { Millis, UnixSeconds } from '../../primitives/time.ts';
import type { NewEvent } from '../command.ts';
import type { Seen } from '../facts.ts';
import { append, lastFault, latestClock, type Proposal, wakeAt, wakeIn } from '../swap/turn.ts';
import { lookMakerPayment } from './maker-payment.ts';
import { deadlineReached, stopped, type WatcherTurn } from './turn.ts';

/** Ends a watch whose time is over, with the most informative reason. */
export function giveUp(turn: WatcherTurn, want: WatcherWant<string>): Proposal {
  const at = want.notBefore ?? (0 as Millis);
  if (latestClock(turn) < at) return wakeAt(turn, at);
  if (isStillLocked(turn, want)) return wakeIn(turn, turn.policy.refundPoll);
  return append(deadlineReached(turn, { kind: 'expiry', at }), reasonOf(turn, want));
}

/** Whether a chain that answers says that its payment is locked: then a host's clock that calls the watch over is ahead. */
function isStillLocked({ now, facts, timing }: WatcherTurn, { whileLocked }: WatcherWant<string>): boolean {
  if (whileLocked === undefined) return false;
  const before = (seen: Seen<PaymentView> | null, lock: UnixSeconds) =>
    seen !== null && now - seen.at <= timing.search_interval * 1000 && seen.value.clock < lock;
  const { maker, taker } = facts.payments;
  return before(taker, whileLocked.taker) || before(maker, whileLocked.maker);
}

/** The taker acted first, and that is final. */
export function stop(turn: WatcherTurn): Proposal {
  return append(stopped(turn.state === 'claimedByTaker' ? 'MakerPaymentSpentByTaker' : 'TakerPaymentRefundedByTaker'));
}

function reasonOf(turn: WatcherTurn, want: WatcherWant<string>): NewEvent {
  if (turn.state === 'waitingForSpend') return refundReason(turn);
  return turn.state === 'claiming' ? claimReason(turn, want) : stopped('Expired');
}

function refundReason(turn: WatcherTurn): NewEvent {
  const record = currentPrepared(turn.journal, 'refund');
  if (record === null) return stopped('Expired');
  const fault = lastFault(turn, 'taker', `broadcast:${record.tx.tx_hash}`);
  return stopped(
    'TakerPaymentRefundFailed',
    fault?.message ?? record.refused ?? 'the refund was not seen on the chain',
  );
}

function claimReason(turn: WatcherTurn, { contestedFrom }: WatcherWant<string>): NewEvent {
  const seen = lookMakerPayment(turn, { maxAge: turn.timing.search_interval, contestedFrom });
  if ('value' in seen && seen.value.status === 'absent') {
    const { maker_payment_hash } = turn.watch;
    return stopped('MakerPaymentCouldNotBeFound', `the maker payment ${maker_payment_hash} is not on the chain`);
  }
  const record = currentPrepared(turn.journal, 'claim');
  if (record !== null) {
    const fault = lastFault(turn, 'maker', `broadcast:${record.tx.tx_hash}`);
    const text = fault?.message ?? record.refused ?? 'the claim was not seen on the chain';
    return stopped('MakerPaymentSpendFailed', text);
  }
  const fault = lastFault(turn, 'maker', 'prepare:claimPreimage');
  // The chain answered, and what the taker signed is not a claim.
  const useless = fault !== null && (fault.kind === 'invalid' || fault.kind === 'unsupported');
  return useless ? stopped('MakerPaymentSpendFailed', fault.message) : stopped('Expired');
}
