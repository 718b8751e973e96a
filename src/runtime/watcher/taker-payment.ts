import { currentPrepared, type PreparedRecord } from '../../../machines/journal/context.ts';
import type { WatcherWant } from '../../../machines/watcher/wants.ts';
import type { StoredTransaction } from '../../events/payloads.ts';
import { extractSecret } from '../../htlc/extract-secret.ts';
import { secretFits } from '../../htlc/secret-hash.ts';
import type { PaymentSpend, PaymentView } from '../../ports/chain.ts';
import { bytesToHex, hexToBytes, isHex } from '../../primitives/hex.ts';
import type { Millis } from '../../primitives/time.ts';
import type { NewEvent } from '../command.ts';
import { append, attempted, broadcast, freshness, latestClock, type Proposal, prepared, wakeAt } from '../swap/turn.ts';
import { actsByCalls, type Calling, pushCall } from './by-calls.ts';
import { tellHelpers } from './helpers.ts';
import { lookTakerPayment, lookTakerPaymentFresh } from './look.ts';
import { refundTransaction } from './terms.ts';
import { deadlineReached, knownNow, plain, settled, stopped, type WatcherTurn, wasAttempted } from './turn.ts';

/** Searches for the maker's spend of the taker payment, which shows the secret, and for the taker's own refund. */
export function waitForTakerPaymentSpend(turn: WatcherTurn): Proposal {
  const look = lookTakerPayment(turn, turn.timing.search_interval);
  if ('pending' in look) return look.pending;
  return look.value.spend === null ? null : followSpend(turn, look.value.spend);
}

/**
 * Refunds the taker payment in the taker's place, with what the taker signed in advance: after the agreed time, once the chain's own clock permits,
 * and only while a current look shows that nobody has taken the payment.
 */
export function refundTakerPayment(turn: WatcherTurn, want: WatcherWant<string>): Proposal {
  const notBefore = want.notBefore ?? 0;
  if (latestClock(turn) <= notBefore) return wakeAt(turn, notBefore + 1);
  const look = lookTakerPayment(turn, turn.policy.refundPoll);
  if ('pending' in look) return look.pending;
  return look.value.spend === null ? pushRefund(turn, want, look.value) : followSpend(turn, look.value.spend);
}

/** The refund is on its way; it is repeated until the chain has settled it, or has shown another spend. */
export function confirmTakerPaymentRefund(turn: WatcherTurn, want: WatcherWant<string>): Proposal {
  const told = tellHelpers(turn, 'refund');
  if (told !== null) return told;
  const look = lookTakerPayment(turn, turn.policy.confirmationPoll);
  if ('pending' in look) return look.pending;
  return look.value.spend === null ? pushRefund(turn, want, look.value) : followSpend(turn, look.value.spend);
}

function followSpend(turn: WatcherTurn, spend: PaymentSpend): Proposal {
  const proposal = spend.how === 'secret' ? takenByMaker(turn, spend) : refundSeen(turn, spend);
  if (proposal !== null) return proposal;
  // Not yet settled: from now on the watcher follows it closely.
  const look = lookTakerPayment(turn, turn.policy.confirmationPoll);
  return 'pending' in look ? look.pending : null;
}

function takenByMaker(turn: WatcherTurn, spend: PaymentSpend): Proposal {
  const secret = secretOf(turn, spend);
  if (spend.tx !== null && secret !== null) {
    return append({ type: 'TakerPaymentSpendFound', data: { transaction: plain(spend.tx), secret } });
  }
  if (spend.confirmations < turn.inputs.traits.taker.finality) return null;
  const error = `Couldn't extract secret from transaction ${spend.tx?.tx_hash ?? 'without bytes'}`;
  return append(stopped('UnableToExtractSecret', error));
}

