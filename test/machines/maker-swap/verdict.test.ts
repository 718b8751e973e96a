import { describe, expect, it } from 'vitest';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerSwapChart } from '../../../machines/maker-swap/machine.ts';
import { makerSwapContradictions, makerSwapVerdict } from '../../../machines/maker-swap/verdict.ts';
import type { Outcome } from '../../../machines/swap-verdict.ts';
import { at, MAKER_LOCK, makerContext, TAKER_LOCK, tx } from '../../support/swap-contexts.ts';

type Facts = Partial<MakerSwapContext>;

const outcome = (state: string, facts: Facts) => makerSwapVerdict(state, makerContext(facts)).outcome;
const STATES = Object.keys(makerSwapChart.states);

/** The outcome of every state of the chart with the same facts, but for the ones that are named. */
function expectOutcomes(facts: Facts, rest: Outcome, named: Partial<Record<Outcome, readonly string[]>> = {}): void {
  const expected = Object.entries(named).flatMap(([name, states]) => states.map((state) => [state, name] as const));
  const outcomes = new Map(expected);
  expect(expected.filter(([state]) => !STATES.includes(state))).toEqual([]);
  for (const state of STATES) expect(outcome(state, facts), state).toBe(outcomes.get(state) ?? rest);
}

const paid: Facts = { takerFee: tx('fee'), makerPayment: tx('maker pays') };
const bothPaid: Facts = { ...paid, takerPayment: tx('taker pays'), takerPaymentValidated: true };
const claimed: Facts = { ...bothPaid, takerPaymentSpend: tx('claim') };
const failure = (event: string, error = 'down') => ({ event, at: at(0), error });

describe('the outcome of a maker’s swap', () => {
  it('without a maker payment: in progress, or failed before the payment once a step failed or the swap ended', () => {
    expectOutcomes({}, 'in-progress', {
      'failed-before-payment': ['startFailed', 'negotiateFailed', 'takerFeeInvalid', 'makerPaymentFailed', 'finished'],
    });
  });

  it('with the maker payment sent: in progress, to be claimed, on the way to a refund, or at risk', () => {
    expectOutcomes(bothPaid, 'in-progress', {
      'claim-pending': ['claiming', 'claimSent', 'confirmingClaim', 'claimFailed', 'claimUnconfirmed'],
      'refund-pending': [
        'makerPaymentDataNotSent',
        'makerPaymentUnconfirmed',
        'takerPaymentInvalid',
        'takerPaymentUnconfirmed',
        'waitingForRefund',
        'refunding',
        'refundFailed',
      ],
      'funds-at-risk': ['finished', 'makerPaymentFailed'],
    });
  });

  it('with a maker payment that may or may not have been sent: at risk, until it is found', () => {
    expectOutcomes({ makerPaymentUncertain: true }, 'funds-at-risk');
    expect(outcome('waitingForTakerPayment', { ...paid, makerPaymentUncertain: true })).toBe('in-progress');
  });

  it('with the maker payment refunded: refunded, also beside a claim that did not become final', () => {
    expectOutcomes({ ...paid, makerPaymentRefunded: true }, 'refunded');
    const doubtful = { ...claimed, makerPaymentRefunded: true, takerPaymentSpendDoubtful: true };
    expectOutcomes(doubtful, 'refunded');
  });

  it('with a claim that was sent: completed if the log ended, unless the claim is in doubt', () => {
    expectOutcomes(claimed, 'claim-pending', { completed: ['finished'] });
    expect(outcome('finished', { ...claimed, takerPaymentSpendDoubtful: true })).toBe('funds-at-risk');
  });

  it('with a confirmed claim: completed, whatever else the log says', () => {
    expectOutcomes({ ...claimed, takerPaymentSpendConfirmed: true, makerPaymentRefunded: true }, 'completed');
  });
});

const makerRefund = { by: 'maker', how: 'refund', from: MAKER_LOCK, until: null };
const takerClaim = { by: 'taker', how: 'secret', from: null, until: MAKER_LOCK };
const makerClaim = { by: 'maker', how: 'secret', from: null, until: TAKER_LOCK };
const takerRefund = { by: 'taker', how: 'refund', from: TAKER_LOCK, until: null };

const makerPaymentWith = (facts: Facts) => makerSwapVerdict('claiming', makerContext(facts)).funds.makerPayment;
const takerPaymentWith = (facts: Facts) => makerSwapVerdict('claiming', makerContext(facts)).funds.takerPayment;

