import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../../src/events/journal.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { isSameStory } from '../../../../src/replay/compare/copies.ts';
import { oneJournal } from '../../../../src/replay/compare/one-journal.ts';
import { compareLogs } from '../../../../src/replay/compare.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const { maker, taker } = buildSwapPair({ seed: 'one journal', makerCoin: 'LTC', takerCoin: 'DOC' });
const secret = '5a'.repeat(32);

type Record = readonly [type: JournalRecord['type'], data: object];

const withJournal = (...records: readonly Record[]) => ({
  ...maker,
  journal: {
    importedAt: null,
    records: records.map(([type, data], index): JournalRecord => {
      return { before: 2, at: millisOf(1_700_000_000_000 + index), type, data };
    }),
  },
});

const told = (...records: readonly Record[]) =>
  oneJournal(withJournal(...records), maker)?.records.map(({ type, about }) => `${type}: ${about}`);

describe('the journal that only one of two logs has', () => {
  const whole = withJournal(['SwapRequested', { secret }]);

  it('is reported for whichever log has it', () => {
    const records = [{ seq: 0, type: 'SwapRequested', at: 1_700_000_000_000, about: null }];
    expect(oneJournal(whole, maker)).toEqual({ only: 'left', records });
    expect(oneJournal(maker, whole)).toEqual({ only: 'right', records });
    expect(oneJournal(whole, whole)).toBeNull();
    expect(oneJournal(maker, maker)).toBeNull();
    expect(oneJournal(withJournal(), maker)).toBeNull();
  });

  it('is in comparisons of copies and of both sides, and makes no different story', () => {
    const copies = compareLogs(whole, maker);
    expect(copies.onlyJournal?.only).toBe('left');
    expect(copies.kind === 'copies' && isSameStory(copies)).toBe(true);
    expect(compareLogs(taker, whole)).toMatchObject({ kind: 'sides', onlyJournal: { only: 'right' } });
  });

  it('says what each record is about', () => {
    const payment = { purpose: 'payment', tx_hash: 'ab12' };
    expect(
      told(
        ['TransactionPrepared', { purpose: 'payment', tx: { tx_hash: 'ab12', tx_hex: '00' }, target: null }],
        ['BroadcastAttempted', payment],
        ['BroadcastAccepted', { ...payment, how: 'known' }],
        ['BroadcastRefused', { ...payment, kind: 'feeTooLow', message: '66: min relay fee not met' }],
        ['TransactionDropped', payment],
        ['TransactionReverted', payment],
        ['PaymentReorged', { payment: 'taker', tx_hash: 'cd', confirmations: 0, before: 3 }],
        ['PaymentSettled', { payment: 'taker', how: 'claimed', by: 'counterparty', tx_hash: 'cd', confirmations: 6 }],
        ['PaymentSettled', { payment: 'maker', how: 'voided', by: 'self', tx_hash: null, confirmations: 1 }],
        ['MessageReceived', { message: { kind: 'negotiation', secret } }],
        ['DeadlineReached', { kind: 'sendMakerPayment', deadline: 1, clock: 'takerChain' }],
        ['OperatorActed', { action: 'pause', reason: 'a look' }],
        ['OperatorActed', { action: 'resume', reason: null }],
        ['FundsRecovered', { action: 'RefundedMyPayment', coin: 'LTC', tx: { tx_hash: 'ef', tx_hex: '00' } }],
        ['RecoveryRefused', { reason: 'nothing is there' }],
      ),
    ).toMatchInlineSnapshot(`
      [
        "TransactionPrepared: payment ab12",
        "BroadcastAttempted: payment ab12",
        "BroadcastAccepted: payment ab12, known",
        "BroadcastRefused: payment ab12, feeTooLow, 66: min relay fee not met",
        "TransactionDropped: payment ab12",
        "TransactionReverted: payment ab12",
        "PaymentReorged: taker payment cd, confirmations: 3 before, 0 after",
        "PaymentSettled: taker payment claimed by the other side, cd, confirmations: 6",
        "PaymentSettled: maker payment voided by the own side, confirmations: 1",
        "MessageReceived: negotiation",
        "DeadlineReached: sendMakerPayment, by the clock of the taker's chain",
        "OperatorActed: pause, a look",
        "OperatorActed: resume",
        "FundsRecovered: RefundedMyPayment, ef",
        "RecoveryRefused: nothing is there",
      ]
    `);
  });

  it('is also reported if its payloads are not in this engine’s form, and without secrets', () => {
    expect(told(['PaymentSettled', {}], ['MessageReceived', { message: null }])).toMatchInlineSnapshot(`
      [
        "PaymentSettled: null",
        "MessageReceived: null",
      ]
    `);
    const { onlyJournal } = compareLogs(
      withJournal(['OperatorActed', { action: 'retry', reason: `seen: ${secret}` }], ['SwapRequested', { secret }]),
      maker,
    );
    expect(JSON.stringify(onlyJournal)).not.toContain('5a5a5a5a');
  });
});
