import type { TakerEvent, TakerEventType } from '../../src/events/taker.ts';
import { formatUtc } from '../../src/primitives/time.ts';
import { confirmationsText } from '../confirmations-text.ts';
import { toldAmount } from '../told-amount.ts';
import { toldReason } from '../told-reason.ts';
import type { TakerSwapContext } from './context.ts';

type Told = Pick<TakerSwapContext, 'started' | 'negotiated' | 'takerPaymentUncertain'> & {
  readonly maker: string;
  readonly taker: string;
};

type Sentences = {
  readonly [T in TakerEventType]: (event: Extract<TakerEvent, { readonly type: T }>, told: Told) => string;
};

const sentences: Sentences = {
  Started: ({ data }, { maker, taker }) =>
    `The swap started: the taker gives ${taker} and gets ${maker}. The taker payment will be locked until ${formatUtc(data.taker_payment_lock)}.`,
  StartFailed: ({ data }) => `A check before the start failed${toldReason(data)}; nothing was sent.`,
  Negotiated: ({ data }) =>
    `Both sides agreed on keys, secret hash and locks; the maker payment will be locked until ${formatUtc(data.maker_payment_locktime)}.`,
  NegotiateFailed: ({ data }) => `The negotiation failed${toldReason(data)}; nothing was sent.`,
  TakerFeeSent: ({ data }) =>
    data.tx_hex === '' ? 'The taker owes no fee.' : `The taker fee was sent (${data.tx_hash}).`,
  TakerFeeSendFailed: ({ data }) => `The taker fee could not be sent${toldReason(data)}.`,
  TakerPaymentInstructionsReceived: () =>
    'The maker sent the instructions for the taker payment, of which most coins need none.',
  MakerPaymentReceived: ({ data }, { maker }) => `The maker announced the payment of ${maker} (${data.tx_hash}).`,
  MakerPaymentWaitConfirmStarted: (_, { started }) =>
    `The taker waits for ${confirmationsText(started?.maker_payment_confirmations)} of the maker payment.`,
  MakerPaymentValidatedAndConfirmed: () => 'The maker payment is valid and confirmed.',
  MakerPaymentValidateFailed: ({ data }) => `The maker payment did not come or is not valid${toldReason(data)}.`,
  MakerPaymentWaitConfirmFailed: ({ data }) => `The maker payment was not confirmed in time${toldReason(data)}.`,
  TakerPaymentSent: ({ data }, { taker }) => `The taker payment of ${taker} was sent (${data.tx_hash}).`,
  // The event is appended before the message goes out, and nobody confirms that it arrived.
  WatcherMessageSent: () =>
    'The taker signed a claim and a refund with which watchers can act while it is offline, and was about to send them; the log does not show whether a watcher got them.',
  TakerPaymentTransactionFailed: ({ data }, { takerPaymentUncertain }) =>
    takerPaymentUncertain
      ? `Sending the taker payment was reported as failed${toldReason(data)}. The answer of a node is no proof: the transaction may be on the chain.`
      : `The taker payment was not sent${toldReason(data)}.`,
  TakerPaymentDataSendFailed: ({ data }) => `The maker could not be told of the taker payment${toldReason(data)}.`,
  TakerPaymentWaitConfirmFailed: ({ data }) => `The taker payment was not confirmed in time${toldReason(data)}.`,
  TakerPaymentSpent: ({ data }) =>
    `The maker took the taker payment (${data.transaction.tx_hash}), which revealed the secret.`,
  TakerPaymentWaitForSpendFailed: ({ data }) =>
    `The maker's spend of the taker payment was not seen in the time that the node waits for it, or gave no secret${toldReason(data)}.`,
  MakerPaymentSpent: ({ data }, { maker }) => `The taker spent the maker payment and gets ${maker} (${data.tx_hash}).`,
  MakerPaymentSpendConfirmed: () => 'The spend of the maker payment is confirmed.',
  MakerPaymentSpendConfirmFailed: ({ data }) =>
    `The spend of the maker payment was not confirmed in time${toldReason(data)}.`,
  MakerPaymentSpentByWatcher: ({ data }) =>
    `A watcher spent the maker payment to the taker while the taker was offline (${data.tx_hash}).`,
  MakerPaymentSpendFailed: ({ data }, { negotiated }) =>
    `Spending the maker payment failed${toldReason(data)}. The secret is known${negotiated === null ? '' : `, and the maker can refund from ${formatUtc(negotiated.maker_payment_locktime)} on`}.`,
  TakerPaymentWaitRefundStarted: ({ data }) =>
    `The taker waits for the lock of its payment to end${data.wait_until === null ? '' : ` (the node noted ${formatUtc(data.wait_until)})`}.`,
  TakerPaymentRefundStarted: () => 'The refund of the taker payment began.',
  TakerPaymentRefunded: ({ data }) =>
    data === null ? 'The taker payment refunds by itself.' : `The taker payment was refunded (${data.tx_hash}).`,
  TakerPaymentRefundFailed: ({ data }) => `The refund of the taker payment failed${toldReason(data)}.`,
  TakerPaymentRefundFinished: () => 'The refund is complete.',
  TakerPaymentRefundedByWatcher: ({ data }) =>
    `A watcher refunded the taker payment while the taker was offline${data === null ? '' : ` (${data.tx_hash})`}.`,
  Finished: () => 'The swap is closed.',
};

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function takerSwapSentence(event: TakerEvent, context: TakerSwapContext): string {
  const { started } = context;
  const maker = started === null ? 'the maker coin' : `${toldAmount(started.maker_amount)} ${started.maker_coin}`;
  const taker = started === null ? 'the taker coin' : `${toldAmount(started.taker_amount)} ${started.taker_coin}`;
  const sentence = sentences[event.type] as (event: TakerEvent, told: Told) => string;
  return sentence(event, { ...context, maker, taker });
}