describe('where a maker sees its own payment', () => {
  const leg = { coin: 'DOC', amount: '2.4', tx: null, by: null, claimable: [] };

  it('nowhere before it was sent, and uncertain if the sending was reported as failed', () => {
    expect(makerPaymentWith({})).toEqual({ ...leg, status: 'none' });
    expect(makerPaymentWith({ makerPaymentUncertain: true })).toEqual({
      ...leg,
      status: 'uncertain',
      claimable: [makerRefund],
    });
  });

  it('locked once it was sent, for the maker alone while nobody has seen the secret', () => {
    const locked = { ...leg, status: 'locked', tx: 'maker pays', claimable: [makerRefund] };
    expect(makerPaymentWith(paid)).toEqual(locked);
    expect(makerPaymentWith({ ...paid, makerPaymentUncertain: true })).toEqual(locked);
    expect(makerPaymentWith({ ...bothPaid, failures: [failure('MakerPaymentRefundFailed')] })).toEqual(locked);
  });

  it('the taker’s to claim once the maker has shown the secret, also by a claim that was reported as failed', () => {
    const open = { ...leg, status: 'locked', tx: 'maker pays', claimable: [takerClaim, makerRefund] };
    expect(makerPaymentWith(claimed)).toEqual(open);
    const failures = [failure('TakerPaymentWaitConfirmFailed'), failure('TakerPaymentSpendFailed')];
    expect(makerPaymentWith({ ...bothPaid, failures })).toEqual(open);
  });

  it('refunded by the maker, or by the chain itself', () => {
    const refunded = { ...leg, status: 'refunded', by: 'maker' };
    const back: Facts = { ...paid, makerPaymentRefunded: true, makerPaymentRefund: tx('back') };
    expect(makerPaymentWith(back)).toEqual({ ...refunded, tx: 'back' });
    expect(makerPaymentWith({ ...back, makerPaymentRefund: null })).toEqual(refunded);
  });
});

describe('where a maker sees the taker payment', () => {
  const leg = { coin: 'MARTY', amount: '3', tx: null, by: null, claimable: [] };

  it('nowhere before it was announced', () => {
    expect(takerPaymentWith(paid)).toEqual({ ...leg, status: 'none' });
  });

  it('uncertain while it is only announced, then locked: the maker’s with the secret, the taker’s from its lock on', () => {
    const open = { ...leg, tx: 'taker pays', claimable: [makerClaim, takerRefund] };
    expect(takerPaymentWith({ ...bothPaid, takerPaymentValidated: false })).toEqual({ ...open, status: 'uncertain' });
    expect(takerPaymentWith(bothPaid)).toEqual({ ...open, status: 'locked' });
  });

  it('spent by the maker, and uncertain again if the claim was not confirmed', () => {
    expect(takerPaymentWith(claimed)).toEqual({ ...leg, status: 'spent', tx: 'claim', by: 'maker' });
    expect(takerPaymentWith({ ...claimed, takerPaymentSpendDoubtful: true })).toEqual({
      ...leg,
      status: 'uncertain',
      tx: 'claim',
      claimable: [makerClaim, takerRefund],
    });
  });

  it('unknown with all its parts if the log does not hold the terms', () => {
    const none = { coin: null, amount: null, status: 'none', tx: null, by: null, claimable: [] };
    const bare = initialMakerSwapContext();
    expect(makerSwapVerdict('created', bare).funds).toEqual({ makerPayment: none, takerPayment: none });
    const { funds } = makerSwapVerdict('created', { ...bare, makerPayment: tx('maker pays') });
    expect(funds).toEqual({
      makerPayment: { ...none, status: 'locked', tx: 'maker pays', claimable: [{ ...makerRefund, from: null }] },
      takerPayment: none,
    });
  });
});

describe('a maker’s log with a claim and a refund', () => {
  const error = 'timeout';
  const bothWays = (text: string): MakerSwapContext =>
    makerContext({
      takerPaymentSpend: tx('claim'),
      makerPaymentRefunded: true,
      failures: [failure('TakerPaymentSpendConfirmFailed', text)],
    });

  it('contradicts itself: both together leave the taker with nothing', () => {
    expect(makerSwapContradictions(bothWays(error))).toEqual([
      'The log says both that the maker spent the taker payment and that it refunded its own; then the taker lost its coins.',
    ]);
  });

  it('does not if the chain showed that the taker’s payment was refunded first', () => {
    const shown = '!wait for taker payment spend confirmations: the taker payment was refunded by transaction bbbb';
    expect(makerSwapContradictions(bothWays(shown))).toEqual([]);
    const both = { ...bothWays(shown), failures: [failure('TakerPaymentSpendFailed'), ...bothWays(shown).failures] };
    expect(makerSwapContradictions(both)).toEqual([]);
  });

  it('does not with one of them alone', () => {
    expect(makerSwapContradictions({ ...bothWays(error), makerPaymentRefunded: false })).toEqual([]);
    expect(makerSwapContradictions({ ...bothWays(error), takerPaymentSpend: null })).toEqual([]);
  });
});
