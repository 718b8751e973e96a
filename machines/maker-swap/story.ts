import type { MakerEvent } from '../../src/events/maker.ts';
import { formatUtc } from '../../src/primitives/time.ts';
import type { MakerSwapContext } from './context.ts';

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function makerSwapSentence(event: MakerEvent, context: MakerSwapContext): string {
  const { started } = context;
  const maker = started === null ? 'the maker coin' : `${started.maker_amount} ${started.maker_coin}`;
  const taker = started === null ? 'the taker coin' : `${started.taker_amount} ${started.taker_coin}`;
  const failed =
    'data' in event && event.data !== null && 'error' in event.data ? ` (${String(event.data.error)})` : '';
  switch (event.type) {
    case 'Started':
      return `The swap started: the maker gives ${maker} and gets ${taker}. The maker payment will be locked until ${formatUtc(event.data.maker_payment_lock)}.`;
    case 'StartFailed':
      return `A check before the start failed; nothing was sent${failed}.`;
    case 'Negotiated':
      return `Both sides agreed on keys, secret hash and locks; the taker payment will be locked until ${formatUtc(event.data.taker_payment_locktime)}.`;
    case 'NegotiateFailed':
      return `The negotiation failed; nothing was sent${failed}.`;
    case 'MakerPaymentInstructionsReceived':
      return 'The taker sent its instructions for the maker payment.';
    case 'TakerFeeValidated':
      return event.data.tx_hex === '' ? 'The taker owes no fee.' : `The taker fee is valid (${event.data.tx_hash}).`;
    case 'TakerFeeValidateFailed':
      return `The taker fee did not come or is not valid${failed}.`;
    case 'MakerPaymentSent':
      return `The maker payment of ${maker} was sent (${event.data.tx_hash}).`;
    case 'MakerPaymentTransactionFailed':
      return `Sending the maker payment was reported as failed${failed}. The answer of a node is no proof: the transaction may be on the chain.`;
    case 'MakerPaymentDataSendFailed':
      return `The taker could not be told of the maker payment${failed}.`;
    case 'MakerPaymentWaitConfirmFailed':
      return `The maker payment was not confirmed in time${failed}.`;
    case 'TakerPaymentReceived':
      return `The taker announced the payment of ${taker} (${event.data.tx_hash}).`;
    case 'TakerPaymentWaitConfirmStarted':
      return `The maker waits for ${started?.taker_payment_confirmations ?? 'the'} confirmation(s) of the taker payment.`;
    case 'TakerPaymentValidatedAndConfirmed':
      return 'The taker payment is valid and confirmed.';
    case 'TakerPaymentValidateFailed':
      return `The taker payment did not come or is not valid${failed}.`;
    case 'TakerPaymentWaitConfirmFailed':
      return `The taker payment was not confirmed in time${failed}.`;
    case 'TakerPaymentSpent':
      return `The maker spent the taker payment and gets ${taker} (${event.data.tx_hash}); the secret is public from now on.`;
    case 'TakerPaymentSpendFailed':
      return `Spending the taker payment failed${failed}.`;
    case 'TakerPaymentSpendConfirmStarted':
      return 'The maker waits for the confirmation of its spend.';
    case 'TakerPaymentSpendConfirmed':
      return 'The spend of the taker payment is confirmed.';
    case 'TakerPaymentSpendConfirmFailed':
      return `The spend of the taker payment was not confirmed in time${failed}.`;
    case 'MakerPaymentWaitRefundStarted':
      return `The maker waits for the lock of its payment to end${event.data.wait_until === null ? '' : ` (the node noted ${formatUtc(event.data.wait_until)})`}.`;
    case 'MakerPaymentRefundStarted':
      return 'The refund of the maker payment began.';
    case 'MakerPaymentRefunded':
      return event.data === null
        ? 'The maker payment refunds by itself.'
        : `The maker payment was refunded (${event.data.tx_hash}).`;
    case 'MakerPaymentRefundFailed':
      return `The refund of the maker payment failed${failed}.`;
    case 'MakerPaymentRefundFinished':
      return 'The refund is complete.';
    case 'Finished':
      return 'The swap is closed.';
    default:
      return unknownEvent(event);
  }
}

function unknownEvent(event: never): string {
  return `An event of unknown type: ${(event as { type: string }).type}.`;
}
