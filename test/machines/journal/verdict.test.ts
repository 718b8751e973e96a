import { describe, expect, it } from 'vitest';
import { applyJournal, initialJournalContext, type JournalContext } from '../../../machines/journal/context.ts';
import type { SwapVerdict } from '../../../machines/swap-verdict.ts';
import type { JournalEvent, JournalPayloads, JournalType } from '../../../src/events/journal.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { fold } from '../../../src/replay/fold.ts';
import { swapMachines } from '../../../src/replay/swaps.ts';
import { requestOf } from '../../support/swap-pair.ts';
import { syntheticEvents } from '../../support/synthetic-events.ts';

const AT = 1_700_000_000_000 as Millis;
const TX = { tx_hex: 'aa', tx_hash: 'bb'.repeat(32), spends: ['x:0'], fee: '0' as never };

type Entry = { readonly [T in JournalType]: readonly [T, JournalPayloads[T]] }[JournalType];

function journalOf(...entries: readonly Entry[]): JournalContext {
  const journal = initialJournalContext();
  for (const [type, data] of entries) applyJournal(journal, { type, at: AT, data } as JournalEvent);
  return journal;
}

const TO_PAYMENT = [
  'Started',
  'Negotiated',
  'TakerFeeSent',
  'TakerPaymentInstructionsReceived',
  'MakerPaymentReceived',
  'MakerPaymentWaitConfirmStarted',
  'MakerPaymentValidatedAndConfirmed',
];

function judge(types: readonly string[], journal: JournalContext): SwapVerdict & { readonly state: string } {
  const machine = swapMachines.taker;
  const { state, context } = fold(machine, syntheticEvents(types));
  const verdict = machine.definition.verdict(state, context, journal);
  return { ...verdict, state };
}

const FAILED = [...TO_PAYMENT, 'TakerPaymentTransactionFailed'];
const REQUESTED: Entry = ['SwapRequested', requestOf('taker')];
const PREPARED: Entry = ['TransactionPrepared', { purpose: 'payment', tx: TX, target: null, urgency: 0 }];
const ATTEMPTED: Entry = ['BroadcastAttempted', { purpose: 'payment', tx_hash: TX.tx_hash }];
const VOIDED: Entry = [
  'PaymentSettled',
  { payment: 'taker', how: 'voided', by: 'self', tx_hash: null, confirmations: 3 },
];

describe('a payment that is reported as failed', () => {
  it('is in doubt as long as somebody may hold it', () => {
    const journal = journalOf(REQUESTED, PREPARED, ATTEMPTED);
    const { outcome, funds } = judge(FAILED, journal);
    expect(outcome).toBe('funds-at-risk');
    expect(funds.takerPayment.status).toBe('uncertain');
  });

  it('is no risk if it was never handed out', () => {
    for (const journal of [journalOf(REQUESTED), journalOf(REQUESTED, PREPARED)]) {
      const { outcome, funds, next } = judge(FAILED, journal);
      expect(outcome).toBe('failed-before-payment');
      expect(funds.takerPayment).toMatchObject({ status: 'none', tx: null, claimable: [] });
      expect(next).toMatchObject({ action: 'finish', who: 'engine' });
    }
  });

  it('is no risk when it was made impossible', () => {
    const journal = journalOf(REQUESTED, PREPARED, ATTEMPTED, VOIDED);
    expect(judge(FAILED, journal).outcome).toBe('failed-before-payment');
    expect(judge([...FAILED, 'Finished'], journal)).toMatchObject({ outcome: 'failed-before-payment', next: null });
  });

  it('stays in doubt if the log came from elsewhere, without its journal', () => {
    expect(judge(FAILED, journalOf()).outcome).toBe('funds-at-risk');
    expect(judge(FAILED, journalOf(VOIDED)).outcome).toBe('failed-before-payment');
  });
});

describe('what happened after the end', () => {
  const PAID = [...TO_PAYMENT, 'TakerPaymentSent'];
  const AT_RISK = [...PAID, 'TakerPaymentSpent', 'MakerPaymentSpendFailed', 'Finished'];
  const LOST = [
    ...PAID,
    'TakerPaymentWaitForSpendFailed',
    'TakerPaymentWaitRefundStarted',
    'TakerPaymentRefundStarted',
  ];
  const GAVE_UP = [...LOST, 'TakerPaymentRefundFailed', 'Finished'];

  it('a claim that was recovered completes the swap', () => {
    expect(judge(AT_RISK, journalOf(REQUESTED))).toMatchObject({ outcome: 'funds-at-risk', next: { who: 'operator' } });
    const end: Entry = ['FundsRecovered', { action: 'SpentOtherPayment', coin: 'DOC', tx: TX }];
    expect(judge(AT_RISK, journalOf(REQUESTED, end))).toMatchObject({
      outcome: 'completed',
      funds: { makerPayment: { status: 'spent', by: 'taker', tx: TX.tx_hash, claimable: [] } },
      next: null,
    });
  });

  it('a refund that was recovered refunds it', () => {
    expect(judge(GAVE_UP, journalOf(REQUESTED)).outcome).toBe('funds-at-risk');
    const end: Entry = ['FundsRecovered', { action: 'RefundedMyPayment', coin: 'MARTY', tx: null }];
    expect(judge(GAVE_UP, journalOf(REQUESTED, end))).toMatchObject({
      outcome: 'refunded',
      funds: { takerPayment: { status: 'refunded', by: 'taker', tx: null } },
      next: null,
    });
  });

  it('while a recovery is under way the engine acts, not a person', () => {
    const asked: Entry = ['OperatorActed', { action: 'recover', reason: null }];
    expect(judge(AT_RISK, journalOf(REQUESTED, asked)).next?.who).toBe('engine');
    const refused: Entry = ['RecoveryRefused', { reason: 'nothing there' }];
    expect(judge(AT_RISK, journalOf(REQUESTED, asked, refused)).next?.who).toBe('operator');
  });

  it('a claim that the journal saw final is a success, whatever failed before', () => {
    const settled: Entry = [
      'PaymentSettled',
      { payment: 'maker', how: 'claimed', by: 'self', tx_hash: TX.tx_hash, confirmations: 3 },
    ];
    expect(judge(AT_RISK, journalOf(REQUESTED, settled)).outcome).toBe('completed');
  });
});

