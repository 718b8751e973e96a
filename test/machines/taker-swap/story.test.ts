import { describe, expect, it } from 'vitest';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { takerSwapSentence } from '../../../machines/taker-swap/story.ts';
import { type TakerEvent, type TakerEventType, takerEventTypes } from '../../../src/events/taker.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { addSeconds } from '../../../src/primitives/time.ts';
import {
  at,
  MAKER_LOCK,
  SECRET,
  TAKER_LOCK,
  takerContext,
  takerNegotiated,
  takerStarted,
  tx,
} from '../../support/swap-contexts.ts';

type Told = readonly [type: TakerEventType, data: unknown, sentence: string];

const failed = { error: 'taker_swap:1] went wrong' };

const told: readonly Told[] = [
  [
    'Started',
    takerStarted,
    'The swap started: the taker gives 3 MARTY and gets 2.4 DOC. The taker payment will be locked until 2023-11-15 00:23:20 UTC.',
  ],
  ['StartFailed', failed, 'A check before the start failed (went wrong); nothing was sent.'],
  [
    'Negotiated',
    takerNegotiated,
    'Both sides agreed on keys, secret hash and locks; the maker payment will be locked until 2023-11-15 02:33:20 UTC.',
  ],
  ['NegotiateFailed', failed, 'The negotiation failed (went wrong); nothing was sent.'],
  ['TakerFeeSent', tx('fee'), 'The taker fee was sent (fee).'],
  ['TakerFeeSent', { tx_hex: '', tx_hash: '' }, 'The taker owes no fee.'],
  ['TakerFeeSendFailed', failed, 'The taker fee could not be sent (went wrong).'],
  [
    'TakerPaymentInstructionsReceived',
    null,
    'The maker sent the instructions for the taker payment, of which most coins need none.',
  ],
  ['MakerPaymentReceived', tx('maker pays'), 'The maker announced the payment of 2.4 DOC (maker pays).'],
  ['MakerPaymentWaitConfirmStarted', null, 'The taker waits for 1 confirmation of the maker payment.'],
  ['MakerPaymentValidatedAndConfirmed', null, 'The maker payment is valid and confirmed.'],
  ['MakerPaymentValidateFailed', failed, 'The maker payment did not come or is not valid (went wrong).'],
  ['MakerPaymentWaitConfirmFailed', failed, 'The maker payment was not confirmed in time (went wrong).'],
  ['TakerPaymentSent', tx('taker pays'), 'The taker payment of 3 MARTY was sent (taker pays).'],
  [
    'WatcherMessageSent',
    [null, null],
    'The taker signed a claim and a refund with which watchers can act while it is offline, and was about to send them; the log does not show whether a watcher got them.',
  ],
  [
    'TakerPaymentTransactionFailed',
    failed,
    'Sending the taker payment was reported as failed (went wrong). The answer of a node is no proof: the transaction may be on the chain.',
  ],
  ['TakerPaymentDataSendFailed', failed, 'The maker could not be told of the taker payment (went wrong).'],
  ['TakerPaymentWaitConfirmFailed', failed, 'The taker payment was not confirmed in time (went wrong).'],
  [
    'TakerPaymentSpent',
    { transaction: tx('maker takes'), secret: SECRET },
    'The maker took the taker payment (maker takes), which revealed the secret.',
  ],
  [
    'TakerPaymentWaitForSpendFailed',
    failed,
    "The maker's spend of the taker payment was not seen in the time that the node waits for it, or gave no secret (went wrong).",
  ],
  ['MakerPaymentSpent', tx('taker takes'), 'The taker spent the maker payment and gets 2.4 DOC (taker takes).'],
  ['MakerPaymentSpendConfirmed', null, 'The spend of the maker payment is confirmed.'],
  ['MakerPaymentSpendConfirmFailed', failed, 'The spend of the maker payment was not confirmed in time (went wrong).'],
  [
    'MakerPaymentSpentByWatcher',
    tx('watcher takes'),
    'A watcher spent the maker payment to the taker while the taker was offline (watcher takes).',
  ],
  [
    'MakerPaymentSpendFailed',
    failed,
    'Spending the maker payment failed (went wrong). The secret is known, and the maker can refund from 2023-11-15 02:33:20 UTC on.',
  ],
  [
    'TakerPaymentWaitRefundStarted',
    { wait_until: TAKER_LOCK + 3700 },
    'The taker waits for the lock of its payment to end (the node noted 2023-11-15 01:25:00 UTC).',
  ],
  ['TakerPaymentWaitRefundStarted', { wait_until: null }, 'The taker waits for the lock of its payment to end.'],
  ['TakerPaymentRefundStarted', null, 'The refund of the taker payment began.'],
  ['TakerPaymentRefunded', tx('back'), 'The taker payment was refunded (back).'],
  ['TakerPaymentRefunded', null, 'The taker payment refunds by itself.'],
  ['TakerPaymentRefundFailed', failed, 'The refund of the taker payment failed (went wrong).'],
  ['TakerPaymentRefundFinished', null, 'The refund is complete.'],
  [
    'TakerPaymentRefundedByWatcher',
    tx('watcher returns'),
    'A watcher refunded the taker payment while the taker was offline (watcher returns).',
  ],
  ['TakerPaymentRefundedByWatcher', null, 'A watcher refunded the taker payment while the taker was offline.'],
  ['Finished', null, 'The swap is closed.'],
];

