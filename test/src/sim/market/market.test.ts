import { describe, expect, it, vi } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { generateMarket } from '../../../../src/sim/market/generate.ts';
import { createMarket } from '../../../../src/sim/market/market.ts';
import { runMarket } from '../../../../src/sim/market/run.ts';
import {
  calmCoin,
  calmMarket,
  calmParty,
  calmSwap,
  type Market,
  type MarketParty,
} from '../../../../src/sim/market/scenario.ts';
import { runMarketScenario } from '../../../../src/sim/market/simulate.ts';
import { draws } from '../../../support/draws.ts';

const funds = (doc: string, marty: string): MarketParty['funds'] => ({
  DOC: { amount: doc as DecimalText, coins: 3 },
  MARTY: { amount: marty as DecimalText, coins: 4 },
});

async function bytesOf(market: Market): Promise<string> {
  const world = createMarket(market);
  await runMarket(world);
  return JSON.stringify(world.processes.map(({ log }) => log.find({}).map(({ stream }) => log.read(stream))));
}

const ends = async (market: Market) => {
  const { violations, endings } = await runMarketScenario(market);
  return { violations, own: endings.map(({ own }) => own) };
};

/** Between the moments at which processes die. */
const STEP = draws({ sample: 3, change: 1 });

describe('a market on the shipped runtime', () => {
  it('completes swaps in both directions between two nodes', async () => {
    expect(await ends(calmMarket())).toEqual({ violations: [], own: ['taken', 'taken', 'taken', 'taken'] });
  });

  it('ends in a suite that fakes its timers', async () => {
    vi.useFakeTimers();
    try {
      expect((await ends(calmMarket())).violations).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['account', 6, 'utxo', 8],
    ['utxo', 8, 'autoRefund', 18],
    ['autoRefund', 8, 'account', 18],
  ] as const)(
    'completes them between %s with %i decimals and %s with %i',
    async (maker, makerDigits, taker, takerDigits) => {
      const market = calmMarket({
        coins: [
          calmCoin('DOC', { kind: maker, decimals: makerDigits, finality: 2 }),
          calmCoin('MARTY', { kind: taker, decimals: takerDigits, finality: 1, blockTime: 45 }),
        ],
        swaps: [
          calmSwap({
            maker: 'alice',
            taker: 'bob',
            makerAmount: '1.500007' as DecimalText,
            takerAmount: '3.000041' as DecimalText,
          }),
        ],
      });
      expect(await ends(market)).toEqual({ violations: [], own: ['taken', 'taken'] });
    },
  );

  it('gives the same bytes for the same market, and others for another seed', async () => {
    const market = generateMarket(17);
    expect(await bytesOf(market)).toBe(await bytesOf(market));
    expect(await bytesOf(market)).not.toBe(await bytesOf({ ...market, seed: market.seed + 1 }));
  });

  it('continues after a process has died at any of its inputs and outputs', async () => {
    const party = (name: string, at: number, when: 'before' | 'after'): MarketParty =>
      calmParty(name, funds('20', '20'), { crashes: [{ at, when, downFor: 45 }] });
    for (let at = 1; at <= 40; at += STEP) {
      const when = at % 2 === 0 ? 'before' : 'after';
      const market = calmMarket({
        seed: at,
        parties: [party('alice', at, when), party('bob', 41 - at, when)],
        swaps: [calmSwap({ maker: 'alice', taker: 'bob' })],
      });
      const { violations, endings } = await runMarketScenario(market);
      expect(violations, `command ${at}`).toEqual([]);
      expect(new Set(endings.map(({ own }) => own)).size, `command ${at}`).toBe(1);
    }
  });

  it('lets no message through a partition', async () => {
    const market = calmMarket({ partitions: [{ from: 0, until: 400, group: ['alice'] }] });
    const { violations, endings } = await runMarketScenario(market);
    expect(violations).toEqual([]);
    expect(endings.map(({ own }) => own)).toEqual(['none', 'none', 'none', 'none']);
  });

  it('refunds a payment if the other side left', async () => {
    const market = calmMarket({
      parties: [
        calmParty('alice', funds('20', '20')),
        calmParty('bob', funds('20', '20'), { conduct: { kind: 'deserter', after: 'TakerFeeSent' } }),
      ],
      swaps: [calmSwap({ maker: 'alice', taker: 'bob' })],
    });
    const { violations, endings } = await runMarketScenario(market);
    expect(violations).toEqual([]);
    expect(endings).toEqual([{ party: 'alice', swap: 0, role: 'maker', own: 'back' }]);
  });
});

describe('a stranger that repeats the messages of one swap in another', () => {
  // Two swaps of the same maker with the same taker, the second begun while the first negotiates.
  const market = (after: number) =>
    calmMarket({
      parties: [
        calmParty('alice', funds('20', '20')),
        calmParty('bob', funds('20', '20')),
        calmParty('eve', {}, { conduct: { kind: 'repeater', after } }),
      ],
      swaps: [
        calmSwap({ maker: 'alice', taker: 'bob', at: 0 }),
        calmSwap({
          maker: 'alice',
          taker: 'bob',
          makerAmount: '1.70000011' as DecimalText,
          takerAmount: '2.90000023' as DecimalText,
          at: 6,
          takerLater: 3,
        }),
      ],
      network: { latency: [1, 1], lossPerMille: 0, duplicatePerMille: 0 },
    });

  it.each([0, 1, 2, 3, 5, 8, 13])('P3: ends none of them, after %i s', async (after) => {
    expect(await ends(market(after))).toEqual({ violations: [], own: ['taken', 'taken', 'taken', 'taken'] });
  });
});

describe('a host whose clock is wrong', () => {
  it('still wakes its runners when the clock is set back', async () => {
    const jumps = [{ at: 40, by: -5000 }];
    const market = calmMarket({
      parties: [calmParty('alice', funds('20', '20')), calmParty('bob', funds('20', '20'), { jumps })],
      swaps: [calmSwap({ maker: 'alice', taker: 'bob' })],
    });
    const { violations, endings } = await runMarketScenario(market);
    expect(violations).toEqual([]);
    expect(endings.map(({ own }) => own)).toEqual(['taken', 'taken']);
  });
});

describe('an operator whose order reaches no party', () => {
  const orders = [
    { at: 100, swap: 0, action: 'pause' },
    { at: 300, swap: 0, action: 'resume' },
  ] as const;
  const market = (changes: Partial<MarketParty>): Market =>
    calmMarket({
      parties: [calmParty('alice', funds('20', '20'), { orders, ...changes }), calmParty('bob', funds('20', '20'))],
      swaps: [calmSwap({ maker: 'bob', taker: 'alice', confirmations: { maker: 3, taker: 1 } })],
    });

  // Most die between the two orders, at least one in the moment in which it hears one.
  it.each([17, 18, 19, 20, 21, 24])(
    'asks again, so that no pause lasts for ever: dead after its %i. input or output',
    async (at) => {
      const dies = market({ crashes: [{ at, when: 'after', downFor: 400 }] });
      expect(await ends(dies)).toEqual({ violations: [], own: ['taken', 'taken'] });
    },
  );

  it.each(['lost', 'unanswered'] as const)('asks again a log whose answer is %s', async (how) => {
    for (const at of [17, 21, 24]) {
      expect(await ends(market({ storage: [{ at, how }] })), `at ${at}`).toEqual({
        violations: [],
        own: ['taken', 'taken'],
      });
    }
  });
});

describe('drawn markets', () => {
  const markets = Array.from({ length: 400 }, (_, seed) => generateMarket(seed));

  it('are as unlike as can be', () => {
    const unlike = (of: (market: Market) => readonly unknown[]) =>
      markets.filter((market) => new Set(of(market)).size > 1).length / markets.length;
    expect(unlike(({ coins }) => coins.map(({ finality }) => finality))).toBeGreaterThan(0.6);
    expect(unlike(({ coins }) => coins.map(({ blockTime }) => blockTime))).toBeGreaterThan(0.6);
    expect(unlike(({ coins }) => coins.map(({ decimals }) => decimals))).toBeGreaterThan(0.3);
    expect(
      unlike(({ swaps }) => swaps.flatMap(({ confirmations: { maker, taker } }) => [maker, taker])),
    ).toBeGreaterThan(0.6);
  });

  it('hold several swaps in half of the cases, and a party that cheats in half', () => {
    const share = (test: (market: Market) => boolean) => markets.filter(test).length / markets.length;
    expect(share(({ swaps }) => swaps.length > 1)).toBeGreaterThan(0.45);
    expect(share(({ parties }) => parties.some(({ conduct }) => conduct.kind !== 'honest'))).toBeGreaterThan(0.4);
  });

  it('name each swap by its own amount', () => {
    for (const { swaps } of markets) {
      const amounts = swaps.map(({ takerCoin, takerAmount }) => `${takerCoin} ${takerAmount}`);
      expect(new Set(amounts).size).toBe(amounts.length);
    }
  });
});
