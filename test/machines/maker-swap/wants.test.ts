import { describe, expect, it } from 'vitest';
import type { MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { traceSwap } from '../../../src/replay/trace.ts';
import { buildSwap } from '../../../src/testing/logs/swap-builder.ts';

const STARTED_AT = 1_700_000_000;
const L = 7800;

const TO_CLAIM = [
  'Started',
  'Negotiated',
  'MakerPaymentInstructionsReceived',
  'TakerFeeValidated',
  'MakerPaymentSent',
  'TakerPaymentReceived',
  'TakerPaymentWaitConfirmStarted',
  'TakerPaymentValidatedAndConfirmed',
];

function after(...types: readonly string[]) {
  const log = buildSwap({ role: 'maker', path: types, seed: 'wants', startedAt: STARTED_AT, lockDuration: L });
  const last = traceSwap(log).at(-1);
  if (last === undefined) throw new Error('no event');
  const [first, second] = log.events;
  const { maker_payment_lock: lock = 0, started_at: start = 0 } = (first?.data ?? {}) as {
    maker_payment_lock?: number;
    started_at?: number;
  };
  const { taker_payment_locktime: takerLock = 0 } = (second?.data ?? {}) as { taker_payment_locktime?: number };
  return { ...last, at: last.event.at, lock, start, takerLock };
}

const seconds = (value: number) => value * 1000;
const effects = (...types: readonly string[]) => after(...types).wants.map(({ effect }) => effect);

describe('what a maker wants', () => {
  it('each step in turn', () => {
    const expected = [
      'negotiate',
      'waitForTakerFee',
      'waitForTakerFee',
      'sendMakerPayment',
      'waitForTakerPayment',
      'validateTakerPayment',
      'validateTakerPayment',
      'spendTakerPayment',
    ];
    for (const [index, effect] of expected.entries())
      expect(effects(...TO_CLAIM.slice(0, index + 1))).toEqual([effect]);
  });

  it('its payment until a third, its claim until four fifths of the lock duration', () => {
    const paying = after(...TO_CLAIM.slice(0, 4));
    expect(paying.wants[0]?.until).toBe(seconds(paying.start + 2600));
    const claiming = after(...TO_CLAIM);
    expect(claiming.wants[0]?.until).toBe(seconds(claiming.start + 6240));
    expect(claiming.deadlines).toContainEqual({
      kind: 'takerRefundValid',
      at: seconds(claiming.takerLock),
      clock: 'takerChain',
    });
  });

  it('after its spend was broadcast: that claim alone, never a refund beside it', () => {
    const spent = [...TO_CLAIM, 'TakerPaymentSpent'];
    expect(effects(...spent)).toEqual(['confirmTakerPaymentSpend']);
    for (const tail of [
      ['TakerPaymentSpendConfirmStarted', 'TakerPaymentSpendConfirmFailed'],
      ['TakerPaymentSpendConfirmFailed', 'MakerPaymentWaitRefundStarted'],
      ['TakerPaymentSpendConfirmFailed', 'MakerPaymentWaitRefundStarted', 'MakerPaymentRefundStarted'],
      [
        'TakerPaymentSpendConfirmFailed',
        'MakerPaymentWaitRefundStarted',
        'MakerPaymentRefundStarted',
        'MakerPaymentRefundFailed',
      ],
    ]) {
      const { wants, takerLock } = after(...spent, ...tail);
      expect(wants).toEqual([
        expect.objectContaining({
          effect: 'spendTakerPayment',
          contestedFrom: seconds(takerLock),
          race: { lock: takerLock, margin: L / 5 },
          clock: 'takerChain',
        }),
      ]);
    }
  });

  it('a valid taker payment is claimed on beside the wait for the own refund', () => {
    const { wants, lock } = after(...TO_CLAIM, 'TakerPaymentSpendFailed', 'MakerPaymentWaitRefundStarted');
    expect(wants.map(({ effect }) => effect)).toEqual([
      'spendTakerPayment',
      'findMakerPaymentSpend',
      'refundMakerPayment',
    ]);
    expect(wants.at(-1)).toEqual({ effect: 'refundMakerPayment', notBefore: seconds(lock), clock: 'makerChain' });
  });

  it('an invalid taker payment leaves the refund alone', () => {
    expect(effects(...TO_CLAIM.slice(0, 5), 'TakerPaymentValidateFailed', 'MakerPaymentWaitRefundStarted')).toEqual([
      'findMakerPaymentSpend',
      'refundMakerPayment',
    ]);
  });

  it('the wait for the taker payment counts from the latest confirmation of its own payment', () => {
    const { deadlines, start } = after(...TO_CLAIM.slice(0, 5));
    expect(deadlines).toContainEqual({
      kind: 'takerPaymentMessage',
      at: seconds(start + 3120 + 4680 + 90),
      clock: 'host',
    });
  });
});

describe('what a maker’s state is', () => {
  it('looks after a spend whose confirmation failed first, and refunds only after the taker has refunded', () => {
    const { verdict, takerLock } = after(
      ...TO_CLAIM,
      'TakerPaymentSpent',
      'TakerPaymentSpendConfirmFailed',
      'MakerPaymentWaitRefundStarted',
      'MakerPaymentRefundStarted',
      'MakerPaymentRefundFailed',
      'Finished',
    );
    expect(verdict.outcome).toBe('funds-at-risk');
    expect(verdict.next).toMatchObject({ action: 'spendTakerPayment', who: 'operator', until: takerLock });
    expect(verdict.funds.takerPayment.status).toBe('uncertain');
  });

  it('a taker payment that was only announced is uncertain', () => {
    expect(after(...TO_CLAIM.slice(0, 6)).verdict.funds.takerPayment.status).toBe('uncertain');
    expect(after(...TO_CLAIM).verdict.funds.takerPayment.status).toBe('locked');
  });
});

describe('a maker whose engine continues', () => {
  const REFUND_BOUND = ['MakerPaymentWaitRefundStarted', 'MakerPaymentRefundStarted', 'MakerPaymentRefundFailed'];

  it('finds its payment on the chain after all, and waits for the taker', () => {
    const found = after(...TO_CLAIM.slice(0, 4), 'MakerPaymentTransactionFailed', 'MakerPaymentSent');
    expect(found.wants.map(({ effect }) => effect)).toEqual(['waitForTakerPayment']);
    expect(found.verdict.outcome).toBe('in-progress');
  });

  it('refunds a payment that was sent before the swap was called failed', () => {
    const waiting = after(...TO_CLAIM.slice(0, 7), 'MakerPaymentTransactionFailed', 'MakerPaymentWaitRefundStarted');
    expect(waiting.wants.map(({ effect }) => effect)).toEqual(['findMakerPaymentSpend', 'refundMakerPayment']);
    expect(waiting.verdict.outcome).toBe('refund-pending');
  });

  it('wants nothing but the claim once it is broadcast, however far the refund was', () => {
    for (const length of [0, 1, 2, 3]) {
      const claimed = after(
        ...TO_CLAIM,
        'TakerPaymentSpendFailed',
        ...REFUND_BOUND.slice(0, length),
        'TakerPaymentSpent',
      );
      expect(claimed.wants.map(({ effect }) => effect)).toEqual(['confirmTakerPaymentSpend']);
      expect(claimed.verdict.outcome).toBe('claim-pending');
      const confirmed = after(
        ...TO_CLAIM,
        'TakerPaymentSpendFailed',
        ...REFUND_BOUND.slice(0, length),
        'TakerPaymentSpent',
        'TakerPaymentSpendConfirmStarted',
        'TakerPaymentSpendConfirmed',
      );
      expect(confirmed.verdict.outcome).toBe('completed');
      expect((confirmed.context as MakerSwapContext).failures[0]?.event).toBe('TakerPaymentSpendFailed');
    }
  });

  it('does not hold the failure of an earlier claim against a new one, nor its deadline', () => {
    const failed = [
      ...TO_CLAIM,
      'TakerPaymentSpent',
      'TakerPaymentSpendConfirmStarted',
      'TakerPaymentSpendConfirmFailed',
    ];
    expect(after(...failed).verdict.funds.takerPayment.status).toBe('uncertain');
    const again = after(...failed, 'TakerPaymentSpent');
    expect(again.verdict.funds.takerPayment.status).toBe('spent');
    expect(again.wants).toEqual([{ effect: 'confirmTakerPaymentSpend' }]);
    expect(again.deadlines.map(({ kind }) => kind)).toEqual(['takerRefundValid']);
  });

  it('has its payment back if a refund that had failed went through', () => {
    const refunded = after(
      ...TO_CLAIM.slice(0, 5),
      'TakerPaymentValidateFailed',
      ...REFUND_BOUND,
      'MakerPaymentRefunded',
    );
    expect(refunded.verdict.outcome).toBe('refunded');
    expect(refunded.wants).toEqual([{ effect: 'finishRefund' }]);
  });
});
