import { describe, expect, it } from 'vitest';
import { kdfSentences } from '../../../../src/replay/explain/kdf.ts';
import { explainFacts, type FactsOptions } from '../../../support/explain-facts.ts';

const said = (options: FactsOptions) => kdfSentences(explainFacts(options));
/** What is said beyond the three flags. */
const beyond = (options: FactsOptions) => said(options).slice(1);

const recoverable = { finished: true, success: false, recoverable: true };
const settled = { finished: true, success: false };

describe('the flags of the real node', () => {
  it('are shown as it derives them', () => {
    expect(said({})).toEqual(["By the real node's rules: finished no, success not known, recoverable no."]);
    expect(said({ outcome: 'refunded', kdf: { finished: true, success: false } })).toEqual([
      "By the real node's rules: finished yes, success no, recoverable no.",
    ]);
    expect(said({ outcome: 'completed', kdf: { finished: true, success: true } })).toEqual([
      "By the real node's rules: finished yes, success yes, recoverable no.",
    ]);
  });
});

describe('if success says something else', () => {
  it('no, although the coins arrived: with each error event once, and the unknown ones', () => {
    const events = ['Started', 'TakerPaymentWaitForSpendFailed', 'Odd', 'TakerPaymentWaitForSpendFailed', 'Finished'];
    expect(beyond({ outcome: 'completed', kdf: settled, events })).toEqual([
      'It says success no although the claim was broadcast: it counts any error event in the log (here TakerPaymentWaitForSpendFailed, Odd), whatever came of it.',
    ]);
  });

  it('yes, although they are not known to have arrived', () => {
    expect(beyond({ outcome: 'claim-pending', kdf: { finished: true, success: true } })).toEqual([
      'It says success yes because no error event is in the log, but the log does not show that the coins arrived: claim-pending.',
    ]);
  });

  it('is no difference while it is not known', () => {
    expect(beyond({ outcome: 'completed', kdf: { finished: false } })).toEqual([]);
  });
});

describe('if recoverable says something else', () => {
  it('yes, although the payment was never sent', () => {
    const failed = { outcome: 'failed-before-payment', kdf: recoverable } as const;
    expect(beyond({ ...failed, events: ['TakerPaymentTransactionFailed', 'Finished'] })).toEqual([
      'It says recoverable yes, yet the taker payment was never sent: it looks for event names alone, and TakerPaymentTransactionFailed is not one that it takes for settled.',
    ]);
    expect(beyond({ ...failed, role: 'maker', events: ['Finished'] })).toEqual([
      'It says recoverable yes, yet the maker payment was never sent: it looks for event names alone, and there is none that it takes for settled.',
    ]);
  });

  it('yes, although the coins arrived', () => {
    const completed = { outcome: 'completed', kdf: { ...recoverable, success: true } } as const;
    expect(beyond({ ...completed, role: 'maker' })).toEqual([
      'It says recoverable yes, yet the claim was broadcast: it looks for TakerPaymentSpendConfirmed, which this log does not hold (releases before November 2020 did not write it).',
    ]);
    expect(beyond(completed)).toEqual([
      'It says recoverable yes, yet the claim was broadcast: it looks for MakerPaymentSpendConfirmed, which this log does not hold.',
    ]);
  });

  it('yes, although the payment came back', () => {
    expect(beyond({ outcome: 'refunded', kdf: recoverable })).toEqual([
      'It says recoverable yes, yet the refund was broadcast: it looks for event names alone.',
    ]);
  });

  it('yes, although nobody knows whether there is a payment', () => {
    const uncertain = { outcome: 'funds-at-risk', kdf: recoverable, takerPayment: { status: 'uncertain' } } as const;
    expect(beyond(uncertain)).toEqual([
      'It says recoverable yes, but only the MARTY chain shows whether there is anything to recover.',
    ]);
    const other = { ...uncertain, takerPayment: {}, makerPayment: { status: 'uncertain' } } as const;
    expect(beyond(other)).toEqual([]);
    expect(beyond({ ...uncertain, kdf: { ...settled, finished: false } })).toEqual([]);
  });

  it('no, although coins are in the open', () => {
    const risk = { outcome: 'funds-at-risk', kdf: settled } as const;
    expect(beyond(risk)).toEqual([
      'It says recoverable no, yet coins may be in the open: it looks for event names alone.',
    ]);
    expect(beyond({ ...risk, kdf: recoverable })).toEqual([]);
    expect(beyond({ ...risk, outcome: 'refunded' })).toEqual([]);
    expect(beyond({ ...risk, kdf: {} })).toEqual([]);
  });

  it('no, only because the swap is not finished', () => {
    const note = 'Its recoverable no only says that the swap is not finished; it says nothing about the locked coins.';
    expect(beyond({ makerPayment: { status: 'locked' } })).toEqual([note]);
    expect(beyond({ takerPayment: { status: 'locked' } })).toEqual([note]);
    expect(beyond({ takerPayment: { status: 'uncertain' } })).toEqual([]);
    expect(beyond({ kdf: settled, takerPayment: { status: 'locked' } })).toEqual([]);
  });
});

describe('what the stored text printed', () => {
  it('is shown if it differs from what the rules give', () => {
    const tail = ': it was written by another release, or at an earlier moment.';
    expect(beyond({ head: { recoverable: true } })).toEqual([`The stored text itself says recoverable yes${tail}`]);
    const risk = { outcome: 'funds-at-risk', kdf: recoverable } as const;
    expect(beyond({ ...risk, head: { recoverable: false } })).toEqual([
      `The stored text itself says recoverable no${tail}`,
    ]);
    expect(beyond({ ...risk, head: { recoverable: true } })).toEqual([]);
    for (const printed of ['yes', null, 1]) expect(beyond({ head: { recoverable: printed } })).toEqual([]);
  });
});
