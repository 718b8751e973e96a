import type { TakerEvent, TakerEventType } from '../../src/events/taker.ts';
import { formatUtc } from '../../src/primitives/time.ts';
import {
  type Amounts,
  amountsOf,
  finished,
  negotiatedText,
  negotiateFailed,
  otherSentences,
  ownSentences,
  refundFinished,
  startedText,
  startFailed,
} from '../swap/sentences.ts';
import { toldReason } from '../told-reason.ts';
import type { TakerSwapContext } from './context.ts';

type Told = Amounts & Pick<TakerSwapContext, 'started' | 'negotiated' | 'takerPaymentUncertain'>;

type Sentences = {
  readonly [T in TakerEventType]: (event: Extract<TakerEvent, { readonly type: T }>, told: Told) => string;
};

const own = ownSentences('taker');
const other = otherSentences('maker');

const sentences: Sentences = {
  Started: ({ data }, told) => startedText('taker', told, data.taker_payment_lock),
  StartFailed: startFailed,
  Negotiated: ({ data }) => negotiatedText('maker', data.maker_payment_locktime),
  NegotiateFailed: negotiateFailed,
  TakerFeeSent: ({ data }) =>
    data.tx_hex === '' ? 'The taker owes no fee.' : `The taker fee was sent (${data.tx_hash}).`,
  TakerFeeSendFailed: ({ data }) => `The taker fee could not be sent${toldReason(data)}.`,
  TakerPaymentInstructionsReceived: own.instructions,
  MakerPaymentReceived: other.received,
  MakerPaymentWaitConfirmStarted: (_, { started }) => other.awaited(started?.maker_payment_confirmations),
  MakerPaymentValidatedAndConfirmed: other.validated,
  MakerPaymentValidateFailed: other.invalid,
  MakerPaymentWaitConfirmFailed: other.unconfirmed,
  TakerPaymentSent: own.sent,
  // The event is appended before the message goes out, and nobody confirms that it arrived.
  WatcherMessageSent: () =>
    'The taker signed a claim and a refund with which watchers can act while it is offline, and was about to send them; the log does not show whether a watcher got them.',
  TakerPaymentTransactionFailed: (event, { takerPaymentUncertain }) =>
    takerPaymentUncertain ? own.sendDoubtful(event) : `The taker payment was not sent${toldReason(event.data)}.`,
  TakerPaymentDataSendFailed: own.notTold,
  TakerPaymentWaitConfirmFailed: own.unconfirmed,
  TakerPaymentSpent: ({ data }) =>
    `The maker took the taker payment (${data.transaction.tx_hash}), which revealed the secret.`,
  TakerPaymentWaitForSpendFailed: ({ data }) =>
    `The maker's spend of the taker payment was not seen in the time that the node waits for it, or gave no secret${toldReason(data)}.`,
  MakerPaymentSpent: ({ data }, { maker }) => `The taker spent the maker payment and gets ${maker} (${data.tx_hash}).`,
  MakerPaymentSpendConfirmed: other.claimConfirmed,
  MakerPaymentSpendConfirmFailed: other.claimUnconfirmed,
  MakerPaymentSpentByWatcher: ({ data }) =>
    `A watcher spent the maker payment to the taker while the taker was offline (${data.tx_hash}).`,
  MakerPaymentSpendFailed: ({ data }, { negotiated }) =>
    `Spending the maker payment failed${toldReason(data)}. The secret is known${negotiated === null ? '' : `, and the maker can refund from ${formatUtc(negotiated.maker_payment_locktime)} on`}.`,
  TakerPaymentWaitRefundStarted: own.refundAwaited,
  TakerPaymentRefundStarted: own.refundStarted,
  TakerPaymentRefunded: own.refunded,
  TakerPaymentRefundFailed: own.refundFailed,
  TakerPaymentRefundFinished: refundFinished,
  TakerPaymentRefundedByWatcher: ({ data }) =>
    `A watcher refunded the taker payment while the taker was offline${data === null ? '' : ` (${data.tx_hash})`}.`,
  Finished: finished,
};

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function takerSwapSentence(event: TakerEvent, context: TakerSwapContext): string {
  const sentence = sentences[event.type] as (event: TakerEvent, told: Told) => string;
  return sentence(event, { ...context, ...amountsOf(context.started) });
}
