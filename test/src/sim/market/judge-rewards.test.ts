import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { SimLedger } from '../../../../src/sim/chains/types.ts';
import { judgeMarket } from '../../../../src/sim/market/judge.ts';
import { createMarket, type MarketOptions, type MarketWorld } from '../../../../src/sim/market/market.ts';
import { runMarket } from '../../../../src/sim/market/run.ts';
import { calmCoin, calmMarket, calmParty, calmSwap, type Market } from '../../../../src/sim/market/scenario.ts';
import { runMarketScenario } from '../../../../src/sim/market/simulate.ts';
import { rewardsOn } from '../../../../src/sim/world/judge/rewards.ts';

const dec = (text: string) => text as DecimalText;
const funds = (eth: string, bnb: string, doc: string) => ({
  ETH: { amount: dec(eth), coins: 1 },
  BNB: { amount: dec(bnb), coins: 1 },
  DOC: { amount: dec(doc), coins: 6 },
});
const COINS = [
  calmCoin('ETH', { kind: 'account', decimals: 18, feeRate: 7e9, rewards: true }),
  calmCoin('BNB', { kind: 'account', feeRate: 3, blockTime: 90, finality: 2, rewards: true }),
  calmCoin('DOC', { blockTime: 75, finality: 4 }),
];
const SWAPS = [
  calmSwap({ maker: 'alice', taker: 'bob', makerCoin: 'ETH', takerCoin: 'BNB', useWatchers: true }),
  calmSwap({
    ...{ maker: 'alice', taker: 'bob', makerCoin: 'BNB', takerCoin: 'DOC', useWatchers: true, at: 20 },
    ...{ makerAmount: dec('2.00000013'), takerAmount: dec('4.00000077') },
  }),
  calmSwap({
    ...{ maker: 'alice', taker: 'bob', makerCoin: 'DOC', takerCoin: 'ETH', useWatchers: true, at: 50 },
    ...{
      makerAmount: dec('1.10000023'),
      takerAmount: dec('0.700000000000000009'),
      confirmations: { maker: 2, taker: 3 },
    },
  }),
];

/** Three swaps of two parties, two who watch, and bob whose process dies at one of its inputs or outputs for longer than a lock. */
function market({ dies, raked = false }: { readonly dies: number | null; readonly raked?: boolean }): Market {
  const crashes = dies === null ? [] : [{ at: dies, when: 'after' as const, downFor: 14_000 }];
  return calmMarket({
    coins: COINS,
    parties: [
      calmParty('alice', funds('20', '11', '9')),
      calmParty('bob', funds('13', '17', '19'), { crashes }),
      calmParty('carol', funds('3', '2', '1'), { watches: true }),
      calmParty('dave', funds('2', '1', '3'), { watches: true }),
      ...(raked ? [calmParty('mallory', funds('1', '1', '1'), { conduct: { kind: 'raker' } })] : []),
    ],
    swaps: SWAPS,
  });
}

async function played(given: Market, options: MarketOptions = {}): Promise<MarketWorld> {
  const world = createMarket(given, options);
  await runMarket(world);
  return world;
}

const told = (world: MarketWorld) => judgeMarket(world).violations.map(({ rule, party }) => `${rule} ${party}`);
const paidTo = ({ chains }: MarketWorld): readonly string[] =>
  [...chains].flatMap(([coin, { ledger }]) =>
    rewardsOn(ledger).map(
      ({ payer, promise, end, has }) => `${coin} of ${payer}, ${promise.amount}: ${end?.how} pays ${has}`,
    ),
  );