it('leaves every other verdict as the machine has it', () => {
  for (let length = 0; length <= TO_PAYMENT.length; length++) {
    const types = TO_PAYMENT.slice(0, length);
    const machine = swapMachines.taker;
    const { state, context } = fold(machine, syntheticEvents(types));
    const { outcome, funds } = machine.definition.verdict(state, context);
    expect(judge(types, journalOf(REQUESTED))).toMatchObject({ outcome, funds });
  }
});

describe('an end that a chain has undone', () => {
  const PAID = [...TO_PAYMENT, 'TakerPaymentSent'];
  const DONE = [...PAID, 'TakerPaymentSpent', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmed', 'Finished'];
  const REFUNDED = [
    ...PAID,
    'TakerPaymentWaitForSpendFailed',
    'TakerPaymentWaitRefundStarted',
    'TakerPaymentRefundStarted',
    'TakerPaymentRefunded',
    'TakerPaymentRefundFinished',
    'Finished',
  ];
  const settled = (payment: 'maker' | 'taker', how: 'claimed' | 'refunded', by: 'self' | 'counterparty'): Entry => [
    'PaymentSettled',
    { payment, how, by, tx_hash: TX.tx_hash, confirmations: 3 },
  ];
  const reorged = (payment: 'maker' | 'taker'): Entry => [
    'PaymentReorged',
    { payment, tx_hash: TX.tx_hash, confirmations: 0, before: 3 },
  ];

  it('is no end: a claim is pending again, and the engine is at it', () => {
    const journal = journalOf(REQUESTED, settled('maker', 'claimed', 'self'), reorged('maker'));
    expect(judge(DONE, journal)).toMatchObject({
      outcome: 'claim-pending',
      funds: { makerPayment: { status: 'uncertain' } },
      next: { who: 'engine', action: 'spendMakerPayment' },
    });
    expect(judge(DONE, journal).next?.text).toMatch(
      /^A reorganisation has undone the claim of the maker payment\. Check/,
    );
    applyJournal(journal, { type: 'PaymentSettled', at: AT, data: settled('maker', 'claimed', 'self')[1] } as never);
    expect(judge(DONE, journal)).toMatchObject({ outcome: 'completed', next: null });
  });

  it('is a refund again, or the claim that took its place', () => {
    const open = [REQUESTED, settled('taker', 'refunded', 'self'), reorged('taker')];
    expect(judge(REFUNDED, journalOf(...open))).toMatchObject({
      outcome: 'refund-pending',
      funds: { takerPayment: { status: 'locked' } },
      next: { who: 'engine' },
    });
    const claimed = [settled('taker', 'claimed', 'counterparty'), settled('maker', 'claimed', 'self')];
    expect(judge(REFUNDED, journalOf(...open, ...claimed))).toMatchObject({
      outcome: 'completed',
      funds: { takerPayment: { status: 'spent', by: 'maker' }, makerPayment: { status: 'spent', by: 'taker' } },
    });
  });

  it('cancels what an order had brought', () => {
    const got: Entry = ['FundsRecovered', { action: 'SpentOtherPayment', coin: 'DOC', tx: TX }];
    const journal = journalOf(REQUESTED, settled('maker', 'claimed', 'self'), got, reorged('maker'));
    expect(judge(DONE, journal).outcome).toBe('claim-pending');
  });

  it('leaves the own payment to be refunded if the other side has its own back', () => {
    const journal = journalOf(REQUESTED, reorged('maker'), settled('maker', 'refunded', 'counterparty'));
    expect(judge(DONE, journal)).toMatchObject({
      outcome: 'refund-pending',
      funds: { makerPayment: { status: 'refunded', by: 'maker' } },
      next: { action: 'refundTakerPayment', who: 'engine' },
    });
    applyJournal(journal, {
      type: 'PaymentSettled',
      at: AT,
      data: settled('taker', 'claimed', 'counterparty')[1],
    } as never);
    expect(judge(DONE, journal).outcome).toBe('lost');
  });
});

describe('the id of an end', () => {
  const done = [
    ...TO_PAYMENT,
    'TakerPaymentSent',
    'TakerPaymentSpent',
    'MakerPaymentSpent',
    'MakerPaymentSpendConfirmed',
    'Finished',
  ];
  const settledBy = (tx_hash: string | null) =>
    journalOf(['PaymentSettled', { payment: 'maker', how: 'claimed', by: 'self', tx_hash, confirmations: 3 }]);

  it('is that of the claim that became final, even if another was recorded first', () => {
    const first = judge(done, settledBy(null)).funds.makerPayment;
    const final = judge(done, settledBy('ee'.repeat(32))).funds.makerPayment;
    expect(first).toMatchObject({ status: 'spent' });
    expect(first.tx).not.toBe('ee'.repeat(32));
    expect(final).toEqual({ ...first, tx: 'ee'.repeat(32) });
  });
});
