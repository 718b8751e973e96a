import { ACCOUNTS } from './account-scenarios.ts';
import type { Leg } from './chain.ts';
import type { Scenario } from './scenario.ts';
import {
  at,
  BOTH_BACK,
  FEE_ALONE,
  MAKER_BACK,
  NOTHING,
  otherOf,
  PAST_LOCKS,
  plain,
  SWAPPED,
  UNPAID,
} from './scenario-parts.ts';

const BEFORE_PAYMENT: readonly Scenario[] = [
  plain('the maker never starts', 'failure', { absent: 'maker', steps: [], ends: [NOTHING], minutes: 20 }),
  plain('the taker never starts', 'failure', { absent: 'taker', steps: [], ends: [NOTHING], minutes: 20 }),
  plain('the taker has too little', 'failure', { poor: 'taker', steps: [], ends: [NOTHING], minutes: 20 }),
  plain('the maker has too little', 'failure', { poor: 'maker', steps: [], ends: [NOTHING], minutes: 20 }),
  plain('the taker sends a fee that is too low', 'failure', {
    cheats: { side: 'taker', with: 'fee' },
    steps: [],
    ends: [FEE_ALONE],
    minutes: UNPAID,
  }),
];

const CHEATS: readonly Scenario[] = [
  ...(['amount', 'lock', 'hash', 'key'] as const).map((what) =>
    plain(`the maker cheats with the ${what} of its payment`, 'maker cheats', {
      cheats: { side: 'maker', with: what },
      steps: [],
      ends: [
        { maker: 'left', taker: 'none', fee: true },
        { maker: 'refunded', taker: 'none', fee: true },
      ],
      minutes: UNPAID,
    }),
  ),
  plain('the maker offers another lock time', 'maker cheats', {
    cheats: { side: 'maker', with: 'offeredLock' },
    steps: [],
    ends: [NOTHING],
    minutes: UNPAID,
  }),
  plain('the maker uses a secret for a second swap', 'maker cheats', {
    cheats: { side: 'maker', with: 'secretReused' },
    steps: [],
    ends: [NOTHING],
    minutes: UNPAID,
  }),
  ...(['amount', 'lock', 'key'] as const).map((what) =>
    plain(`the taker cheats with the ${what} of its payment`, 'taker cheats', {
      cheats: { side: 'taker', with: what },
      steps: [],
      ends: [
        { maker: 'refunded', taker: 'left', fee: true },
        { maker: 'refunded', taker: 'refunded', fee: true },
      ],
    }),
  ),
];

const MAKER_GONE: readonly Scenario[] = [
  ...(
    [
      ['asked', [NOTHING, FEE_ALONE]],
      ['replied', [NOTHING, FEE_ALONE]],
      ['feeSeen', [FEE_ALONE]],
    ] as const
  ).map(([stage, ends]) =>
    plain(`the maker vanishes at ${stage}`, 'maker vanishes', {
      steps: [at(stage, { do: 'die', side: 'maker' })],
      ends,
      minutes: UNPAID,
    }),
  ),
  plain('the maker vanishes when it has paid, and is back late', 'maker refund', {
    steps: [
      at('makerPaymentSeen', { do: 'die', side: 'maker' }),
      at('takerPaymentMined', { do: 'wait', minutes: 280 }, { do: 'revive', side: 'maker' }),
    ],
    ends: [BOTH_BACK],
  }),
  plain('the maker vanishes when it is paid, and is back late', 'taker refund, maker refund', {
    steps: [
      at(
        'takerPaymentSeen',
        { do: 'die', side: 'maker' },
        { do: 'wait', minutes: 200 },
        { do: 'revive', side: 'maker' },
      ),
    ],
    ends: [BOTH_BACK],
  }),
  plain('the maker vanishes when it is paid, and is back in time', 'maker vanishes', {
    steps: [
      at(
        'takerPaymentSeen',
        { do: 'die', side: 'maker' },
        { do: 'wait', minutes: 12 },
        { do: 'revive', side: 'maker' },
      ),
    ],
    ends: [SWAPPED],
  }),
  // The first claim shows the secret. The lock of what it takes lasts no longer than a fifth of its time.
  plain('the maker vanishes when it is paid, and is back when its claim is contested', 'taker refund, maker refund', {
    steps: [
      at(
        'takerPaymentSeen',
        { do: 'die', side: 'maker' },
        { do: 'wait', minutes: 108 },
        { do: 'snatch' },
        { do: 'revive', side: 'maker' },
      ),
    ],
    ends: [BOTH_BACK],
  }),
  plain('the maker vanishes when it has taken', 'maker vanishes', {
    steps: [at('takerPaymentTaken', { do: 'die', side: 'maker' })],
    ends: [SWAPPED],
  }),
];

