import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../machines/swap-verdict.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { takerSwapChart } from '../../../machines/taker-swap/machine.ts';
import { takerSwapContradictions, takerSwapVerdict } from '../../../machines/taker-swap/verdict.ts';
import { at, MAKER_LOCK, SECRET, TAKER_LOCK, takerContext, tx } from '../../support/swap-contexts.ts';

type Facts = Partial<TakerSwapContext>;

const outcome = (state: string, facts: Facts) => takerSwapVerdict(state, takerContext(facts)).outcome;
const STATES = Object.keys(takerSwapChart.states);

/** The outcome of every state of the chart with the same facts, but for the ones that are named. */
function expectOutcomes(facts: Facts, rest: Outcome, named: Partial<Record<Outcome, readonly string[]>> = {}): void {
  const expected = Object.entries(named).flatMap(([name, states]) => states.map((state) => [state, name] as const));
  const outcomes = new Map(expected);
  expect(expected.filter(([state]) => !STATES.includes(state))).toEqual([]);
  for (const state of STATES) expect(outcome(state, facts), state).toBe(outcomes.get(state) ?? rest);
}

const paid: Facts = { makerPayment: tx('maker pays'), makerPaymentValidated: true, takerPayment: tx('taker pays') };
const secretSeen: Facts = { ...paid, secret: SECRET, takerPaymentSpend: tx('maker takes') };
const claimFailed = { event: 'MakerPaymentSpendFailed', at: at(0), error: 'down' };

describe('the outcome of a taker’s swap', () => {
  it('without a taker payment: in progress, or failed before the payment once a step failed or the swap ended', () => {
    expectOutcomes({}, 'in-progress', {
      'failed-before-payment': [
        'startFailed',
        'negotiateFailed',
        'takerFeeSendFailed',
        'makerPaymentInvalid',
        'makerPaymentUnconfirmed',
        'takerPaymentFailed',
        'finished',
      ],
    });
  });

  it('with the taker payment sent: in progress, on the way to a refund, or at risk if the log ended', () => {
    expectOutcomes(paid, 'in-progress', {
      'refund-pending': [
        'takerPaymentDataNotSent',
        'takerPaymentUnconfirmed',
        'spendNotSeen',
        'waitingForRefund',
        'refunding',
        'refundFailed',
      ],
      'funds-at-risk': ['finished'],
    });
  });

  it('with a taker payment that may or may not have been sent: at risk, until it is found', () => {
    expectOutcomes({ takerPaymentUncertain: true }, 'funds-at-risk');
    expect(outcome('waitingForSpend', { ...paid, takerPaymentUncertain: true })).toBe('in-progress');
  });

  it('with the taker payment refunded: refunded', () => {
    expectOutcomes({ ...paid, takerPaymentRefunded: true }, 'refunded');
  });

  it('with the secret public: to be claimed, and at risk if the log ended without a claim', () => {
    expectOutcomes(secretSeen, 'claim-pending', { 'funds-at-risk': ['finished'] });
    expectOutcomes({ ...paid, failures: [claimFailed] }, 'claim-pending', { 'funds-at-risk': ['finished'] });
  });

  it('with a claim that was sent: completed if the log ended, unless the claim is in doubt or a refund was sent too', () => {
    const claimed = { ...secretSeen, makerPaymentSpend: tx('taker takes') };
    expectOutcomes(claimed, 'claim-pending', { completed: ['finished'] });
    expect(outcome('finished', { ...claimed, makerPaymentSpendDoubtful: true })).toBe('funds-at-risk');
    expect(outcome('finished', { ...claimed, takerPaymentRefunded: true })).toBe('funds-at-risk');
  });

  it('with a confirmed claim: completed, whatever else the log says', () => {
    expectOutcomes({ makerPaymentSpendConfirmed: true }, 'completed');
    expectOutcomes({ ...secretSeen, makerPaymentSpendConfirmed: true, takerPaymentRefunded: true }, 'completed');
  });
});

const makerRefund = { by: 'maker', how: 'refund', from: MAKER_LOCK, until: null };
const takerClaim = { by: 'taker', how: 'secret', from: null, until: MAKER_LOCK };
const makerClaim = { by: 'maker', how: 'secret', from: null, until: TAKER_LOCK };
const takerRefund = { by: 'taker', how: 'refund', from: TAKER_LOCK, until: null };

const makerPaymentWith = (facts: Facts) => takerSwapVerdict('claiming', takerContext(facts)).funds.makerPayment;
const takerPaymentWith = (facts: Facts) => takerSwapVerdict('claiming', takerContext(facts)).funds.takerPayment;

