import { describe, expect, it } from 'vitest';
import type { Want } from '../../../machines/definition.ts';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerSwapChart } from '../../../machines/maker-swap/machine.ts';
import { makerSwapWants } from '../../../machines/maker-swap/wants.ts';
import { at, makerContext, TAKER_LOCK, tx } from '../../support/swap-contexts.ts';

const until = (effect: string, seconds: number, limits: Partial<Want> = {}): readonly Want[] => [
  { effect, until: at(seconds), clock: 'host', ...limits },
];
/** A wait for a message that began with the last event. */
const awaits = (effect: string, limit: number) => until(effect, limit, { wait: { since: at(0), limit } });
const refund: readonly Want[] = [
  { effect: 'findMakerPaymentSpend' },
  { effect: 'refundMakerPayment', notBefore: at(15_600), clock: 'makerChain' },
];
const reveal = { revealBy: at(6240), race: { lock: TAKER_LOCK, margin: 1560 } };
const claim: Want = { effect: 'spendTakerPayment', contestedFrom: at(7800), clock: 'takerChain', ...reveal };

const ON_THE_WAY_BACK = [
  'claimFailed',
  'claimUnconfirmed',
  'makerPaymentDataNotSent',
  'makerPaymentUnconfirmed',
  'takerPaymentInvalid',
  'takerPaymentUnconfirmed',
  'waitingForRefund',
  'refunding',
  'refundFailed',
];

/** What every other state wants while the taker payment is not claimed; the ones that are not named close the swap. */
const WANTS: Readonly<Record<string, readonly Want[]>> = {
  created: [{ effect: 'start' }],
  negotiating: awaits('negotiate', 180),
  waitingForTakerFee: awaits('waitForTakerFee', 690),
  instructionsReceived: awaits('waitForTakerFee', 690),
  sendingMakerPayment: until('sendMakerPayment', 2600),
  waitingForTakerPayment: until('waitForTakerPayment', 3120, { wait: { since: at(3120), limit: 4770 } }),
  takerPaymentReceived: until('validateTakerPayment', 6240),
  confirmingTakerPayment: until('validateTakerPayment', 6240),
  claiming: until('spendTakerPayment', 6240, reveal),
  refunded: [{ effect: 'finishRefund' }],
  finished: [],
};

const FINISH: readonly Want[] = [{ effect: 'finish' }];
const STATES = Object.keys(makerSwapChart.states);
const CLAIM_SENT = ['claimSent', 'confirmingClaim'];

describe('what a maker wants in each state', () => {
  it.each(STATES)('%s', (state) => {
    const wanted = ON_THE_WAY_BACK.includes(state) ? refund : (WANTS[state] ?? FINISH);
    expect(makerSwapWants(state, makerContext())).toEqual(wanted);
  });

  it.each(STATES)('%s with a valid taker payment: its claim before the refund', (state) => {
    const wanted = ON_THE_WAY_BACK.includes(state) ? [claim, ...refund] : (WANTS[state] ?? FINISH);
    expect(makerSwapWants(state, makerContext({ takerPaymentValidated: true }))).toEqual(wanted);
  });

  it.each(STATES)('%s with a claim that was sent: that claim alone, until it is confirmed', (state) => {
    const claimed = makerContext({ takerPaymentValidated: true, takerPaymentSpend: tx('claim') });
    const confirm = until('confirmTakerPaymentSpend', 15_600 + 3700);
    const wanted = CLAIM_SENT.includes(state) ? confirm : [claim];
    expect(makerSwapWants(state, claimed)).toEqual(state === 'finished' ? [] : wanted);
    const after = ON_THE_WAY_BACK.includes(state) ? [claim, ...refund] : (WANTS[state] ?? FINISH);
    expect(makerSwapWants(state, { ...claimed, takerPaymentSpendConfirmed: true })).toEqual(after);
  });

  it('makerPaymentFailed: looks for a payment that may have been sent, and refunds one that was', () => {
    const failed = (facts: Partial<MakerSwapContext>) => makerSwapWants('makerPaymentFailed', makerContext(facts));
    expect(failed({ makerPaymentUncertain: true })).toEqual([{ effect: 'findMakerPayment' }]);
    expect(failed({ makerPayment: tx('maker pays') })).toEqual(refund);
    expect(failed({})).toEqual(FINISH);
  });
});

describe('what a maker wants if its log lacks something', () => {
  const bare = (facts: Partial<MakerSwapContext> = {}) => ({ ...initialMakerSwapContext(), ...facts });

  it('the terms: the same, without moments', () => {
    expect(makerSwapWants('negotiating', bare())).toEqual([{ effect: 'negotiate' }]);
    expect(makerSwapWants('refunding', bare())).toEqual([{ effect: 'findMakerPaymentSpend' }]);
    const claimed = bare({ takerPaymentSpend: tx('claim') });
    expect(makerSwapWants('claimUnconfirmed', claimed)).toEqual([{ effect: 'spendTakerPayment' }]);
    expect(makerSwapWants('claimSent', claimed)).toEqual([{ effect: 'confirmTakerPaymentSpend' }]);
  });

  it('an early claim: it waits for one that was made late without a deadline', () => {
    const late = makerContext({ takerPaymentSpend: tx('claim'), lastEventAt: at(15_600 + 3700) });
    for (const state of CLAIM_SENT) {
      expect(makerSwapWants(state, late)).toEqual([{ effect: 'confirmTakerPaymentSpend' }]);
    }
  });
});
