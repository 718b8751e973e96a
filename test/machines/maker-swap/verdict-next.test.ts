import { describe, expect, it } from 'vitest';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import { makerSwapVerdict } from '../../../machines/maker-swap/verdict.ts';
import type { NextStep } from '../../../machines/swap-verdict.ts';
import { addSeconds, type UnixSeconds } from '../../../src/primitives/time.ts';
import { MAKER_LOCK, makerContext, START, TAKER_LOCK, tx } from '../../support/swap-contexts.ts';

type Facts = Partial<MakerSwapContext>;

const next = (state: string, facts: Facts) => makerSwapVerdict(state, makerContext(facts)).next;

type Step = { readonly notBefore?: UnixSeconds; readonly until?: UnixSeconds; readonly text: string };

const step =
  (who: NextStep['who']) =>
  (action: string, { notBefore, until, text }: Step): NextStep => {
    return { action, who, notBefore: notBefore ?? null, until: until ?? null, text };
  };
const engine = step('engine');
const person = step('operator');

const paid: Facts = { takerFee: tx('fee'), makerPayment: tx('maker pays') };
const bothPaid: Facts = { ...paid, takerPayment: tx('taker pays'), takerPaymentValidated: true };
const claimed: Facts = { ...bothPaid, takerPaymentSpend: tx('claim') };

const REFUND_PATH = [
  'makerPaymentDataNotSent',
  'makerPaymentUnconfirmed',
  'takerPaymentInvalid',
  'takerPaymentUnconfirmed',
  'waitingForRefund',
  'refunding',
  'refundFailed',
];

const refund = engine('refundMakerPayment', {
  notBefore: MAKER_LOCK,
  text: 'Refund the maker payment (2.4 DOC) unless the taker spends it first, not before 2023-11-15 02:33:20 UTC.',
});

/** State, facts of the log, and the step of a running node. */
const steps: readonly (readonly [string, Facts, NextStep])[] = [
  ['created', {}, engine('start', { text: 'Run the checks before the start.' })],
  [
    'negotiating',
    {},
    engine('negotiate', {
      until: addSeconds(START, 180),
      text: 'Negotiate with the taker, until 2023-11-14 22:16:20 UTC.',
    }),
  ],
  ...['waitingForTakerFee', 'instructionsReceived'].map(
    (state) =>
      [
        state,
        {},
        engine('waitForTakerFee', {
          until: addSeconds(START, 690),
          text: 'Wait for the taker fee and validate it, until 2023-11-14 22:24:50 UTC.',
        }),
      ] as const,
  ),
  [
    'sendingMakerPayment',
    { takerFee: tx('fee') },
    engine('sendMakerPayment', {
      until: addSeconds(START, 2600),
      text: 'Send the maker payment (2.4 DOC), until 2023-11-14 22:56:40 UTC.',
    }),
  ],
  [
    'waitingForTakerPayment',
    paid,
    engine('waitForTakerPayment', {
      until: addSeconds(START, 3120),
      text: 'Wait for the taker to pay 3 MARTY, until 2023-11-14 23:05:20 UTC.',
    }),
  ],
  ...['takerPaymentReceived', 'confirmingTakerPayment'].map(
    (state) =>
      [
        state,
        { ...bothPaid, takerPaymentValidated: false },
        engine('validateTakerPayment', {
          until: addSeconds(START, 6240),
          text: 'Validate the taker payment (3 MARTY) and wait for its confirmations, until 2023-11-14 23:57:20 UTC.',
        }),
      ] as const,
  ),
  [
    'claiming',
    bothPaid,
    engine('spendTakerPayment', {
      until: addSeconds(START, 6240),
      text: 'Spend the taker payment (3 MARTY) with the secret, until 2023-11-14 23:57:20 UTC.',
    }),
  ],
  ...['claimSent', 'confirmingClaim'].map(
    (state) =>
      [
        state,
        claimed,
        engine('confirmTakerPaymentSpend', {
          until: addSeconds(MAKER_LOCK, 3700),
          text: 'Wait for the spend of the taker payment (3 MARTY) to be confirmed, until 2023-11-15 03:35:00 UTC.',
        }),
      ] as const,
  ),
  ...REFUND_PATH.map((state) => [state, paid, refund] as const),
  ['refundFailed', bothPaid, refund],
  ['refunded', { ...paid, makerPaymentRefunded: true }, engine('finishRefund', { text: 'Close the refund.' })],
  ['startFailed', {}, engine('finish', { text: 'Close the swap.' })],
  ['makerPaymentFailed', {}, engine('finish', { text: 'Close the swap.' })],
  ['claimConfirmed', { ...claimed, takerPaymentSpendConfirmed: true }, engine('finish', { text: 'Close the swap.' })],
];

