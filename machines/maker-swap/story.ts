import type { MakerEvent, MakerEventType } from '../../src/events/maker.ts';
import { formatUtc } from '../../src/primitives/time.ts';
import { confirmationsText } from '../confirmations-text.ts';
import { toldAmount } from '../told-amount.ts';
import { toldReason } from '../told-reason.ts';
import type { MakerSwapContext } from './context.ts';

type Told = Pick<MakerSwapContext, 'started' | 'negotiated' | 'makerPayment'> & {
  readonly maker: string;
  readonly taker: string;
};

type Sentences = {
  readonly [T in MakerEventType]: (event: Extract<MakerEvent, { readonly type: T }>, told: Told) => string;
};

const sentences: Sentences = {
  Started: ({ data }, { maker, taker }) =>
    `The swap started: the maker gives ${maker} and gets ${taker}. The maker payment will be locked until ${formatUtc(data.maker_payment_lock)}.`,
  StartFailed: ({ data }) => `A check before the start failed${toldReason(data)}; nothing was sent.`,
  Negotiated: ({ data }) =>
    `Both sides agreed on keys, secret hash and locks; the taker payment will be locked until ${formatUtc(data.taker_payment_locktime)}.`,
  NegotiateFailed: ({ data }) => `The negotiation failed${toldReason(data)}; nothing was sent.`,
  MakerPaymentInstructionsReceived: () =>
    'The taker sent the instructions for the maker payment, of which most coins need none.',
  TakerFeeValidated: ({ data }) =>
    data.tx_hex === '' ? 'The taker owes no fee.' : `The taker fee is valid (${data.tx_hash}).`,
  TakerFeeValidateFailed: ({ data }) => `The taker fee did not come or is not valid${toldReason(data)}.`,
  MakerPaymentSent: ({ data }, { maker }) => `The maker payment of ${maker} was sent (${data.tx_hash}).`,
  MakerPaymentTransactionFailed: ({ data }, { makerPayment }) =>
    makerPayment !== null
      ? `The swap goes no further${toldReason(data)}: the maker payment was sent before.`
      : `Sending the maker payment was reported as failed${toldReason(data)}. The answer of a node is no proof: the transaction may be on the chain.`,
  MakerPaymentDataSendFailed: ({ data }) => `The taker could not be told of the maker payment${toldReason(data)}.`,
  MakerPaymentWaitConfirmFailed: ({ data }) => `The maker payment was not confirmed in time${toldReason(data)}.`,
  TakerPaymentReceived: ({ data }, { taker }) => `The taker announced the payment of ${taker} (${data.tx_hash}).`,
  TakerPaymentWaitConfirmStarted: (_, { started }) =>
    `The maker waits for ${confirmationsText(started?.taker_payment_confirmations)} of the taker payment.`,
  TakerPaymentValidatedAndConfirmed: () => 'The taker payment is valid and confirmed.',
  TakerPaymentValidateFailed: ({ data }) => `The taker payment did not come or is not valid${toldReason(data)}.`,
  TakerPaymentWaitConfirmFailed: ({ data }) => `The taker payment was not confirmed in time${toldReason(data)}.`,
  TakerPaymentSpent: ({ data }, { taker }) =>
    `The maker spent the taker payment and gets ${taker} (${data.tx_hash}); the secret is public from now on.`,
  TakerPaymentSpendFailed: ({ data }) => `Spending the taker payment failed${toldReason(data)}.`,
  TakerPaymentSpendConfirmStarted: () => 'The maker waits for the confirmation of its spend.',
  TakerPaymentSpendConfirmed: () => 'The spend of the taker payment is confirmed.',
  TakerPaymentSpendConfirmFailed: ({ data }) =>
    `The spend of the taker payment was not confirmed in time${toldReason(data)}.`,
  MakerPaymentWaitRefundStarted: ({ data }) =>
    `The maker waits for the lock of its payment to end${data.wait_until === null ? '' : ` (the node noted ${formatUtc(data.wait_until)})`}.`,
  MakerPaymentRefundStarted: () => 'The refund of the maker payment began.',
  MakerPaymentRefunded: ({ data }) =>
    data === null ? 'The maker payment refunds by itself.' : `The maker payment was refunded (${data.tx_hash}).`,
  MakerPaymentRefundFailed: ({ data }) => `The refund of the maker payment failed${toldReason(data)}.`,
  MakerPaymentRefundFinished: () => 'The refund is complete.',
  Finished: () => 'The swap is closed.',
};

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function makerSwapSentence(event: MakerEvent, context: MakerSwapContext): string {
  const { started } = context;
  const maker = started === null ? 'the maker coin' : `${toldAmount(started.maker_amount)} ${started.maker_coin}`;
  const taker = started === null ? 'the taker coin' : `${toldAmount(started.taker_amount)} ${started.taker_coin}`;
  const sentence = sentences[event.type] as (event: MakerEvent, told: Told) => string;
  return sentence(event, { ...context, maker, taker });
}
