import { describe, expect, it } from 'vitest';
import type { NextStep } from '../../../machines/swap-verdict.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { takerSwapVerdict } from '../../../machines/taker-swap/verdict.ts';
import { addSeconds, type UnixSeconds } from '../../../src/primitives/time.ts';
import { at, MAKER_LOCK, SECRET, START, TAKER_LOCK, takerContext, tx } from '../../support/swap-contexts.ts';

type Facts = Partial<TakerSwapContext>;

const next = (state: string, facts: Facts) => takerSwapVerdict(state, takerContext(facts)).next;

type Step = { readonly notBefore?: UnixSeconds; readonly until?: UnixSeconds; readonly text: string };

const step =
  (who: NextStep['who']) =>
  (action: string, { notBefore, until, text }: Step): NextStep => {
    return { action, who, notBefore: notBefore ?? null, until: until ?? null, text };
  };
const engine = step('engine');
const person = step('operator');

const paid: Facts = { makerPayment: tx('maker pays'), makerPaymentValidated: true, takerPayment: tx('taker pays') };
const secretSeen: Facts = { ...paid, secret: SECRET, takerPaymentSpend: tx('maker takes') };
const claimFailed = { event: 'MakerPaymentSpendFailed', at: at(0), error: 'down' };

const toPay = addSeconds(START, 3120);
const claimBy = addSeconds(TAKER_LOCK, 3700);

/** State, facts of the log, and the step of a running node. */
const steps: readonly (readonly [string, Facts, NextStep])[] = [
  ['created', {}, engine('start', { text: 'Run the checks before the start.' })],
  [
    'negotiating',
    {},
    engine('negotiate', {
      until: addSeconds(START, 180),
      text: 'Negotiate with the maker, until 2023-11-14 22:16:20 UTC.',
    }),
  ],
  [
    'sendingTakerFee',
    {},
    engine('sendTakerFee', {
      until: addSeconds(START, 2600),
      text: 'Send the taker fee, until 2023-11-14 22:56:40 UTC.',
    }),
  ],
  ...['waitingForMakerPayment', 'instructionsReceived'].map(
    (state) =>
      [
        state,
        {},
        engine('waitForMakerPayment', {
          until: addSeconds(START, 690),
          text: 'Wait for the maker to pay 2.4 DOC, until 2023-11-14 22:24:50 UTC.',
        }),
      ] as const,
  ),
  ...['makerPaymentReceived', 'confirmingMakerPayment'].map(
    (state) =>
      [
        state,
        { makerPayment: tx('maker pays') },
        engine('validateMakerPayment', {
          until: toPay,
          text: 'Validate the maker payment (2.4 DOC) and wait for its confirmations, until 2023-11-14 23:05:20 UTC.',
        }),
      ] as const,
  ),
  [
    'sendingTakerPayment',
    { makerPayment: tx('maker pays'), makerPaymentValidated: true },
    engine('sendTakerPayment', {
      until: toPay,
      text: 'Send the taker payment (3 MARTY), until 2023-11-14 23:05:20 UTC.',
    }),
  ],
  ...['waitingForSpend', 'waitingForSpendWatched'].map(
    (state) =>
      [
        state,
        paid,
        engine('waitForTakerPaymentSpend', {
          until: TAKER_LOCK,
          text: 'Wait for the maker to spend the taker payment (3 MARTY), which reveals the secret, until 2023-11-15 00:23:20 UTC.',
        }),
      ] as const,
  ),
  [
    'claiming',
    secretSeen,
    engine('spendMakerPayment', {
      until: MAKER_LOCK,
      text: 'Spend the maker payment (2.4 DOC) with the secret, best before 2023-11-15 02:33:20 UTC, when the other side can take it too.',
    }),
  ],
  ...['confirmingClaim', 'claimedByWatcher'].map(
    (state) =>
      [
        state,
        { ...secretSeen, makerPaymentSpend: tx('claim') },
        engine('confirmMakerPaymentSpend', {
          until: claimBy,
          text: 'Wait for the spend of the maker payment (2.4 DOC) to be confirmed, until 2023-11-15 01:25:00 UTC.',
        }),
      ] as const,
  ),
  ...['spendNotSeen', 'waitingForRefund', 'refunding', 'refundFailed'].map(
    (state) =>
      [
        state,
        paid,
        engine('refundTakerPayment', {
          notBefore: TAKER_LOCK,
          text: 'Refund the taker payment (3 MARTY) unless the maker spends it first, not before 2023-11-15 00:23:20 UTC.',
        }),
      ] as const,
  ),
  ['refunded', { ...paid, takerPaymentRefunded: true }, engine('finishRefund', { text: 'Close the refund.' })],
  ['startFailed', {}, engine('finish', { text: 'Close the swap.' })],
  ['takerPaymentFailed', {}, engine('finish', { text: 'Close the swap.' })],
  ['claimConfirmed', { makerPaymentSpendConfirmed: true }, engine('finish', { text: 'Close the swap.' })],
];