/** What a log without its first events says, where the usual one names terms. */
const toldWithoutTerms: readonly Told[] = [
  ['MakerPaymentReceived', tx('maker pays'), 'The maker announced the payment of the maker coin (maker pays).'],
  ['MakerPaymentWaitConfirmStarted', null, 'The taker waits for the confirmations of the maker payment.'],
  ['TakerPaymentSent', tx('taker pays'), 'The taker payment of the taker coin was sent (taker pays).'],
  ['MakerPaymentSpent', tx('taker takes'), 'The taker spent the maker payment and gets the maker coin (taker takes).'],
  ['MakerPaymentSpendFailed', failed, 'Spending the maker payment failed (went wrong). The secret is known.'],
];

function sentence([type, data]: Told, context: TakerSwapContext): string {
  return takerSwapSentence({ type, at: at(60), data } as TakerEvent, context);
}

describe('what a taker’s log says, event by event', () => {
  it('exists for every type of event', () => {
    expect([...new Set(told.map(([type]) => type))]).toEqual([...takerEventTypes]);
  });

  it.each(told)('%s with %j', (...row) => {
    const context = takerContext({ makerPaymentValidated: true, takerPaymentUncertain: true });
    expect(sentence(row, context)).toBe(row[2]);
  });

  it.each(toldWithoutTerms)('%s with %j, if the log does not hold the terms', (...row) => {
    expect(sentence(row, initialTakerSwapContext())).toBe(row[2]);
  });

  it('says that nothing was sent if the maker payment was not valid', () => {
    const row: Told = ['TakerPaymentTransactionFailed', failed, ''];
    expect(sentence(row, takerContext({ takerPaymentUncertain: false }))).toBe(
      'The taker payment was not sent (went wrong).',
    );
  });

  it('has no empty brackets for a failure without a text', () => {
    expect(sentence(['TakerFeeSendFailed', { error: '' }, ''], takerContext({}))).toBe(
      'The taker fee could not be sent.',
    );
  });

  it('reads the amounts and locks from the terms of the log', () => {
    const started = { ...takerStarted, maker_amount: '1.05' as DecimalText, maker_payment_confirmations: 3 };
    const negotiated = { ...takerNegotiated, maker_payment_locktime: addSeconds(MAKER_LOCK, 60) };
    const context = takerContext({ started, negotiated });
    expect(sentence(['MakerPaymentReceived', tx('a'), ''], context)).toContain('1.05 DOC');
    expect(sentence(['MakerPaymentWaitConfirmStarted', null, ''], context)).toContain('3 confirmations');
    expect(sentence(['MakerPaymentSpendFailed', failed, ''], context)).toContain('2023-11-15 02:34:20 UTC');
  });
});