const TAKER_GONE: readonly Scenario[] = [
  plain('the taker vanishes when it has replied', 'taker vanishes', {
    steps: [at('replied', { do: 'die', side: 'taker' })],
    ends: [NOTHING, FEE_ALONE],
    minutes: UNPAID,
  }),
  plain('the taker vanishes when it has paid its fee', 'maker refund', {
    steps: [at('feeSeen', { do: 'die', side: 'taker' })],
    ends: [MAKER_BACK],
  }),
  plain('the taker vanishes when the maker has paid', 'maker refund', {
    steps: [at('makerPaymentSeen', { do: 'die', side: 'taker' })],
    ends: [MAKER_BACK],
  }),
  plain('the taker vanishes when it has paid, and is back in time', 'taker vanishes', {
    steps: [
      at(
        'takerPaymentSeen',
        { do: 'die', side: 'taker' },
        { do: 'wait', minutes: 47 },
        { do: 'revive', side: 'taker' },
      ),
    ],
    ends: [SWAPPED],
  }),
  plain('the taker vanishes when the secret is out, and is back in time', 'taker vanishes', {
    steps: [
      at(
        'takerPaymentTaken',
        { do: 'die', side: 'taker' },
        { do: 'wait', minutes: 95 },
        { do: 'revive', side: 'taker' },
      ),
    ],
    ends: [SWAPPED],
  }),
];

const WATCHED: readonly Scenario[] = [
  plain('a watcher claims for a taker that is gone', 'watcher claims', {
    watched: true,
    steps: [at('watched', { do: 'die', side: 'taker' })],
    ends: [SWAPPED],
  }),
  plain('a watcher refunds for a taker that is gone', 'watcher refunds', {
    watched: true,
    steps: [
      at('watched', { do: 'die', side: 'taker' }, { do: 'die', side: 'maker' }, { do: 'wait', minutes: 270 }),
      at('watched', { do: 'revive', side: 'maker' }),
    ],
    ends: [BOTH_BACK],
    minutes: 480,
  }),
];

const REORGS: readonly Scenario[] = (
  [
    ['feeMined', 'taker'],
    ['makerPaymentMined', 'maker'],
    ['takerPaymentMined', 'taker'],
    ['takerPaymentTakenMined', 'taker'],
    ['makerPaymentTakenMined', 'maker'],
  ] as const
).flatMap(([stage, leg]) =>
  [1, 2, 3].map((depth) =>
    plain(`a reorganisation of depth ${depth} at ${stage}`, `reorganisation at ${stage}`, {
      // What is that deep by then was not when it was acted on: the blocks above it come first.
      steps: [
        at(stage, ...(depth > 1 ? [{ do: 'wait', minutes: depth - 1 } as const] : []), {
          do: 'reorg',
          leg,
          depth,
          forgotten: depth !== 2,
        }),
      ],
      // Where the other coin's blocks are quick the fee is among what is forgotten, and nobody's coins hang on it any more.
      ends: stage === 'takerPaymentMined' && depth === 3 ? [SWAPPED, { ...SWAPPED, fee: false }] : [SWAPPED],
    }),
  ),
);

/** The same of what brings coins back. */
const REORGS_OF_REFUNDS: readonly Scenario[] = [1, 2, 3].flatMap((depth) => {
  const takesBack = (leg: Leg) =>
    at(`${leg}PaymentBack`, ...(depth > 1 ? [{ do: 'wait', minutes: depth - 1 } as const] : []), {
      do: 'reorg',
      leg,
      depth,
      forgotten: depth !== 2,
    });
  return [
    plain(`a reorganisation of depth ${depth} at takerPaymentBack`, 'reorganisation at takerPaymentBack', {
      steps: [
        at('takerPaymentSeen', { do: 'die', side: 'maker' }),
        takesBack('taker'),
        at('takerPaymentBack', { do: 'wait', minutes: 20 }, { do: 'revive', side: 'maker' }),
      ],
      ends: [BOTH_BACK],
    }),
    plain(`a reorganisation of depth ${depth} at makerPaymentBack`, 'reorganisation at makerPaymentBack', {
      steps: [at('makerPaymentSeen', { do: 'die', side: 'taker' }), takesBack('maker')],
      ends: [MAKER_BACK],
    }),
  ];
});