describe('the next step of a taker whose node runs', () => {
  it.each(steps)('in %s', (state, facts, expected) => {
    expect(next(state, facts)).toEqual(expected);
  });

  it('does not exist once the swap ended well, or before its payment', () => {
    expect(next('finished', {})).toBeNull();
    expect(next('finished', { makerPaymentSpendConfirmed: true })).toBeNull();
    expect(next('finished', { ...paid, takerPaymentRefunded: true })).toBeNull();
  });

  it('does not exist if a refund has no terms', () => {
    const bare = { ...initialTakerSwapContext(), takerPayment: tx('taker pays') };
    expect(takerSwapVerdict('refunding', bare).next).toBeNull();
  });
});

/** Facts of a log that goes on no further, and what a person has to do. */
const rescues: readonly (readonly [string, string, Facts, NextStep])[] = [
  [
    'the secret is known',
    'finished',
    secretSeen,
    person('spendMakerPayment', {
      until: MAKER_LOCK,
      text: 'Spend the maker payment (2.4 DOC) with the known secret, at once. From 2023-11-15 02:33:20 UTC on the maker can refund it: after that, check first whether it is still there.',
    }),
  ],
  [
    'the secret is on the chain and not in the log',
    'finished',
    { ...paid, failures: [claimFailed] },
    person('spendMakerPayment', {
      until: MAKER_LOCK,
      text: "Spend the maker payment (2.4 DOC) with the secret that the maker's spend of the taker payment shows, at once. From 2023-11-15 02:33:20 UTC on the maker can refund it: after that, check first whether it is still there.",
    }),
  ],
  [
    'a claim was sent and is in doubt',
    'finished',
    { ...secretSeen, makerPaymentSpend: tx('claim'), makerPaymentSpendDoubtful: true },
    person('spendMakerPayment', {
      until: MAKER_LOCK,
      text: 'Check whether your spend is on the chain; if not, spend the maker payment (2.4 DOC) with the known secret, at once. From 2023-11-15 02:33:20 UTC on the maker can refund it: after that, check first whether it is still there.',
    }),
  ],
  [
    'nobody knows when the maker can refund',
    'finished',
    { ...secretSeen, negotiated: null },
    person('spendMakerPayment', { text: 'Spend the maker payment (2.4 DOC) with the known secret, at once.' }),
  ],
  [
    'the payment is locked',
    'finished',
    paid,
    person('refundTakerPayment', {
      notBefore: TAKER_LOCK,
      text: "Check whether the maker has spent the taker payment (3 MARTY): if so, take the secret from that spend and claim; else refund it from 2023-11-15 00:23:20 UTC on, by the chain's own time.",
    }),
  ],
  [
    'the payment is locked on terms that the log does not hold',
    'finished',
    { ...paid, started: null },
    person('refundTakerPayment', {
      text: 'Check whether the maker has spent the taker payment (an unknown amount): if so, take the secret from that spend and claim; else refund it.',
    }),
  ],
  [
    'the payment may have been sent',
    'takerPaymentFailed',
    { takerPaymentUncertain: true },
    person('findTakerPayment', {
      text: "Check on the chain whether the taker payment (3 MARTY) was broadcast nevertheless. If so, check whether the maker has spent it: then claim the maker payment with the secret that this spend shows; else refund it from 2023-11-15 00:23:20 UTC on, by the chain's own time.",
    }),
  ],
];

describe('what a person has to do for a taker', () => {
  it.each(rescues)('if %s', (_, state, facts, expected) => {
    expect(next(state, facts)).toEqual(expected);
  });

  it('claims if the node that wrote the log heads for a refund, and leaves a claim under way to the node', () => {
    const byPerson = ['claimFailed', 'claimUnconfirmed', 'waitingForRefund', 'refunding', 'refundFailed', 'refunded'];
    for (const state of byPerson) {
      expect(next(state, secretSeen), state).toMatchObject({ who: 'operator', action: 'spendMakerPayment' });
    }
    for (const state of ['claiming', 'confirmingClaim', 'claimedByWatcher']) {
      expect(next(state, secretSeen), state).toMatchObject({ who: 'engine' });
    }
  });
});