describe('where a taker sees the maker payment', () => {
  const leg = { coin: 'DOC', amount: '2.4', tx: null, by: null, claimable: [] };

  it('nowhere before it was announced', () => {
    expect(makerPaymentWith({})).toEqual({ ...leg, status: 'none' });
  });

  it('uncertain while it is only announced, then locked: the maker can take it back from its lock on', () => {
    const open = { ...leg, tx: 'maker pays', claimable: [makerRefund] };
    const makerPayment = tx('maker pays');
    expect(makerPaymentWith({ makerPayment })).toEqual({ ...open, status: 'uncertain' });
    expect(makerPaymentWith({ makerPayment, makerPaymentValidated: true })).toEqual({ ...open, status: 'locked' });
  });

  it('the taker’s to claim once the secret is public, alone until the lock of the maker ends', () => {
    expect(makerPaymentWith(secretSeen)).toEqual({
      ...leg,
      status: 'locked',
      tx: 'maker pays',
      claimable: [takerClaim, makerRefund],
    });
  });

  it('spent by the taker or by a watcher', () => {
    const claimed: Facts = { ...secretSeen, makerPaymentSpend: tx('claim') };
    const spent = { ...leg, status: 'spent', tx: 'claim' };
    expect(makerPaymentWith({ ...claimed, makerPaymentSpentBy: 'self' })).toEqual({ ...spent, by: 'taker' });
    expect(makerPaymentWith({ ...claimed, makerPaymentSpentBy: 'watcher' })).toEqual({ ...spent, by: 'watcher' });
  });

  it('uncertain, and still to be claimed, if a claim was not confirmed', () => {
    const doubtful = { makerPaymentSpend: tx('claim'), makerPaymentSpendDoubtful: true };
    expect(makerPaymentWith({ ...secretSeen, ...doubtful })).toEqual({
      ...leg,
      status: 'uncertain',
      tx: 'claim',
      claimable: [takerClaim, makerRefund],
    });
  });
});

describe('where a taker sees its own payment', () => {
  const leg = { coin: 'MARTY', amount: '3', tx: null, by: null, claimable: [] };

  it('nowhere before it was sent, and uncertain if the sending was reported as failed', () => {
    const claimable = [makerClaim, takerRefund];
    expect(takerPaymentWith({})).toEqual({ ...leg, status: 'none' });
    expect(takerPaymentWith({ takerPaymentUncertain: true })).toEqual({ ...leg, status: 'uncertain', claimable });
  });

  it('locked once it was sent: the maker’s with the secret, and the taker’s again from its lock on', () => {
    const locked = { ...leg, status: 'locked', tx: 'taker pays', claimable: [makerClaim, takerRefund] };
    expect(takerPaymentWith(paid)).toEqual(locked);
    expect(takerPaymentWith({ ...paid, takerPaymentUncertain: true })).toEqual(locked);
  });

  it('spent by the maker once the secret is public, with the spend if the log holds it', () => {
    const spent = { ...leg, status: 'spent', by: 'maker' };
    expect(takerPaymentWith(secretSeen)).toEqual({ ...spent, tx: 'maker takes' });
    expect(takerPaymentWith({ ...paid, failures: [claimFailed] })).toEqual(spent);
    expect(takerPaymentWith({ ...secretSeen, takerPaymentRefunded: true })).toEqual({ ...spent, tx: 'maker takes' });
  });

  it('refunded by the taker, by a watcher, or by the chain itself', () => {
    const refunded = { ...leg, status: 'refunded' };
    const back: Facts = { ...paid, takerPaymentRefunded: true, takerPaymentRefund: tx('back') };
    expect(takerPaymentWith({ ...back, takerPaymentRefundedBy: 'self' })).toEqual({
      ...refunded,
      tx: 'back',
      by: 'taker',
    });
    expect(takerPaymentWith({ ...back, takerPaymentRefundedBy: 'watcher' })).toEqual({
      ...refunded,
      tx: 'back',
      by: 'watcher',
    });
    expect(takerPaymentWith({ ...back, takerPaymentRefund: null })).toEqual({ ...refunded, by: 'taker' });
  });

  it('unknown with all its parts if the log does not hold the terms', () => {
    const none = { coin: null, amount: null, status: 'none', tx: null, by: null, claimable: [] };
    const { funds } = takerSwapVerdict('created', initialTakerSwapContext());
    expect(funds).toEqual({ makerPayment: none, takerPayment: none });
    const locked = { ...none, status: 'locked', tx: 'taker pays' };
    expect(takerSwapVerdict('created', { ...initialTakerSwapContext(), takerPayment: tx('taker pays') }).funds).toEqual(
      {
        makerPayment: none,
        takerPayment: {
          ...locked,
          claimable: [
            { ...makerClaim, until: null },
            { ...takerRefund, from: null },
          ],
        },
      },
    );
  });
});

describe('a taker’s log with a spend and a refund of the same payment', () => {
  it('contradicts itself, for both take the same output', () => {
    expect(takerSwapContradictions(takerContext({ ...secretSeen, takerPaymentRefunded: true }))).toEqual([
      'The log says both that the maker spent the taker payment and that it was refunded; only one can be final.',
    ]);
  });

  it('does not with one of them alone', () => {
    expect(takerSwapContradictions(takerContext(secretSeen))).toEqual([]);
    expect(takerSwapContradictions(takerContext({ ...paid, takerPaymentRefunded: true }))).toEqual([]);
    expect(takerSwapContradictions(takerContext())).toEqual([]);
  });
});
