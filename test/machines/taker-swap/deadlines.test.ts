import { describe, expect, it } from 'vitest';
import type { Deadline } from '../../../machines/definition.ts';
import { limitedWant } from '../../../machines/swap/limits.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { takerLimits, takerSwapDeadlines } from '../../../machines/taker-swap/deadlines.ts';
import { takerSwapChart } from '../../../machines/taker-swap/machine.ts';
import { takerSide } from '../../../machines/taker-swap/side.ts';
import { addSeconds, type Millis, millisOf } from '../../../src/primitives/time.ts';
import { at, SECRET, START, takerContext, takerStarted, tx } from '../../support/swap-contexts.ts';

const host = (kind: string, seconds: number): Deadline => ({ kind, at: at(seconds), clock: 'host' });
const refundValid: Deadline = { kind: 'refundValid', at: at(7800), clock: 'takerChain' };
const takerPaymentLock: Deadline = { kind: 'takerPaymentLock', at: at(7800), clock: 'takerChain' };
const makerRefundValid: Deadline = { kind: 'makerRefundValid', at: at(15_600), clock: 'makerChain' };

// The last event came 100 s after the start, the lock duration is 7800 s.
const context = (facts: Partial<TakerSwapContext> = {}) => takerContext({ lastEventAt: at(100), ...facts });

const paymentWait = [host('makerPaymentWait', 3120)];
const claimConfirmation = [host('claimConfirmation', 7800 + 3700)];

/** The deadlines of every state that has any while the secret is not public. */
const DEADLINES: Readonly<Record<string, readonly Deadline[]>> = {
  negotiating: [host('negotiation', 280), host('negotiated', 460)],
  sendingTakerFee: [host('takerFee', 2600)],
  waitingForMakerPayment: [host('makerPaymentMessage', 790)],
  instructionsReceived: [host('makerPaymentMessage', 790)],
  makerPaymentReceived: paymentWait,
  confirmingMakerPayment: paymentWait,
  sendingTakerPayment: paymentWait,
  waitingForSpend: [takerPaymentLock, refundValid],
  waitingForSpendWatched: [takerPaymentLock, refundValid, host('watcherSpend', 7800), host('watcherRefund', 11_700)],
  confirmingClaim: claimConfirmation,
  claimedByWatcher: claimConfirmation,
  takerPaymentDataNotSent: [refundValid],
  takerPaymentUnconfirmed: [refundValid],
  spendNotSeen: [refundValid],
  waitingForRefund: [refundValid],
  refunding: [refundValid],
  refundFailed: [refundValid],
  takerPaymentFailed: [refundValid],
};

const STATES = Object.keys(takerSwapChart.states);

describe('the deadlines of a taker', () => {
  it.each(STATES)('in %s', (state) => {
    expect(takerSwapDeadlines(state, context())).toEqual(DEADLINES[state] ?? []);
  });

  it.each(STATES)('in %s with a public secret: the refund of the maker, and none of its own', (state) => {
    const own = (DEADLINES[state] ?? []).filter((one) => one !== refundValid || state.startsWith('waitingForSpend'));
    const secretSeen = context({ secret: SECRET });
    expect(takerSwapDeadlines(state, secretSeen)).toEqual(state === 'finished' ? [] : [...own, makerRefundValid]);
    expect(takerSwapDeadlines(state, { ...secretSeen, makerPaymentSpendConfirmed: true })).toEqual(own);
    expect(takerSwapDeadlines(state, { ...secretSeen, negotiated: null })).toEqual(own);
  });

  it.each(STATES)('in %s do not exist if the log does not say when the swap began', (state) => {
    expect(takerSwapDeadlines(state, initialTakerSwapContext())).toEqual([]);
    expect(takerSwapDeadlines(state, context({ started: null }))).toEqual([]);
    expect(takerSwapDeadlines(state, context({ lastEventAt: null }))).toEqual([]);
  });

  it('read the wait for the maker payment from the log, or from the lock duration if the log does not have it', () => {
    const stored = (maker_payment_wait: ReturnType<typeof addSeconds> | null) =>
      takerSwapDeadlines('sendingTakerPayment', context({ started: { ...takerStarted, maker_payment_wait } }));
    expect(stored(addSeconds(START, 2600))).toEqual([host('makerPaymentWait', 2600)]);
    expect(stored(null)).toEqual(paymentWait);
  });
});

describe('the wait for the maker’s message', () => {
  it('begins with its offer, and at the latest when that can come', () => {
    const heard = (heardAt: Record<string, Millis>) => takerSwapDeadlines('negotiating', context(), { heardAt });
    expect(heard({ negotiation: at(150) })).toEqual([host('negotiation', 280), host('negotiated', 330)]);
    expect(heard({ takerPayment: at(150) })).toEqual(DEADLINES['negotiating']);
    const wanted = (heardAt: Record<string, Millis>) =>
      limitedWant(takerLimits, 'negotiate', { side: takerSide('negotiating', context()), journal: { heardAt } });
    expect(wanted({})).toMatchObject({ until: at(280), wait: { since: at(100), limit: 180 } });
    expect(wanted({ negotiation: at(150) })).toMatchObject({ until: at(330), wait: { since: at(150), limit: 180 } });
  });
});

describe('until when the claim of a taker should be confirmed', () => {
  const claimConfirmBy = (known: TakerSwapContext) =>
    limitedWant(takerLimits, 'confirmMakerPaymentSpend', { side: takerSide('confirmingClaim', known) }).until;
  const confirmBy = at(7800 + 3700);

  it('3700 s after its own lock, for a claim that was made before that moment', () => {
    expect(claimConfirmBy(context({ lastEventAt: millisOf(confirmBy - 1) }))).toBe(confirmBy);
    expect(claimConfirmBy(context({ lastEventAt: confirmBy }))).toBeUndefined();
    expect(claimConfirmBy(context({ lastEventAt: millisOf(confirmBy + 1) }))).toBeUndefined();
  });

  it('never, if the log does not say when the swap began or the claim was made', () => {
    expect(claimConfirmBy(context({ started: null }))).toBeUndefined();
    expect(claimConfirmBy(context({ lastEventAt: null }))).toBeUndefined();
  });

  it('is no deadline for a later claim', () => {
    const late = context({ lastEventAt: confirmBy, secret: SECRET, makerPaymentSpend: tx('claim') });
    expect(takerSwapDeadlines('confirmingClaim', late)).toEqual([makerRefundValid]);
  });
});
