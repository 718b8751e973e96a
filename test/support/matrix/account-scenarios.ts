import type { Leg } from './chain.ts';
import type { Deed, Scenario, Step } from './scenario.ts';
import { at, BOTH_BACK, FEE_ALONE, MAKER_BACK, NOTHING, otherOf, plain, SWAPPED } from './scenario-parts.ts';

// What means something where a coin is on a chain with accounts alone.

const LEGS = ['maker', 'taker'] as const;

/** What a payment that had no effect may come to: it is made again, or nothing is, of which a maker’s is no more made after so long. */
const PAID_OR_NOT = {
  maker: { ends: [SWAPPED, FEE_ALONE], minutes: 100 },
  taker: { ends: [SWAPPED, MAKER_BACK] },
} as const;

/** Until whoever has paid on a leg brings its coins home, what is done when that is first seen, and the rest. */
function refunds(leg: Leg, ...deeds: readonly Deed[]): Pick<Scenario, 'steps' | 'ends'> {
  const seen: Step = at(`${leg}PaymentTaken`, ...deeds);
  if (leg === 'maker')
    return { steps: [at('makerPaymentMined', { do: 'die', side: 'taker' }), seen], ends: [MAKER_BACK] };
  const back = at('takerPaymentBack', { do: 'wait', minutes: 25 }, { do: 'revive', side: 'maker' });
  return { steps: [at('takerPaymentSeen', { do: 'die', side: 'maker' }), seen, back], ends: [BOTH_BACK] };
}

/** What is in a block and had no effect. */
const REVERTS: readonly Scenario[] = LEGS.flatMap((leg) => {
  const needs = { leg, token: false };
  return [
    plain(`the contract refuses the claim of the ${leg} payment for two minutes`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentTaken`, { do: 'break', leg, by: 'refusal', minutes: 2 })],
      ends: [SWAPPED],
    }),
    plain(`the claim of the ${leg} payment runs out of gas`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentTaken`, { do: 'break', leg, by: 'gas', minutes: 2 })],
      ends: [SWAPPED],
    }),
    plain(`the contract refuses the payment of the ${leg}`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentSeen`, { do: 'break', leg, by: 'refusal', minutes: 2 })],
      ...PAID_OR_NOT[leg],
    }),
    plain(`the payment of the ${leg} runs out of gas`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentSeen`, { do: 'break', leg, by: 'gas', minutes: 2 })],
      ...PAID_OR_NOT[leg],
    }),
    plain(`the contract refuses the refund of the ${leg} for two minutes`, 'revert', {
      needs,
      ...refunds(leg, { do: 'break', leg, by: 'refusal', minutes: 2 }),
    }),
    plain(`the refund of the ${leg} runs out of gas`, 'revert', {
      needs,
      ...refunds(leg, { do: 'break', leg, by: 'gas', minutes: 2 }),
    }),
  ];
});

/** What others do with an account. */
const STOLEN: readonly Scenario[] = [
  plain('somebody takes the nonce of the trading fee', 'nonce taken', {
    needs: { leg: 'taker', token: false },
    steps: [at('feeSeen', { do: 'steal', leg: 'taker', side: 'taker' })],
    ends: [SWAPPED, NOTHING],
    minutes: 100,
  }),
  ...LEGS.flatMap((leg) => {
    const needs = { leg, token: false };
    return [
      plain(`somebody takes the nonce of the payment of the ${leg}`, 'nonce taken', {
        needs,
        steps: [at(`${leg}PaymentSeen`, { do: 'steal', leg, side: leg })],
        ...PAID_OR_NOT[leg],
      }),
      plain(`somebody takes the nonce of the claim of the ${leg} payment`, 'nonce taken', {
        needs,
        steps: [at(`${leg}PaymentTaken`, { do: 'steal', leg, side: otherOf(leg) })],
        ends: [SWAPPED],
      }),
      plain(`somebody takes the nonce of the refund of the ${leg}`, 'nonce taken', {
        needs,
        ...refunds(leg, { do: 'steal', leg, side: leg }),
      }),
    ];
  }),
];