const FEES: readonly Scenario[] = ([true, false] as const).flatMap((replaces) => [
  // The other side could take the payment back while the price is still what it is: only who pays it has its coins.
  plain(`no miner takes a cheap claim until all locks are over, replacement ${replaces ? 'on' : 'off'}`, 'fee spike', {
    replaces,
    // From before the claim on: a quick block would take it in the moment in which it is first seen.
    steps: [at('takerPaymentMined', { do: 'dear', leg: 'maker', rate: 35, minutes: PAST_LOCKS })],
    ends: [SWAPPED],
    minutes: PAST_LOCKS - 60,
  }),
  plain(`no miner takes a cheap refund, replacement ${replaces ? 'on' : 'off'}`, 'fee spike', {
    replaces,
    steps: [
      at('makerPaymentMined', { do: 'die', side: 'taker' }, { do: 'dear', leg: 'maker', rate: 35, minutes: 520 }),
    ],
    ends: [MAKER_BACK],
    minutes: 480,
  }),
  plain(`no miner takes a cheap claim, replacement ${replaces ? 'on' : 'off'}`, 'fee spike', {
    replaces,
    steps: [at('takerPaymentTaken', { do: 'dear', leg: 'maker', rate: 35, minutes: 50 })],
    ends: [SWAPPED],
  }),
  plain(`no miner takes a cheap payment, replacement ${replaces ? 'on' : 'off'}`, 'fee spike', {
    replaces,
    steps: [at('makerPaymentSeen', { do: 'dear', leg: 'maker', rate: 30, minutes: 25 })],
    ends: [SWAPPED, MAKER_BACK, BOTH_BACK],
  }),
  plain(`no miner takes the first claim, replacement ${replaces ? 'on' : 'off'}`, 'fee spike', {
    replaces,
    steps: [at('takerPaymentMined', { do: 'dear', leg: 'taker', rate: 15, minutes: 45 })],
    ends: [SWAPPED],
  }),
]);

/** More than a wallet of either coin pays on a usual day, by two or three steps. */
const RAISED = { maker: 18, taker: 10 } as const;

const FLOORS: readonly Scenario[] = [
  plain('no node takes a cheap payment of the maker', 'relay floor', {
    steps: [at('feeSeen', { do: 'floor', leg: 'maker', rate: RAISED.maker })],
    ends: [SWAPPED],
  }),
  plain('no node takes a cheap payment of the taker, or a cheap claim of it', 'relay floor', {
    steps: [at('makerPaymentSeen', { do: 'floor', leg: 'taker', rate: RAISED.taker })],
    // A trading fee that waited is forgotten too, and goes out again at the price that it has.
    ends: [SWAPPED, { ...SWAPPED, fee: false }],
  }),
  plain('no node takes a cheap claim of the taker', 'relay floor', {
    steps: [at('takerPaymentTaken', { do: 'floor', leg: 'maker', rate: RAISED.maker })],
    ends: [SWAPPED],
  }),
  plain('no node takes a cheap refund of the maker', 'relay floor', {
    steps: [at('makerPaymentMined', { do: 'die', side: 'taker' }, { do: 'floor', leg: 'maker', rate: RAISED.maker })],
    ends: [MAKER_BACK],
  }),
];

const FORGOTTEN: readonly Scenario[] = [
  plain('no miner takes a cheap claim, and its node forgets it with its children, replacement off', 'fee spike', {
    replaces: false,
    steps: [
      at(
        'takerPaymentMined',
        { do: 'dear', leg: 'maker', rate: 35, minutes: PAST_LOCKS },
        { do: 'wait', minutes: 28 },
        { do: 'restart', leg: 'maker' },
      ),
    ],
    ends: [SWAPPED],
    minutes: PAST_LOCKS - 60,
  }),
];

const FAULTS: readonly Scenario[] = (['maker', 'taker'] as const).flatMap((leg) => [
  plain(`the node of the ${leg} coin is out of reach for 20 minutes`, 'outage', {
    steps: [at('takerPaymentSeen', { do: 'outage', leg, minutes: 20 })],
    ends: [SWAPPED],
  }),
  plain(`the ${leg} alone reaches no node of the other coin for 25 minutes`, 'outage', {
    steps: [at('makerPaymentMined', { do: 'outage', leg: otherOf(leg), side: leg, minutes: 25 })],
    ends: [SWAPPED, MAKER_BACK, BOTH_BACK],
  }),
  plain(`the node of the ${leg} coin starts again and has forgotten a payment`, 'restart without mempool', {
    steps: [at(`${leg}PaymentSeen`, { do: 'restart', leg })],
    ends: [SWAPPED],
  }),
  plain(`the node of the ${leg} coin starts again and has forgotten a claim`, 'restart without mempool', {
    steps: [at(`${leg}PaymentTaken`, { do: 'restart', leg })],
    ends: [SWAPPED],
  }),
  plain(`the node of the ${leg} coin starts again and has forgotten a refund`, 'restart without mempool', {
    steps:
      leg === 'maker'
        ? [at('makerPaymentMined', { do: 'die', side: 'taker' }), at('makerPaymentTaken', { do: 'restart', leg })]
        : [
            at('takerPaymentSeen', { do: 'die', side: 'maker' }),
            at('takerPaymentTaken', { do: 'restart', leg }),
            at('takerPaymentBack', { do: 'wait', minutes: 15 }, { do: 'revive', side: 'maker' }),
          ],
    ends: [leg === 'maker' ? MAKER_BACK : BOTH_BACK],
  }),
  plain(`the node of the ${leg} coin answers in two seconds`, 'slow answers', {
    steps: [at('makerPaymentSeen', { do: 'slow', leg, seconds: 2 })],
    ends: [SWAPPED],
  }),
  // One question takes several requests. Who cannot see both chains within the time that a look holds does not pay.
  plain(`the node of the ${leg} coin answers in seven seconds`, 'slow answers', {
    steps: [at('makerPaymentSeen', { do: 'slow', leg, seconds: 7 })],
    ends: [SWAPPED, MAKER_BACK, BOTH_BACK],
  }),
]);

