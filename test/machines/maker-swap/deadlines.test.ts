import { describe, expect, it } from 'vitest';
import type { Deadline } from '../../../machines/definition.ts';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerLimits, makerSwapDeadlines } from '../../../machines/maker-swap/deadlines.ts';
import { makerSwapChart } from '../../../machines/maker-swap/machine.ts';
import { makerSide } from '../../../machines/maker-swap/side.ts';
import { limitedWant } from '../../../machines/swap/limits.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { at, makerContext } from '../../support/swap-contexts.ts';

const host = (kind: string, seconds: number): Deadline => ({ kind, at: at(seconds), clock: 'host' });
const refundValid: Deadline = { kind: 'refundValid', at: at(15_600), clock: 'makerChain' };
const takerRefundValid: Deadline = { kind: 'takerRefundValid', at: at(7800), clock: 'takerChain' };

// The last event came 100 s after the start, the lock duration is 7800 s.
const context = (facts: Partial<MakerSwapContext> = {}) => makerContext({ lastEventAt: at(100), ...facts });

const toSpend = [host('takerPaymentSpend', 6240), refundValid];
const claimConfirmation = [host('claimConfirmation', 15_600 + 3700)];

/** The deadlines of every state that has any while there is nothing to claim. */
const DEADLINES: Readonly<Record<string, readonly Deadline[]>> = {
  negotiating: [host('negotiation', 280)],
  waitingForTakerFee: [host('takerFeeMessage', 790)],
  instructionsReceived: [host('takerFeeMessage', 790)],
  sendingMakerPayment: [host('makerPayment', 2600)],
  waitingForTakerPayment: [
    host('makerPaymentConfirmation', 3120),
    host('takerPaymentMessage', 3120 + 4680 + 90),
    refundValid,
  ],
  takerPaymentReceived: toSpend,
  confirmingTakerPayment: toSpend,
  claiming: toSpend,
  claimSent: claimConfirmation,
  confirmingClaim: claimConfirmation,
  claimFailed: [refundValid],
  claimUnconfirmed: [refundValid],
  makerPaymentDataNotSent: [refundValid],
  makerPaymentUnconfirmed: [refundValid],
  takerPaymentInvalid: [refundValid],
  takerPaymentUnconfirmed: [refundValid],
  waitingForRefund: [refundValid],
  refunding: [refundValid],
  refundFailed: [refundValid],
  makerPaymentFailed: [refundValid],
};

const STATES = Object.keys(makerSwapChart.states);

describe('the deadlines of a maker', () => {
  it.each(STATES)('in %s', (state) => {
    expect(makerSwapDeadlines(state, context())).toEqual(DEADLINES[state] ?? []);
  });

  it.each(STATES)('in %s with a valid taker payment: the refund of the taker too', (state) => {
    const own = DEADLINES[state] ?? [];
    const valid = context({ takerPaymentValidated: true });
    expect(makerSwapDeadlines(state, valid)).toEqual(state === 'finished' ? [] : [...own, takerRefundValid]);
    expect(makerSwapDeadlines(state, { ...valid, takerPaymentSpendConfirmed: true })).toEqual(own);
    expect(makerSwapDeadlines(state, { ...valid, negotiated: null })).toEqual(own);
  });

  it.each(STATES)('in %s do not exist if the log does not say when the swap began', (state) => {
    expect(makerSwapDeadlines(state, initialMakerSwapContext())).toEqual([]);
    expect(makerSwapDeadlines(state, context({ started: null }))).toEqual([]);
    expect(makerSwapDeadlines(state, context({ lastEventAt: null }))).toEqual([]);
  });
});

describe('until when the claim of a maker should be confirmed', () => {
  const claimConfirmBy = (known: MakerSwapContext) =>
    limitedWant(makerLimits, 'confirmTakerPaymentSpend', { side: makerSide('claimSent', known) }).until;
  const confirmBy = at(15_600 + 3700);

  it('3700 s after its own lock, for a claim that was made before that moment', () => {
    expect(claimConfirmBy(context({ lastEventAt: millisOf(confirmBy - 1) }))).toBe(confirmBy);
    expect(claimConfirmBy(context({ lastEventAt: confirmBy }))).toBeUndefined();
    expect(claimConfirmBy(context({ lastEventAt: millisOf(confirmBy + 1) }))).toBeUndefined();
    expect(makerSwapDeadlines('claimSent', context({ lastEventAt: confirmBy }))).toEqual([]);
  });

  it('never, if the log does not say when the swap began or the claim was made', () => {
    expect(claimConfirmBy(context({ started: null }))).toBeUndefined();
    expect(claimConfirmBy(context({ lastEventAt: null }))).toBeUndefined();
  });
});
