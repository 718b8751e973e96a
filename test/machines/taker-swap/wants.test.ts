import { describe, expect, it } from 'vitest';
import type { TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import type { TakerStarted } from '../../../src/events/payloads.ts';
import { traceSwap } from '../../../src/replay/trace.ts';
import { buildSwap } from '../../../src/testing/logs/swap-builder.ts';

const STARTED_AT = 1_700_000_000;
const L = 7800;

const TO_PAYMENT = [
  'Started',
  'Negotiated',
  'TakerFeeSent',
  'TakerPaymentInstructionsReceived',
  'MakerPaymentReceived',
  'MakerPaymentWaitConfirmStarted',
  'MakerPaymentValidatedAndConfirmed',
  'TakerPaymentSent',
];

function after(...types: readonly string[]) {
  const log = buildSwap({ role: 'taker', path: types, seed: 'wants', startedAt: STARTED_AT, lockDuration: L });
  const steps = traceSwap(log);
  const last = steps.at(-1);
  if (last === undefined) throw new Error('no event');
  const makerLock =
    (log.events[1]?.data as { maker_payment_locktime?: number } | undefined)?.maker_payment_locktime ?? 0;
  return { ...last, at: last.event.at, makerLock, started: log.events[0]?.data as TakerStarted };
}

const seconds = (value: number) => value * 1000;

describe('what a taker wants', () => {
  it('before its payment: each step until its own deadline, and nothing that moves the payment', () => {
    const expected: readonly (readonly [number, string, number | undefined])[] = [
      [1, 'negotiate', undefined],
      [2, 'sendTakerFee', STARTED_AT + 2600],
      [3, 'waitForMakerPayment', undefined],
      [4, 'waitForMakerPayment', undefined],
      [5, 'validateMakerPayment', STARTED_AT + 3120],
      [6, 'validateMakerPayment', STARTED_AT + 3120],
      [7, 'sendTakerPayment', STARTED_AT + 3120],
      [8, 'waitForTakerPaymentSpend', STARTED_AT + L],
    ];
    for (const [count, effect, until] of expected) {
      const { wants } = after(...TO_PAYMENT.slice(0, count));
      expect(wants.map((want) => want.effect)).toEqual([effect]);
      if (until !== undefined) expect(wants[0]?.until).toBe(seconds(until));
    }
  });

  it('messages are awaited from the event before them: 180 s in the negotiation, 690 s for the maker payment', () => {
    const negotiating = after('Started');
    expect(negotiating.wants[0]?.until).toBe(negotiating.at + seconds(180));
    const waiting = after(...TO_PAYMENT.slice(0, 3));
    expect(waiting.wants[0]?.until).toBe(waiting.at + seconds(690));
  });

  it('after its payment without the secret: look for the spend, refund from the lock on by the chain of the taker coin', () => {
    for (const tail of [
      ['TakerPaymentWaitForSpendFailed'],
      ['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted'],
      ['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted', 'TakerPaymentRefundStarted'],
      [
        'TakerPaymentWaitForSpendFailed',
        'TakerPaymentWaitRefundStarted',
        'TakerPaymentRefundStarted',
        'TakerPaymentRefundFailed',
      ],
      ['TakerPaymentDataSendFailed'],
      ['TakerPaymentWaitConfirmFailed'],
    ]) {
      const { wants, deadlines } = after(...TO_PAYMENT, ...tail);
      expect(wants).toEqual([
        { effect: 'findTakerPaymentSpend' },
        { effect: 'refundTakerPayment', notBefore: seconds(STARTED_AT + L), clock: 'takerChain' },
      ]);
      expect(deadlines).toEqual([{ kind: 'refundValid', at: seconds(STARTED_AT + L), clock: 'takerChain' }]);
    }
  });

  it('with the secret public: the claim alone, whatever followed, contested from the maker lock on', () => {
    const spent = [...TO_PAYMENT, 'TakerPaymentSpent'];
    for (const tail of [
      [],
      ['MakerPaymentSpendFailed'],
      ['MakerPaymentSpendFailed', 'TakerPaymentRefundStarted'],
      ['MakerPaymentSpendFailed', 'TakerPaymentRefundStarted', 'TakerPaymentRefundFailed'],
      ['MakerPaymentSpendFailed', 'TakerPaymentRefundStarted', 'TakerPaymentRefunded'],
      ['MakerPaymentSpendFailed', 'TakerPaymentRefundStarted', 'TakerPaymentRefunded', 'TakerPaymentRefundFinished'],
      ['MakerPaymentSpendFailed', 'TakerPaymentRefundedByWatcher'],
      ['MakerPaymentSpent', 'MakerPaymentSpendConfirmFailed'],
      ['MakerPaymentSpent', 'MakerPaymentSpendConfirmFailed', 'TakerPaymentWaitRefundStarted'],
    ]) {
      const { wants, deadlines, makerLock } = after(...spent, ...tail);
      expect(wants, tail.join(' ')).toEqual([
        {
          effect: 'spendMakerPayment',
          contestedFrom: seconds(makerLock),
          race: { lock: makerLock, margin: L / 5 },
          clock: 'makerChain',
        },
      ]);
      expect(deadlines).toContainEqual({ kind: 'makerRefundValid', at: seconds(makerLock), clock: 'makerChain' });
    }
  });

  it('a restarted node that kept the secret to itself looks it up before it claims', () => {
    const { wants } = after(...TO_PAYMENT, 'WatcherMessageSent', 'MakerPaymentSpendFailed');
    expect(wants.map(({ effect }) => effect)).toEqual(['findTakerPaymentSpend', 'spendMakerPayment']);
  });

  it('a broadcast claim is watched until it is confirmed, and the maker lock stays a deadline', () => {
    for (const claimed of [['MakerPaymentSpent'], ['MakerPaymentSpentByWatcher']]) {
      const { wants, deadlines } = after(...TO_PAYMENT, 'TakerPaymentSpent', ...claimed);
      expect(wants).toEqual([
        { effect: 'confirmMakerPaymentSpend', until: seconds(STARTED_AT + L + 3700), clock: 'host' },
      ]);
      expect(deadlines.map(({ kind }) => kind)).toEqual(['claimConfirmation', 'makerRefundValid']);
    }
  });

  it('a sending that was reported as failed is looked up before the swap is closed', () => {
    const uncertain = after(...TO_PAYMENT.slice(0, 7), 'TakerPaymentTransactionFailed');
    expect(uncertain.wants).toEqual([{ effect: 'findTakerPayment' }]);
    const certain = after(...TO_PAYMENT.slice(0, 6), 'TakerPaymentTransactionFailed');
    expect(certain.wants).toEqual([{ effect: 'finish' }]);
  });

  it('watchers act from one lock duration after the start, and refund from one and a half', () => {
    const { deadlines } = after(...TO_PAYMENT, 'WatcherMessageSent');
    expect(deadlines).toEqual([
      { kind: 'takerPaymentLock', at: seconds(STARTED_AT + L), clock: 'takerChain' },
      { kind: 'refundValid', at: seconds(STARTED_AT + L), clock: 'takerChain' },
      { kind: 'watcherSpend', at: seconds(STARTED_AT + L), clock: 'host' },
      { kind: 'watcherRefund', at: seconds(STARTED_AT + L * 1.5), clock: 'host' },
    ]);
  });
});

describe('what a taker’s state is', () => {
  it('a claim that failed and was closed is at risk, and the step says until when it is exclusive', () => {
    const { verdict, makerLock } = after(...TO_PAYMENT, 'TakerPaymentSpent', 'MakerPaymentSpendFailed', 'Finished');
    expect(verdict.outcome).toBe('funds-at-risk');
    expect(verdict.next).toMatchObject({
      action: 'spendMakerPayment',
      who: 'operator',
      notBefore: null,
      until: makerLock,
    });
    expect(verdict.funds.makerPayment).toMatchObject({
      status: 'locked',
      claimable: [
        { by: 'taker', how: 'secret' },
        { by: 'maker', how: 'refund' },
      ],
    });
    expect(verdict.funds.takerPayment).toMatchObject({ status: 'spent', by: 'maker' });
  });

  it('a refund beside a public secret settles nothing', () => {
    const { verdict } = after(
      ...TO_PAYMENT,
      'TakerPaymentSpent',
      'MakerPaymentSpendFailed',
      'TakerPaymentRefundStarted',
      'TakerPaymentRefunded',
      'TakerPaymentRefundFinished',
      'Finished',
    );
    expect(verdict.outcome).toBe('funds-at-risk');
    expect(verdict.next?.action).toBe('spendMakerPayment');
  });

  it('a payment that was only announced is uncertain until it is found valid and confirmed', () => {
    expect(after(...TO_PAYMENT.slice(0, 5)).verdict.funds.makerPayment.status).toBe('uncertain');
    expect(after(...TO_PAYMENT.slice(0, 7)).verdict.funds.makerPayment.status).toBe('locked');
  });

  it('a claim whose confirmation failed is not called settled', () => {
    const { verdict } = after(
      ...TO_PAYMENT,
      'TakerPaymentSpent',
      'MakerPaymentSpent',
      'MakerPaymentSpendConfirmFailed',
    );
    expect(verdict.outcome).toBe('claim-pending');
    expect(verdict.funds.makerPayment.status).toBe('uncertain');
  });
});

describe('a taker whose engine continues', () => {
  const SPENT = [...TO_PAYMENT, 'TakerPaymentSpent'];
  const TO_REFUND = [
    ...TO_PAYMENT,
    'TakerPaymentWaitForSpendFailed',
    'TakerPaymentWaitRefundStarted',
    'TakerPaymentRefundStarted',
    'TakerPaymentRefundFailed',
  ];
  const failuresOf = ({ context }: { readonly context: unknown }) =>
    (context as TakerSwapContext).failures.map(({ event }) => event);

  it('finds its payment on the chain after all, and waits for the spend as if nothing had failed', () => {
    const found = after(...TO_PAYMENT.slice(0, 7), 'TakerPaymentTransactionFailed', 'TakerPaymentSent');
    expect(found.wants.map(({ effect }) => effect)).toEqual(['waitForTakerPaymentSpend']);
    expect(found.verdict.outcome).toBe('in-progress');
    expect(found.verdict.funds.takerPayment.status).toBe('locked');
    expect(failuresOf(found)).toEqual(['TakerPaymentTransactionFailed']);
  });

  it('drops the refund and claims as soon as the maker spends, however far the refund was', () => {
    for (const length of [1, 2, 3, 4]) {
      const { wants, deadlines, verdict, makerLock } = after(
        ...TO_REFUND.slice(0, TO_PAYMENT.length + length),
        'TakerPaymentSpent',
      );
      expect(wants).toEqual([
        {
          effect: 'spendMakerPayment',
          contestedFrom: seconds(makerLock),
          race: { lock: makerLock, margin: L / 5 },
          clock: 'makerChain',
        },
      ]);
      expect(deadlines).toEqual([{ kind: 'makerRefundValid', at: seconds(makerLock), clock: 'makerChain' }]);
      expect(verdict).toMatchObject({ outcome: 'claim-pending', next: { who: 'engine', action: 'spendMakerPayment' } });
    }
  });

  it('has completed once a claim that had failed is confirmed, and still reports the failures', () => {
    const claimed = after(...SPENT, 'MakerPaymentSpendFailed', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmed');
    expect(claimed.wants).toEqual([{ effect: 'finish' }]);
    expect(claimed.verdict.outcome).toBe('completed');
    expect(claimed.verdict.funds.makerPayment).toMatchObject({ status: 'spent', by: 'taker' });
    expect(failuresOf(claimed)).toEqual(['MakerPaymentSpendFailed']);
  });

  it('does not hold the failure of an earlier claim against a new one', () => {
    for (const claim of ['MakerPaymentSpent', 'MakerPaymentSpentByWatcher']) {
      const again = [...SPENT, 'MakerPaymentSpent', 'MakerPaymentSpendConfirmFailed', claim];
      expect(after(...again).verdict.funds.makerPayment.status).toBe('spent');
      expect(after(...again, 'MakerPaymentSpendConfirmFailed').verdict.funds.makerPayment.status).toBe('uncertain');
    }
  });

  it('waits for a claim that it made after the usual deadline until it is final', () => {
    const { wants, deadlines } = after(
      ...SPENT,
      'MakerPaymentSpent',
      'MakerPaymentSpendConfirmFailed',
      'MakerPaymentSpent',
    );
    expect(wants).toEqual([{ effect: 'confirmMakerPaymentSpend' }]);
    expect(deadlines.map(({ kind }) => kind)).toEqual(['makerRefundValid']);
  });

  it('ends at risk if the claim was lost, and refunded if a refund that had failed went through', () => {
    const lost = after(...SPENT, 'MakerPaymentSpent', 'MakerPaymentSpendConfirmFailed', 'Finished');
    expect(lost.verdict.outcome).toBe('funds-at-risk');
    const refunded = after(...TO_REFUND, 'TakerPaymentRefunded');
    expect(refunded.verdict.outcome).toBe('refunded');
    expect(refunded.wants).toEqual([{ effect: 'finishRefund' }]);
  });
});