describe('the next step of a maker whose node runs', () => {
  it.each(steps)('in %s', (state, facts, expected) => {
    expect(next(state, facts)).toEqual(expected);
  });

  it('does not exist once the swap ended well, or before its payment', () => {
    expect(next('finished', {})).toBeNull();
    expect(next('finished', claimed)).toBeNull();
    expect(next('finished', { ...paid, makerPaymentRefunded: true })).toBeNull();
  });

  it('does not exist if a refund has no terms', () => {
    const bare = { ...initialMakerSwapContext(), makerPayment: tx('maker pays') };
    expect(makerSwapVerdict('refunding', bare).next).toBeNull();
  });
});

/** Facts of a log that goes on no further, and what a person has to do. */
const rescues: readonly (readonly [string, string, Facts, NextStep])[] = [
  [
    'the payment may have been sent',
    'makerPaymentFailed',
    { makerPaymentUncertain: true },
    person('findMakerPayment', {
      text: "Check on the chain whether the maker payment (2.4 DOC) was broadcast nevertheless; if so, refund it from 2023-11-15 02:33:20 UTC on, by the chain's own time.",
    }),
  ],
  [
    'the payment may have been sent, on terms that the log does not hold',
    'makerPaymentFailed',
    { makerPaymentUncertain: true, started: null },
    person('findMakerPayment', {
      text: 'Check on the chain whether the maker payment (an unknown amount) was broadcast nevertheless; if so, refund it.',
    }),
  ],
  [
    'a claim was sent and is in doubt',
    'finished',
    { ...claimed, takerPaymentSpendDoubtful: true },
    person('spendTakerPayment', {
      until: TAKER_LOCK,
      text: 'Check whether the spend of the taker payment (3 MARTY) is on the chain; if not, send it again at once. From 2023-11-15 00:23:20 UTC on the taker can refund it: after that, check first whether it is still there. Refund the maker payment (2.4 DOC) only when the taker has refunded its own.',
    }),
  ],
  [
    'a claim is in doubt and nobody knows when the taker can refund',
    'finished',
    { ...claimed, takerPaymentSpendDoubtful: true, negotiated: null },
    person('spendTakerPayment', {
      text: 'Check whether the spend of the taker payment (3 MARTY) is on the chain; if not, send it again at once. Refund the maker payment (2.4 DOC) only when the taker has refunded its own.',
    }),
  ],
  [
    'the taker payment is valid and was not claimed',
    'finished',
    bothPaid,
    person('spendTakerPayment', {
      until: TAKER_LOCK,
      text: "Check whether the taker payment (3 MARTY) is spent: a spend that was reported as failed may be on the chain. If it is unspent, spend it with the secret before 2023-11-15 00:23:20 UTC: from then on the taker can refund it, and a spend that loses that race shows the secret, so that the maker payment can be lost as well. If it is gone, refund the maker payment (2.4 DOC) from 2023-11-15 02:33:20 UTC on, by the chain's own time, unless the taker has spent it.",
    }),
  ],
  [
    'the own payment is locked alone',
    'finished',
    paid,
    person('refundMakerPayment', {
      notBefore: MAKER_LOCK,
      text: "Check whether the taker has spent the maker payment (2.4 DOC); if not, refund it from 2023-11-15 02:33:20 UTC on, by the chain's own time.",
    }),
  ],
  [
    'the own payment is locked on terms that the log does not hold',
    'finished',
    { ...paid, started: null },
    person('refundMakerPayment', {
      text: 'Check whether the taker has spent the maker payment (an unknown amount); if not, refund it.',
    }),
  ],
  [
    'the payment was sent before the swap was called failed',
    'makerPaymentFailed',
    paid,
    person('refundMakerPayment', {
      notBefore: MAKER_LOCK,
      text: "Check whether the taker has spent the maker payment (2.4 DOC); if not, refund it from 2023-11-15 02:33:20 UTC on, by the chain's own time.",
    }),
  ],
];

describe('what a person has to do for a maker', () => {
  it.each(rescues)('if %s', (_, state, facts, expected) => {
    expect(next(state, facts)).toEqual(expected);
  });

  it('claims if the node that wrote the log heads for its refund, and leaves a claim under way to the node', () => {
    for (const state of ['claimFailed', 'claimUnconfirmed', ...REFUND_PATH.slice(-3)]) {
      expect(next(state, claimed), state).toMatchObject({ who: 'operator', action: 'spendTakerPayment' });
    }
    for (const state of ['claimFailed', 'claimUnconfirmed']) {
      expect(next(state, bothPaid), state).toMatchObject({ who: 'operator', action: 'spendTakerPayment' });
    }
    for (const state of ['claiming', 'claimSent', 'confirmingClaim']) {
      expect(next(state, claimed), state).toMatchObject({ who: 'engine' });
    }
  });
});