/** What becomes of tokens. */
const TOKENS: readonly Scenario[] = LEGS.flatMap((leg) => {
  const needs = { leg, token: true };
  return [
    plain(`the contract may not move the tokens of the ${leg} any more when it pays`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentSeen`, { do: 'disallow', leg, side: leg })],
      ...PAID_OR_NOT[leg],
    }),
    plain(`the tokens of the ${leg} stand still for three minutes when it pays`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentSeen`, { do: 'spoil', leg, by: 'pause', minutes: 3 })],
      ...PAID_OR_NOT[leg],
    }),
    plain(`the tokens of the ${leg} stand still for three minutes when they are claimed`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentTaken`, { do: 'spoil', leg, by: 'pause', minutes: 3 })],
      ends: [SWAPPED],
    }),
    plain(`the tokens of the ${leg} begin to keep a part of what they move when it pays`, 'revert', {
      needs,
      steps: [at(`${leg}PaymentSeen`, { do: 'spoil', leg, by: 'tax', minutes: 600 })],
      ...(leg === 'maker' ? { ends: [FEE_ALONE], minutes: 100 } : { ends: [MAKER_BACK] }),
    }),
    plain(`the tokens of the ${leg} keep a part of what they move`, 'refused', {
      needs,
      refused: { leg, by: 'tax', code: 'EVM_TOKEN_NOT_STANDARD' },
      steps: [],
      ends: [NOTHING],
    }),
  ];
});

/** Blocks that ask for more and more, by an eighth each. */
const RISING: readonly Scenario[] = LEGS.flatMap((leg) => {
  const needs = { leg, token: false };
  return [
    plain(`blocks of the ${leg} coin ask for more and more when it is paid`, 'fee spike', {
      needs,
      steps: [at(`${leg}PaymentSeen`, { do: 'rise', leg, to: 70, minutes: 35 })],
      ends: [SWAPPED],
    }),
    plain(`blocks of the ${leg} coin ask for more and more when it is taken`, 'fee spike', {
      needs,
      steps: [at(`${leg}PaymentTaken`, { do: 'rise', leg, to: 70, minutes: 35 })],
      ends: [SWAPPED],
    }),
  ];
});

/** Nodes that answer from the past. */
const PASTS: readonly Scenario[] = [
  ...LEGS.flatMap((leg) => {
    const needs = { leg, token: false };
    return [
      plain(
        `the node of the ${leg} coin answers as of four minutes ago from when the maker pays`,
        'answers from the past',
        {
          needs,
          steps: [at('makerPaymentSeen', { do: 'past', leg, seconds: 240, mixed: false, minutes: 60 })],
          ends: [SWAPPED],
        },
      ),
      plain(
        `the node of the ${leg} coin answers as of a quarter of an hour ago when it is paid`,
        'answers from the past',
        {
          needs,
          steps: [at(`${leg}PaymentMined`, { do: 'past', leg, seconds: 900, mixed: false, minutes: 45 })],
          ends: [SWAPPED],
        },
      ),
      plain(
        `one of two nodes of the ${leg} coin behind one address answers as of two minutes ago`,
        'answers from the past',
        {
          needs,
          steps: [at('asked', { do: 'past', leg, seconds: 120, mixed: true, minutes: 90 })],
          ends: [SWAPPED],
        },
      ),
    ];
  }),
  plain('the maker is back when its claim is contested, and its node answers as of long ago', 'answers from the past', {
    needs: { leg: 'taker', token: false },
    steps: [
      at(
        'takerPaymentMined',
        { do: 'die', side: 'maker' },
        { do: 'wait', minutes: 107 },
        { do: 'snatch' },
        { do: 'past', leg: 'taker', side: 'maker', seconds: 5400, mixed: false, minutes: 60 },
        { do: 'revive', side: 'maker' },
      ),
    ],
    ends: [BOTH_BACK],
  }),
];

const SLOW: readonly Scenario[] = LEGS.map((leg) =>
  plain(`the node of the ${leg} coin answers in fourteen seconds once both have paid`, 'slow answers', {
    needs: { leg, token: false },
    steps: [at('takerPaymentMined', { do: 'slow', leg, seconds: 14 })],
    ends: [SWAPPED],
  }),
);

/** Where somebody listens for a secret that is shown too early. */
const LISTENED: readonly Scenario[] = [
  plain(
    'the contract refuses the claim of the taker payment until that can be taken back',
    'taker refund, maker refund',
    {
      needs: { leg: 'taker', token: false },
      steps: [at('takerPaymentMined', { do: 'snatch' }, { do: 'break', leg: 'taker', by: 'refusal', minutes: 129 })],
      ends: [BOTH_BACK],
    },
  ),
  // Its terms can be read, and nothing can be claimed.
  plain('the tokens of the taker stand still until they can be taken back', 'taker refund, maker refund', {
    needs: { leg: 'taker', token: true },
    steps: [at('takerPaymentMined', { do: 'snatch' }, { do: 'spoil', leg: 'taker', by: 'pause', minutes: 129 })],
    ends: [BOTH_BACK],
    // Where the lock is over before they move again a second refund may be tried with more gas.
    inVain: 1,
  }),
  plain('the taker takes the nonce of its payment for something else and is gone', 'maker refund', {
    needs: { leg: 'taker', token: false },
    steps: [
      at(
        'takerPaymentSeen',
        { do: 'snatch' },
        { do: 'die', side: 'taker' },
        { do: 'steal', leg: 'taker', side: 'taker' },
      ),
    ],
    ends: [MAKER_BACK],
  }),
];

export const ACCOUNTS: readonly Scenario[] = [
  ...REVERTS,
  ...STOLEN,
  ...TOKENS,
  ...RISING,
  ...PASTS,
  ...SLOW,
  ...LISTENED,
];