function secretOf({ watch }: WatcherTurn, { secret, tx }: PaymentSpend): string | null {
  if (secret !== null && secretFits(secret, watch.secret_hash)) return secret;
  if (tx === null || !isHex(tx.tx_hex)) return null;
  const found = extractSecret(hexToBytes(tx.tx_hex), hexToBytes(watch.secret_hash));
  return found === undefined ? null : bytesToHex(found);
}

function refundSeen(turn: WatcherTurn, { tx, confirmations }: PaymentSpend): Proposal {
  const { state, inputs } = turn;
  const isFinal = confirmations >= inputs.traits.taker.finality;
  const own = tx !== null && isOwnRefund(turn, tx);
  if (own && state !== 'refundSent') {
    return append(...knownNow(turn, { purpose: 'refund', tx_hash: tx.tx_hash, confirmations }), {
      type: 'TakerPaymentRefunded',
      data: plain(tx),
    });
  }
  if (!isFinal) return null;
  const by = own ? 'self' : 'counterparty';
  const done = settled('taker', { how: 'refunded', by, tx, confirmations });
  if (own) return append(done, stopped('TakerPaymentRefunded'));
  return append(done, { type: 'TakerPaymentRefundedByTaker', data: tx === null ? null : plain(tx) });
}

/** Bytes, not ids, distinguish what the taker signed in advance from another refund: the taker may have sent the very same transaction. */
function isOwnRefund(turn: WatcherTurn, { tx_hex, tx_hash }: StoredTransaction): boolean {
  if (actsByCalls(turn, 'refund')) return wasAttempted(turn, 'refund', tx_hash);
  const bytes = turn.watch.taker_payment_refund_preimage;
  return tx_hex === bytes && wasAttempted(turn, 'refund', turn.inputs.idOf(bytes));
}

/** The agreed time that leaves the refund to the taker is over. */
function refundIsDue(turn: WatcherTurn, { notBefore }: WatcherWant<string>): NewEvent {
  return deadlineReached(turn, { kind: 'watcherRefund', at: notBefore ?? (0 as Millis) });
}

/** How to make the refund if it is a call of this watcher; null if it is what the taker signed. */
function refundCall(turn: WatcherTurn, want: WatcherWant<string>): Calling | null {
  const { watch, swap } = turn;
  if (!actsByCalls(turn, 'refund') || swap.ownTerms === null) return null;
  return {
    purpose: 'refund',
    terms: swap.ownTerms,
    funding: { tx_hex: watch.taker_payment_refund_preimage, tx_hash: watch.taker_payment_hash },
    secret: null,
    opening: [refundIsDue(turn, want)],
    taken: () => [],
  };
}

function pushRefund(turn: WatcherTurn, want: WatcherWant<string>, { funding, refundable }: PaymentView): Proposal {
  if (funding === null || !refundable) return null;
  const calling = refundCall(turn, want);
  const record = currentPrepared(turn.journal, 'refund');
  const next =
    calling !== null ? pushCall(turn, calling) : record === null ? firstRefund(turn, want) : sendAgain(turn, record);
  if (next === null || (record !== null && next.kind === 'append')) return next;
  // What acts on the chain rests on a look of this moment.
  const fresh = lookTakerPaymentFresh(turn, freshness(turn, null));
  return 'pending' in fresh ? fresh.pending : next;
}

function firstRefund(turn: WatcherTurn, want: WatcherWant<string>): Proposal {
  const { watch, inputs, swap } = turn;
  const { idOf, traits } = inputs;
  const tx = refundTransaction(watch, { idOf, decimals: traits.taker.decimals, amount: swap.amounts.taker });
  return append(
    refundIsDue(turn, want),
    prepared('refund', tx, { target: watch.taker_payment_hash, urgency: 0 }),
    attempted('refund', tx.tx_hash),
  );
}

function sendAgain(turn: WatcherTurn, record: PreparedRecord): Proposal {
  const sent = broadcast(turn, 'taker', { purpose: 'refund', record });
  return 'pending' in sent ? sent.pending : append(...sent.accepted);
}