const CLOCKS: readonly Scenario[] = [
  ...(['maker', 'taker'] as const).flatMap((leg) => [
    plain(`the clock of the ${leg} coin stands still for an hour`, 'chain clock', {
      steps: [at('takerPaymentSeen', { do: 'chainStands', leg, minutes: 60 })],
      ends: [SWAPPED],
    }),
    plain(`the clock of the ${leg} coin stands still, and the maker is gone`, 'chain clock', {
      steps: [
        at('takerPaymentSeen', { do: 'die', side: 'maker' }, { do: 'chainStands', leg, minutes: 170 }),
        at('takerPaymentSeen', { do: 'wait', minutes: 280 }, { do: 'revive', side: 'maker' }),
      ],
      ends: [BOTH_BACK],
      minutes: 640,
    }),
    plain(`the clock of the ${leg} coin jumps by 95 minutes`, 'chain clock', {
      steps: [at('takerPaymentSeen', { do: 'chainJumps', leg, seconds: 5700 })],
      ends: [SWAPPED, BOTH_BACK],
    }),
    plain(`the host clock of the ${leg} stands still`, 'host clock', {
      steps: [at('makerPaymentSeen', { do: 'hostStands', side: leg })],
      ends: [SWAPPED],
    }),
    plain(`the host clock of the ${leg} stands still, and the other is gone`, 'host clock', {
      steps: [
        at(
          'takerPaymentSeen',
          { do: 'hostStands', side: 'taker' },
          { do: 'hostStands', side: leg },
          { do: 'die', side: 'maker' },
          { do: 'wait', minutes: 190 },
          { do: 'revive', side: 'maker' },
        ),
      ],
      ends: [BOTH_BACK],
    }),
    plain(`the host clock of the ${leg} is set on by a day`, 'host clock', {
      steps: [at('takerPaymentSeen', { do: 'hostSet', side: leg, by: 86_400 })],
      ends: [SWAPPED, BOTH_BACK],
    }),
    plain(`the host clock of the ${leg} is set back by a day`, 'host clock', {
      steps: [at('takerPaymentSeen', { do: 'hostSet', side: leg, by: -86_400 })],
      ends: [SWAPPED],
    }),
  ]),
];

/** Only the servers of the chain on which a side takes: where the other side's payment is taken back once its lock is over. */
const HALVED: readonly Scenario[] = [
  plain('one of two servers of the maker coin is away from the taker until all locks are over', 'outage', {
    steps: [at('takerPaymentMined', { do: 'halve', leg: 'maker', side: 'taker', minutes: PAST_LOCKS })],
    ends: [SWAPPED],
    minutes: PAST_LOCKS - 60,
  }),
];

/** What one swap holds of a wallet, another one of the same wallet does not take. */
const TOGETHER: readonly Scenario[] = [
  plain('two swaps of the same wallets', 'success, together', { swaps: 2, steps: [], ends: [SWAPPED] }),
  plain('two swaps of the same wallets, and the maker is back late', 'taker refund, maker refund, together', {
    swaps: 2,
    steps: [
      at(
        'takerPaymentMined',
        { do: 'die', side: 'maker' },
        { do: 'wait', minutes: 200 },
        { do: 'revive', side: 'maker' },
      ),
    ],
    ends: [BOTH_BACK],
  }),
];

/** Every terminal path, and every fault of a node or a clock on the way there. */
export const SCENARIOS: readonly Scenario[] = [
  plain('both sides swap', 'success', { steps: [], ends: [SWAPPED] }),
  ...BEFORE_PAYMENT,
  ...CHEATS,
  ...MAKER_GONE,
  ...TAKER_GONE,
  ...WATCHED,
  ...REORGS,
  ...REORGS_OF_REFUNDS,
  ...FEES,
  ...FLOORS,
  ...FORGOTTEN,
  ...FAULTS,
  ...CLOCKS,
  ...HALVED,
  ...TOGETHER,
  ...ACCOUNTS,
];