describe('a market that pays watchers (M15)', () => {
  it('pays whoever claims for itself, and refunds to the sender what it kept for nobody', async () => {
    const world = await played(market({ dies: null }));
    expect(told(world)).toEqual([]);
    expect(paidTo(world)).toEqual([
      'ETH of alice, 490000000000000: claim pays bob',
      'ETH of bob, 490000000000000: claim pays bob',
      'BNB of alice, 210000: claim pays bob',
      'BNB of bob, 210000: claim pays null',
    ]);
  });

  it.each([
    [40, false, ['claim', 'alice']],
    [60, false, ['claim', 'carol']],
    [75, false, ['claim', 'dave']],
    [85, true, ['claim', 'mallory']],
    [40, true, ['refund', 'mallory']],
    [105, true, ['claim', 'mallory']],
  ] as const)('pays whoever is first if bob dies at %d, raked %s', async (dies, raked, [how, who]) => {
    const world = await played(market({ dies, raked }));
    expect(told(world)).toEqual([]);
    const paid = paidTo(world).some((text) =>
      text.endsWith(`${how === 'claim' && who === 'alice' ? 'refund' : how} pays ${who}`),
    );
    expect(paid).toBe(true);
  });

  let died: Promise<MarketWorld> | null = null;

  /** What the judge says of a run whose ledger tells something else. */
  async function retold(coin: string, change: (ledger: SimLedger) => Partial<SimLedger>): Promise<readonly string[]> {
    died ??= played(market({ dies: 85 }));
    const world = await died;
    const chain = world.chains.get(coin);
    if (chain === undefined) throw new TypeError(coin);
    const changed = { ...chain, ledger: { ...chain.ledger, ...change(chain.ledger) } };
    return told({ ...world, chains: new Map([...world.chains, [coin, changed]]) });
  }

  it.each([
    ['a watcher that has a base unit more', 'carol', 1n],
    ['a watcher that was not paid', 'carol', -490_000_000_000_000n],
    ['a maker that paid more than its promise', 'alice', -1n],
    ['a taker that got the reward of another one', 'bob', 490_000_000_000_000n],
  ])('notices %s', async (_, name, units) => {
    const moved = (ledger: SimLedger): Partial<SimLedger> => ({
      balance: (party) => {
        const { confirmed, pending } = ledger.balance(party);
        return { confirmed: confirmed + (party === name ? units : 0n), pending };
      },
    });
    expect(await retold('ETH', moved)).toContain(`M15 ${name}`);
  });

  it('notices promises of another amount, and of nothing', async () => {
    const paying = (reward: string | null): MarketOptions => ({
      tamper: ({ name }, chain) =>
        name !== 'alice'
          ? chain
          : {
              ...chain,
              prepare: (request, ...rest) => {
                if (request.purpose !== 'payment') return chain.prepare(request, ...rest);
                const { reward: _, ...plain } = request;
                return chain.prepare(reward === null ? plain : { ...plain, reward: dec(reward) }, ...rest);
              },
            },
    });
    expect(told(await played(market({ dies: null }), paying('0.0007')))).toContain('M15 alice');
    expect(told(await played(market({ dies: null }), paying(null)))).toContain('M15 alice');
    const unwatched = { ...market({ dies: null }), swaps: SWAPS.map((swap) => ({ ...swap, useWatchers: false })) };
    expect(told(await played(unwatched))).toEqual([]);
    expect(told(await played(unwatched, paying('0.00049')))).toContain('M15 alice');
  });

  /** An adapter whose quotes tell no rewards, so that none is held before a payment is signed. */
  const careless: MarketOptions = {
    tamper: (_, chain) => ({
      ...chain,
      quote: async () => {
        const answer = await chain.quote();
        if (!answer.ok) return answer;
        const { reward: __, ...value } = answer.value;
        return { ok: true, value };
      },
    }),
  };

  it('notices a reward that is not held beside the payment (M11)', async () => {
    const looked = market({ dies: null });
    const often = { looksEvery: 7, mistakes: [], allowances: [] };
    const watched = { ...looked, parties: looked.parties.map((party) => ({ ...party, user: often })) };
    expect((await runMarketScenario(watched)).violations).toEqual([]);
    const { violations } = await runMarketScenario(watched, careless);
    expect(violations.map(({ rule }) => rule)).toContain('M11');
  });
});
