import type { MakerEvent, MakerEventType } from '../../src/events/maker.ts';
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
import type { MakerSwapContext } from './context.ts';

type Told = Amounts & Pick<MakerSwapContext, 'started' | 'negotiated' | 'makerPayment'>;

type Sentences = {
  readonly [T in MakerEventType]: (event: Extract<MakerEvent, { readonly type: T }>, told: Told) => string;
};

const own = ownSentences('maker');
const other = otherSentences('taker');

const sentences: Sentences = {
  Started: ({ data }, told) => startedText('maker', told, data.maker_payment_lock),
  StartFailed: startFailed,
  Negotiated: ({ data }) => negotiatedText('taker', data.taker_payment_locktime),
  NegotiateFailed: negotiateFailed,
  MakerPaymentInstructionsReceived: own.instructions,
  TakerFeeValidated: ({ data }) =>
    data.tx_hex === '' ? 'The taker owes no fee.' : `The taker fee is valid (${data.tx_hash}).`,
  TakerFeeValidateFailed: ({ data }) => `The taker fee did not come or is not valid${toldReason(data)}.`,
  MakerPaymentSent: own.sent,
  MakerPaymentTransactionFailed: (event, { makerPayment }) =>
    makerPayment !== null
      ? `The swap goes no further${toldReason(event.data)}: the maker payment was sent before.`
      : own.sendDoubtful(event),
  MakerPaymentDataSendFailed: own.notTold,
  MakerPaymentWaitConfirmFailed: own.unconfirmed,
  TakerPaymentReceived: other.received,
  TakerPaymentWaitConfirmStarted: (_, { started }) => other.awaited(started?.taker_payment_confirmations),
  TakerPaymentValidatedAndConfirmed: other.validated,
  TakerPaymentValidateFailed: other.invalid,
  TakerPaymentWaitConfirmFailed: other.unconfirmed,
  TakerPaymentSpent: ({ data }, { taker }) =>
    `The maker spent the taker payment and gets ${taker} (${data.tx_hash}); the secret is public from now on.`,
  TakerPaymentSpendFailed: ({ data }) => `Spending the taker payment failed${toldReason(data)}.`,
  TakerPaymentSpendConfirmStarted: () => 'The maker waits for the confirmation of its spend.',
  TakerPaymentSpendConfirmed: other.claimConfirmed,
  TakerPaymentSpendConfirmFailed: other.claimUnconfirmed,
  MakerPaymentWaitRefundStarted: own.refundAwaited,
  MakerPaymentRefundStarted: own.refundStarted,
  MakerPaymentRefunded: own.refunded,
  MakerPaymentRefundFailed: own.refundFailed,
  MakerPaymentRefundFinished: refundFinished,
  Finished: finished,
};

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function makerSwapSentence(event: MakerEvent, context: MakerSwapContext): string {
  const sentence = sentences[event.type] as (event: MakerEvent, told: Told) => string;
  return sentence(event, { ...context, ...amountsOf(context.started) });
}
