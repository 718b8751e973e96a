import { describe, expect, it } from 'vitest';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerSwapSentence } from '../../../machines/maker-swap/story.ts';
import { type MakerEvent, type MakerEventType, makerEventTypes } from '../../../src/events/maker.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { at, MAKER_LOCK, makerContext, makerNegotiated, makerStarted, tx } from '../../support/swap-contexts.ts';

type Told = readonly [type: MakerEventType, data: unknown, sentence: string];

const failed = { error: 'maker_swap:1] went wrong' };

const told: readonly Told[] = [
  [
    'Started',
    makerStarted,
    'The swap started: the maker gives 2.4 DOC and gets 3 MARTY. The maker payment will be locked until 2023-11-15 02:33:20 UTC.',
  ],
  ['StartFailed', failed, 'A check before the start failed (went wrong); nothing was sent.'],
  [
    'Negotiated',
    makerNegotiated,
    'Both sides agreed on keys, secret hash and locks; the taker payment will be locked until 2023-11-15 00:23:20 UTC.',
  ],
  ['NegotiateFailed', failed, 'The negotiation failed (went wrong); nothing was sent.'],
  [
    'MakerPaymentInstructionsReceived',
    null,
    'The taker sent the instructions for the maker payment, of which most coins need none.',
  ],
  ['TakerFeeValidated', tx('fee'), 'The taker fee is valid (fee).'],
  ['TakerFeeValidated', { tx_hex: '', tx_hash: '' }, 'The taker owes no fee.'],
  ['TakerFeeValidateFailed', failed, 'The taker fee did not come or is not valid (went wrong).'],
  ['MakerPaymentSent', tx('maker pays'), 'The maker payment of 2.4 DOC was sent (maker pays).'],
  [
    'MakerPaymentTransactionFailed',
    failed,
    'Sending the maker payment was reported as failed (went wrong). The answer of a node is no proof: the transaction may be on the chain.',
  ],
  ['MakerPaymentDataSendFailed', failed, 'The taker could not be told of the maker payment (went wrong).'],
  ['MakerPaymentWaitConfirmFailed', failed, 'The maker payment was not confirmed in time (went wrong).'],
  ['TakerPaymentReceived', tx('taker pays'), 'The taker announced the payment of 3 MARTY (taker pays).'],
  ['TakerPaymentWaitConfirmStarted', null, 'The maker waits for 1 confirmation of the taker payment.'],
  ['TakerPaymentValidatedAndConfirmed', null, 'The taker payment is valid and confirmed.'],
  ['TakerPaymentValidateFailed', failed, 'The taker payment did not come or is not valid (went wrong).'],
  ['TakerPaymentWaitConfirmFailed', failed, 'The taker payment was not confirmed in time (went wrong).'],
  [
    'TakerPaymentSpent',
    tx('maker takes'),
    'The maker spent the taker payment and gets 3 MARTY (maker takes); the secret is public from now on.',
  ],
  ['TakerPaymentSpendFailed', failed, 'Spending the taker payment failed (went wrong).'],
  ['TakerPaymentSpendConfirmStarted', null, 'The maker waits for the confirmation of its spend.'],
  ['TakerPaymentSpendConfirmed', null, 'The spend of the taker payment is confirmed.'],
  ['TakerPaymentSpendConfirmFailed', failed, 'The spend of the taker payment was not confirmed in time (went wrong).'],
  [
    'MakerPaymentWaitRefundStarted',
    { wait_until: MAKER_LOCK + 3700 },
    'The maker waits for the lock of its payment to end (the node noted 2023-11-15 03:35:00 UTC).',
  ],
  ['MakerPaymentWaitRefundStarted', { wait_until: null }, 'The maker waits for the lock of its payment to end.'],
  ['MakerPaymentRefundStarted', null, 'The refund of the maker payment began.'],
  ['MakerPaymentRefunded', tx('back'), 'The maker payment was refunded (back).'],
  ['MakerPaymentRefunded', null, 'The maker payment refunds by itself.'],
  ['MakerPaymentRefundFailed', failed, 'The refund of the maker payment failed (went wrong).'],
  ['MakerPaymentRefundFinished', null, 'The refund is complete.'],
  ['Finished', null, 'The swap is closed.'],
];

/** What a log without its first events says, where the usual one names terms. */
const toldWithoutTerms: readonly Told[] = [
  ['MakerPaymentSent', tx('maker pays'), 'The maker payment of the maker coin was sent (maker pays).'],
  ['TakerPaymentReceived', tx('taker pays'), 'The taker announced the payment of the taker coin (taker pays).'],
  ['TakerPaymentWaitConfirmStarted', null, 'The maker waits for the confirmations of the taker payment.'],
  [
    'TakerPaymentSpent',
    tx('maker takes'),
    'The maker spent the taker payment and gets the taker coin (maker takes); the secret is public from now on.',
  ],
];

function sentence([type, data]: Told, context: MakerSwapContext): string {
  return makerSwapSentence({ type, at: at(60), data } as MakerEvent, context);
}

describe('what a maker’s log says, event by event', () => {
  it('exists for every type of event', () => {
    expect([...new Set(told.map(([type]) => type))]).toEqual([...makerEventTypes]);
  });

  it.each(told)('%s with %j', (...row) => {
    expect(sentence(row, makerContext({ makerPaymentUncertain: true }))).toBe(row[2]);
  });

  it.each(toldWithoutTerms)('%s with %j, if the log does not hold the terms', (...row) => {
    expect(sentence(row, initialMakerSwapContext())).toBe(row[2]);
  });

  it('does not call a payment unsent that was sent before', () => {
    const row: Told = ['MakerPaymentTransactionFailed', failed, ''];
    expect(sentence(row, makerContext({ makerPayment: tx('maker pays') }))).toBe(
      'The swap goes no further (went wrong): the maker payment was sent before.',
    );
  });

  it('reads the amounts and confirmations from the terms of the log', () => {
    const started = { ...makerStarted, taker_amount: '1.05' as DecimalText, taker_payment_confirmations: 3 };
    const context = makerContext({ started });
    expect(sentence(['TakerPaymentReceived', tx('a'), ''], context)).toContain('1.05 MARTY');
    expect(sentence(['TakerPaymentWaitConfirmStarted', null, ''], context)).toContain('3 confirmations');
  });
});
