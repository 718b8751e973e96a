import type { TakerEvent } from '../../src/events/taker.ts';
import { formatUtc } from '../../src/primitives/time.ts';
import type { TakerSwapContext } from './context.ts';

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function takerSwapSentence(event: TakerEvent, context: TakerSwapContext): string {
  const { started, negotiated } = context;
  const maker = started === null ? 'the maker coin' : `${started.maker_amount} ${started.maker_coin}`;
  const taker = started === null ? 'the taker coin' : `${started.taker_amount} ${started.taker_coin}`;
  const failed =
    'data' in event && event.data !== null && 'error' in event.data ? ` (${String(event.data.error)})` : '';
  switch (event.type) {
    case 'Started':
      return `The swap started: the taker gives ${taker} and gets ${maker}. The taker payment will be locked until ${formatUtc(event.data.taker_payment_lock)}.`;
    case 'StartFailed':
      return `A check before the start failed; nothing was sent${failed}.`;
    case 'Negotiated':
      return `Both sides agreed on keys, secret hash and locks; the maker payment will be locked until ${formatUtc(event.data.maker_payment_locktime)}.`;
    case 'NegotiateFailed':
      return `The negotiation failed; nothing was sent${failed}.`;
    case 'TakerFeeSent':
      return event.data.tx_hex === '' ? 'The taker owes no fee.' : `The taker fee was sent (${event.data.tx_hash}).`;
    case 'TakerFeeSendFailed':
      return `The taker fee could not be sent${failed}.`;
    case 'TakerPaymentInstructionsReceived':
      return 'The maker announced its payment.';
    case 'MakerPaymentReceived':
      return `The maker announced the payment of ${maker} (${event.data.tx_hash}).`;
    case 'MakerPaymentWaitConfirmStarted':
      return `The taker waits for ${started?.maker_payment_confirmations ?? 'the'} confirmation(s) of the maker payment.`;
    case 'MakerPaymentValidatedAndConfirmed':
      return 'The maker payment is valid and confirmed.';
    case 'MakerPaymentValidateFailed':
      return `The maker payment did not come or is not valid${failed}.`;
    case 'MakerPaymentWaitConfirmFailed':
      return `The maker payment was not confirmed in time${failed}.`;
    case 'TakerPaymentSent':
      return `The taker payment of ${taker} was sent (${event.data.tx_hash}).`;
    case 'WatcherMessageSent':
      return 'Watchers got a signed claim and a signed refund, to act while the taker is offline.';
    case 'TakerPaymentTransactionFailed':
      return `Sending the taker payment was reported as failed${failed}. The answer of a node is no proof: the transaction may be on the chain.`;
    case 'TakerPaymentDataSendFailed':
      return `The maker could not be told of the taker payment${failed}.`;
    case 'TakerPaymentWaitConfirmFailed':
      return `The taker payment was not confirmed in time${failed}.`;
    case 'TakerPaymentSpent':
      return `The maker took the taker payment (${event.data.transaction.tx_hash}), which revealed the secret.`;
    case 'TakerPaymentWaitForSpendFailed':
      return `The maker's spend of the taker payment was not seen before the lock ended, or gave no secret${failed}.`;
    case 'MakerPaymentSpent':
      return `The taker spent the maker payment and gets ${maker} (${event.data.tx_hash}).`;
    case 'MakerPaymentSpendConfirmed':
      return 'The spend of the maker payment is confirmed.';
    case 'MakerPaymentSpendConfirmFailed':
      return `The spend of the maker payment was not confirmed in time${failed}.`;
    case 'MakerPaymentSpentByWatcher':
      return `A watcher spent the maker payment to the taker while the taker was offline (${event.data.tx_hash}).`;
    case 'MakerPaymentSpendFailed':
      return `Spending the maker payment failed${failed}. The secret is known${negotiated === null ? '' : `, and the maker can refund from ${formatUtc(negotiated.maker_payment_locktime)} on`}.`;
    case 'TakerPaymentWaitRefundStarted':
      return `The taker waits for the lock of its payment to end${event.data.wait_until === null ? '' : ` (the node noted ${formatUtc(event.data.wait_until)})`}.`;
    case 'TakerPaymentRefundStarted':
      return 'The refund of the taker payment began.';
    case 'TakerPaymentRefunded':
      return event.data === null
        ? 'The taker payment refunds by itself.'
        : `The taker payment was refunded (${event.data.tx_hash}).`;
    case 'TakerPaymentRefundFailed':
      return `The refund of the taker payment failed${failed}.`;
    case 'TakerPaymentRefundFinished':
      return 'The refund is complete.';
    case 'TakerPaymentRefundedByWatcher':
      return `A watcher refunded the taker payment while the taker was offline${event.data === null ? '' : ` (${event.data.tx_hash})`}.`;
    case 'Finished':
      return 'The swap is closed.';
    default:
      return unknownEvent(event);
  }
}

function unknownEvent(event: never): string {
  return `An event of unknown type: ${(event as { type: string }).type}.`;
}
