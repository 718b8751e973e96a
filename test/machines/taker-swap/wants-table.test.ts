import { describe, expect, it } from 'vitest';
import type { Want } from '../../../machines/definition.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { takerSwapChart } from '../../../machines/taker-swap/machine.ts';
import { takerSwapWants } from '../../../machines/taker-swap/wants.ts';
import { at, MAKER_LOCK, SECRET, takerContext, tx } from '../../support/swap-contexts.ts';

const until = (effect: string, seconds: number, limits: Partial<Want> = {}): readonly Want[] => [
  { effect, until: at(seconds), clock: 'host', ...limits },
];
/** A wait for a message that began with the last event. */
const awaits = (effect: string, limit: number) => until(effect, limit, { wait: { since: at(0), limit } });
const race = { lock: MAKER_LOCK, margin: 1560 };
const ownLock: readonly Want[] = [{ effect: 'waitForTakerPaymentSpend', until: at(7800), clock: 'takerChain' }];
const refund: readonly Want[] = [
  { effect: 'findTakerPaymentSpend' },
  { effect: 'refundTakerPayment', notBefore: at(7800), clock: 'takerChain' },
];

/** What every state wants while the secret is not public; the ones that are not named close the swap. */
const WANTS: Readonly<Record<string, readonly Want[]>> = {
  created: [{ effect: 'start' }],
  negotiating: awaits('negotiate', 180),
  sendingTakerFee: until('sendTakerFee', 2600),
  waitingForMakerPayment: awaits('waitForMakerPayment', 690),
  instructionsReceived: awaits('waitForMakerPayment', 690),
  makerPaymentReceived: until('validateMakerPayment', 3120),
  confirmingMakerPayment: until('validateMakerPayment', 3120),
  sendingTakerPayment: until('sendTakerPayment', 3120, { race }),
  waitingForSpend: ownLock,
  waitingForSpendWatched: ownLock,
  takerPaymentDataNotSent: refund,
  takerPaymentUnconfirmed: refund,
  spendNotSeen: refund,
  waitingForRefund: refund,
  refunding: refund,
  refundFailed: refund,
  refunded: [{ effect: 'finishRefund' }],
  finished: [],
};

const FINISH: readonly Want[] = [{ effect: 'finish' }];
const STATES = Object.keys(takerSwapChart.states);
const CLAIM_SENT = ['confirmingClaim', 'claimedByWatcher'];

describe('what a taker wants in each state', () => {
  it.each(STATES)('%s', (state) => {
    expect(takerSwapWants(state, takerContext())).toEqual(WANTS[state] ?? FINISH);
  });

  it.each(STATES)('%s with a public secret: the claim alone, until it is confirmed', (state) => {
    const claim = { effect: 'spendMakerPayment', contestedFrom: at(15_600), race, clock: 'makerChain' };
    const confirm = until('confirmMakerPaymentSpend', 7800 + 3700);
    const secretSeen = takerContext({ secret: SECRET });
    const wanted = CLAIM_SENT.includes(state) ? confirm : [claim];
    expect(takerSwapWants(state, secretSeen)).toEqual(state === 'finished' ? [] : wanted);
    expect(takerSwapWants(state, { ...secretSeen, makerPaymentSpendConfirmed: true })).toEqual(WANTS[state] ?? FINISH);
  });

  it('looks for the payment while nobody knows whether it was sent', () => {
    const uncertain = takerContext({ takerPaymentUncertain: true });
    expect(takerSwapWants('takerPaymentFailed', uncertain)).toEqual([{ effect: 'findTakerPayment' }]);
    expect(takerSwapWants('sendingTakerPayment', uncertain)).toEqual(WANTS['sendingTakerPayment']);
  });
});

describe('what a taker wants if its log lacks something', () => {
  const bare = (facts: Partial<TakerSwapContext> = {}) => ({ ...initialTakerSwapContext(), ...facts });

  it('the terms: the same, without moments', () => {
    expect(takerSwapWants('negotiating', bare())).toEqual([{ effect: 'negotiate' }]);
    expect(takerSwapWants('refunding', bare())).toEqual([{ effect: 'findTakerPaymentSpend' }]);
    expect(takerSwapWants('claiming', bare({ secret: SECRET }))).toEqual([{ effect: 'spendMakerPayment' }]);
    expect(takerSwapWants('confirmingClaim', bare({ secret: SECRET }))).toEqual([{ effect: 'spendMakerPayment' }]);
  });

  it('the secret, which a claim shows to be public: it looks for it beside the claim', () => {
    const claimed: Partial<TakerSwapContext> = { makerPaymentSpend: tx('claim') };
    const find = { effect: 'findTakerPaymentSpend' };
    expect(takerSwapWants('claimUnconfirmed', bare(claimed))).toEqual([find, { effect: 'spendMakerPayment' }]);
    expect(takerSwapWants('claimUnconfirmed', takerContext(claimed))).toEqual([
      find,
      { effect: 'spendMakerPayment', contestedFrom: at(15_600), race, clock: 'makerChain' },
    ]);
  });

  it('an early claim: it waits for one that was made late without a deadline', () => {
    const late = takerContext({ secret: SECRET, lastEventAt: at(7800 + 3700) });
    for (const state of CLAIM_SENT) {
      expect(takerSwapWants(state, late)).toEqual([{ effect: 'confirmMakerPaymentSpend' }]);
    }
  });
});
