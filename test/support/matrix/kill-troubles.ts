import type { Leg } from './chain.ts';
import type { Deed, Scenario, Stage } from './scenario.ts';
import { at, otherOf } from './scenario-parts.ts';
import { SCENARIOS } from './scenarios.ts';

// What goes wrong on chains with accounts alone, where processes are killed meanwhile. A chain and its node remember what was done to them, whoever is
// away. What strikes a single transaction would not: it strikes once more while somebody is away, who then has it in the log alone, or at a node that
// forgets it.

type Killed = {
  /** From which stage on processes are killed: before what is struck is signed. @defaultValue from when it strikes */
  readonly from?: Stage;
  readonly again?: Scenario['again'];
  readonly token?: boolean;
  /** Transactions that may come to nothing beside those of a run without a kill. @defaultValue none */
  readonly more?: number;
};

/** From when what pays on a leg, or takes what was paid there, is still to be made. */
const BEFORE_PAYMENT = { maker: 'feeSeen', taker: 'makerPaymentSeen' } as const;
const BEFORE_CLAIM = { maker: 'takerPaymentTaken', taker: 'takerPaymentSeen' } as const;

function killed(leg: Leg, name: string, { from, again, token = false, more = 0 }: Killed = {}): Scenario {
  const found = SCENARIOS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return {
    ...found,
    needs: { leg, token },
    steps: from === undefined ? found.steps : [at(from), ...found.steps],
    ...(again === undefined ? {} : { again }),
    inVain: (found.inVain ?? 0) + more,
  };
}

const LEGS = ['maker', 'taker'] as const;

const REVERTS = LEGS.flatMap((leg) => [
  killed(leg, `the contract refuses the claim of the ${leg} payment for two minutes`, { from: BEFORE_CLAIM[leg] }),
  killed(leg, `the claim of the ${leg} payment runs out of gas`, { from: BEFORE_CLAIM[leg] }),
  killed(leg, `the contract refuses the payment of the ${leg}`, { from: BEFORE_PAYMENT[leg] }),
  killed(leg, `the payment of the ${leg} runs out of gas`, { from: BEFORE_PAYMENT[leg] }),
  killed(leg, `the contract refuses the refund of the ${leg} for two minutes`),
  killed(leg, `the refund of the ${leg} runs out of gas`),
]);

/** Who is away has what is signed in the log alone, and somebody takes its nonce; or the one of what goes out in its place. */
const STOLEN = [
  killed('taker', 'somebody takes the nonce of the trading fee', {
    from: 'replied',
    again: steals('taker', 'taker'),
    more: 1,
  }),
  ...LEGS.flatMap((leg) => [
    killed(leg, `somebody takes the nonce of the payment of the ${leg}`, {
      from: BEFORE_PAYMENT[leg],
      again: steals(leg, leg),
      more: 1,
    }),
    killed(leg, `somebody takes the nonce of the claim of the ${leg} payment`, {
      from: BEFORE_CLAIM[leg],
      again: steals(leg, otherOf(leg)),
      more: 1,
    }),
    killed(leg, `somebody takes the nonce of the refund of the ${leg}`, { again: steals(leg, leg), more: 1 }),
  ]),
];

function steals(leg: Leg, side: Leg): Scenario['again'] {
  return { of: side, deeds: [{ do: 'steal', leg, side }] };
}

/** An approval and a payment may be in vain each time. */
const DISALLOWED = LEGS.map((leg) =>
  killed(leg, `the contract may not move the tokens of the ${leg} any more when it pays`, {
    token: true,
    from: BEFORE_PAYMENT[leg],
    again: { of: leg, deeds: [{ do: 'disallow', leg, side: leg }] },
    more: 2,
  }),
);

/** The node ends with the process that asks it, and comes back without what waited. */
const DROPPED = LEGS.flatMap((leg) => {
  const forgets: Deed = { do: 'restart', leg };
  const again = { of: null, deeds: [forgets] };
  return [
    killed(leg, `the node of the ${leg} coin starts again and has forgotten a payment`, {
      from: BEFORE_PAYMENT[leg],
      again,
    }),
    killed(leg, `the node of the ${leg} coin starts again and has forgotten a claim`, {
      from: BEFORE_CLAIM[leg],
      again,
    }),
    killed(leg, `the node of the ${leg} coin starts again and has forgotten a refund`, { again }),
  ];
});

const REPLACED = LEGS.flatMap((leg) => [
  killed(leg, `blocks of the ${leg} coin ask for more and more when it is paid`, { from: BEFORE_PAYMENT[leg] }),
  killed(leg, `blocks of the ${leg} coin ask for more and more when it is taken`, { from: BEFORE_CLAIM[leg] }),
]);

/** Whoever is started again knows nothing of later blocks but what the log says. */
const PASTS = [
  ...LEGS.flatMap((leg) => [
    killed(leg, `the node of the ${leg} coin answers as of four minutes ago from when the maker pays`, {
      ...(leg === 'maker' ? { from: 'feeSeen' } : {}),
    }),
    killed(leg, `the node of the ${leg} coin answers as of a quarter of an hour ago when it is paid`),
    killed(leg, `one of two nodes of the ${leg} coin behind one address answers as of two minutes ago`),
  ]),
  killed('taker', 'the maker is back when its claim is contested, and its node answers as of long ago'),
];

export const KILLED_TROUBLES: readonly Scenario[] = [
  ...REVERTS,
  ...STOLEN,
  ...DISALLOWED,
  ...DROPPED,
  ...REPLACED,
  ...PASTS,
];
