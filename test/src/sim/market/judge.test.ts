import { describe, expect, it } from 'vitest';
import { type DecimalText, toBigNumber } from '../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import type { RuntimeChain } from '../../../../src/runtime/loop/gate.ts';
import { excusesOf, withoutExcuses } from '../../../../src/sim/market/excuses.ts';
import { judgeMarket } from '../../../../src/sim/market/judge.ts';
import { createMarket } from '../../../../src/sim/market/market.ts';
import type { Tamper } from '../../../../src/sim/market/process.ts';
import type { MarketRule } from '../../../../src/sim/market/rules.ts';
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
import { EPOCH } from '../../../../src/sim/world/scenario.ts';

const funds = (doc: string, marty: string): MarketParty['funds'] => ({
  DOC: { amount: doc as DecimalText, coins: 6 },
  MARTY: { amount: marty as DecimalText, coins: 6 },
});

const one = (changes: Partial<Market> = {}): Market =>
  calmMarket({
    parties: [calmParty('alice', funds('30', '30')), calmParty('bob', funds('30', '30'))],
    swaps: [calmSwap({ maker: 'alice', taker: 'bob' })],
    ...changes,
  });

async function broken(market: Market, tamper: Tamper): Promise<readonly MarketRule[]> {
  const { violations } = await runMarketScenario(market, { tamper });
  return [...new Set(violations.map(({ rule }) => rule))].sort();
}

const bob =
  (change: (chain: RuntimeChain) => Partial<RuntimeChain>): Tamper =>
  (party, chain) =>
    party.name === 'bob' ? { ...chain, ...change(chain) } : chain;

describe('the judge of a market notices', () => {
  it('coins that come for less than what was given (M1), and a log that says otherwise (M5)', async () => {
    // The taker's adapter finds any payment good; the maker pays a hundredth less.
    const blind = bob((chain) => ({
      payment: (query) => {
        const amount = toBigNumber(query.terms.amount).minus('0.00000001').toFixed() as DecimalText;
        return chain.payment({ ...query, terms: { ...query.terms, amount } });
      },
      prepare: (request, ...rest) => {
        if (request.purpose !== 'claim') return chain.prepare(request, ...rest);
        const amount = toBigNumber(request.terms.amount).minus('0.00000001').toFixed() as DecimalText;
        return chain.prepare({ ...request, terms: { ...request.terms, amount } }, ...rest);
      },
    }));
    const [alice, honest] = one().parties as readonly [MarketParty, MarketParty];
    const cheat = { ...alice, conduct: { kind: 'nearly', member: 'amount', by: 1 } } as const;
    const onDoc: Tamper = (party, chain) => (chain.traits.coin === 'DOC' ? blind(party, chain) : chain);
    expect(await broken(one({ parties: [cheat, honest] }), onDoc)).toEqual(['M1', 'M5']);
    expect(await broken(one({ parties: [cheat, honest] }), (_, chain) => chain)).toEqual([]);
  });

  it('a payment that is never refunded (M2, M7)', async () => {
    const gone = { kind: 'deserter', after: 'TakerPaymentReceived' } as const;
    const [alice, honest] = one().parties as readonly [MarketParty, MarketParty];
    const lazy = bob((chain) => ({
      payment: async (query) => {
        const answer = await chain.payment(query);
        return answer.ok ? { ok: true, value: { ...answer.value, refundable: false } } : answer;
      },
    }));
    const market = one({ parties: [{ ...alice, conduct: gone }, honest] });
    expect(await broken(market, lazy)).toEqual(['M2', 'M7']);
    expect(await broken(market, (_, chain) => chain)).toEqual([]);
  });

  it('a second payment and what the log does not hold (M3, M6)', async () => {
    const twice = bob((chain) => ({
      broadcast: async (transaction) => {
        const answer = await chain.broadcast(transaction);
        return answer;
      },
      prepare: async (request, ...rest) => {
        const made = await chain.prepare(request, ...rest);
        if (request.purpose !== 'payment') return made;
        const again = await chain.prepare(request, ...rest);
        if (again.ok) await chain.broadcast(again.value);
        return made;
      },
    }));
    expect(await broken(one(), twice)).toEqual(expect.arrayContaining(['M3', 'M6']));
  });

  it('one fee for two swaps (M4)', async () => {
    const swaps = [
      calmSwap({ maker: 'alice', taker: 'bob' }),
      calmSwap({
        maker: 'alice',
        taker: 'bob',
        makerAmount: '0.70000033' as DecimalText,
        takerAmount: '1.00000091' as DecimalText,
        at: 3,
      }),
    ];
    const world = createMarket(one({ swaps }));
    await runMarket(world);
    expect(judgeMarket(world).violations).toEqual([]);
    const log = world.processes[1]?.log;
    const [first, second] = log?.find({}).map(({ stream }) => stream) ?? [];
    if (log === undefined || first === undefined || second === undefined) throw new TypeError('two swaps');
    const fee = log.read(first).find(({ type }) => type === 'TakerFeeSent');
    const last = log.read(second).at(-1);
    if (fee === undefined || last === undefined) throw new TypeError('a fee');
    const { type, version, data } = fee;
    log.append({ stream: second, expected: last.seq + 1, records: [{ at: last.at, type, version, data }] });
    expect(judgeMarket(world).violations.map(({ rule, party }) => `${rule} ${party}`)).toEqual(['M4 bob']);
  });

  const during = { from: 1700 as UnixSeconds, until: 9000 as UnixSeconds };
  const behind = [{ kind: 'lag', blocks: 20, seconds: 3000, ...during }] as const;
  const silent = [{ kind: 'outage', ...during }] as const;
  const withNodes = (name: string, nodes: MarketParty['nodes']) =>
    one({ parties: one().parties.map((party) => (party.name === name ? { ...party, nodes } : party)) });

  it('coins that stay promised to nobody (M9), even if the node does not mention them at the end', async () => {
    const leaky = bob((chain) => ({
      prepare: async (request, ...rest) => {
        if (request.purpose === 'fee') await chain.prepare(request, ...rest);
        return chain.prepare(request, ...rest);
      },
    }));
    expect(await broken(one(), leaky)).toContain('M9');
    const { violations, excused } = await runMarketScenario(withNodes('bob', { MARTY: silent }), { tamper: leaky });
    expect([...violations, ...excused].map(({ rule }) => rule)).toContain('M9');
  });

  it('no coins that a node does not show which is behind at the end (M9)', async () => {
    for (const nodes of [{ MARTY: behind }, { MARTY: behind, DOC: silent }]) {
      const { violations, excused } = await runMarketScenario(withNodes('alice', nodes));
      expect([...violations, ...excused]).toEqual([]);
    }
  });

  /** Bob pays twice on a chain with an account, to makers that are gone then: he has to take both payments back. */
  const deserted = (marty: string): Market => {
    const account = { ...calmCoin('MARTY', { blockTime: 90, finality: 4 }), kind: 'account' } as const;
    const gone = { kind: 'deserter', after: 'TakerPaymentReceived' } as const;
    return calmMarket({
      coins: [calmCoin('DOC', { finality: 2 }), account],
      parties: [{ ...calmParty('alice', funds('30', '30')), conduct: gone }, calmParty('bob', funds('30', marty))],
      swaps: [
        calmSwap({ maker: 'alice', taker: 'bob' }),
        calmSwap({ maker: 'alice', taker: 'bob', takerAmount: '4.00000077' as DecimalText, at: 3000 }),
      ],
    });
  };
  /** An adapter that tells nobody what taking a payment back costs, so that nothing of it is held. */
  const careless = bob((chain) => ({
    traits: { ...chain.traits, refundFeeFrom: 'payment' },
    prepare: async (request, ...rest) => {
      const answer = await chain.prepare(request, ...rest);
      if (!answer.ok) return answer;
      const { refundFee: _, ...made } = answer.value;
      return { ok: true, value: made };
    },
  }));

  it('that nothing is held for taking a payment back which the account would have to pay for (M11)', async () => {
    for (const marty of ['30', '7.0144']) {
      expect(await broken(deserted(marty), careless)).toEqual(['M11']);
      expect(await broken(deserted(marty), (_, chain) => chain)).toEqual([]);
    }
  });

  it('a calm market without a swap (M10)', async () => {
    const deaf = bob((chain) => ({
      quote: () => ({ ok: false, fault: { kind: 'unavailable', message: chain.traits.coin } }),
    }));
    expect(await broken(one(), deaf)).toEqual(['M10']);
  });

  it('nothing if a swap failed because one side, or the other, was too poor for it', async () => {
    const poor = (name: string) =>
      one({
        parties: ['alice', 'bob'].map((other) =>
          calmParty(other, other === name ? funds('1.4', '2.9') : funds('30', '30')),
        ),
      });
    for (const name of ['alice', 'bob']) {
      const { violations, endings } = await runMarketScenario(poor(name));
      expect(violations).toEqual([]);
      expect(endings.map(({ own }) => own)).toEqual(['none', 'none']);
    }
  });
});

describe('an excuse', () => {
  const lying = (until: number): Market => {
    const [alice, honest] = one().parties as readonly [MarketParty, MarketParty];
    const outage = { kind: 'outage', from: 0 as UnixSeconds, until: until as UnixSeconds } as const;
    return one({ parties: [alice, { ...honest, nodes: { MARTY: [outage] } }] });
  };
  const excuses = async (market: Market) => {
    const world = createMarket(market);
    await runMarket(world);
    return world.processes.map((process) => excusesOf({ world, process }));
  };

  it('has a time: an outage counts once the deadline of a claim is near, and for the party whose node it is', async () => {
    expect(await excuses(lying(6000))).toEqual([[], []]);
    expect(await excuses(lying(6400))).toEqual([[], ['ownNode']]);
  });

  it('is never a fee that rises', async () => {
    const [doc, marty] = one().coins;
    const spike = { kind: 'feeSpike', factor: 4, from: 0 as UnixSeconds, until: 40_000 as UnixSeconds } as const;
    if (doc === undefined || marty === undefined) throw new TypeError('two coins');
    expect(await excuses(one({ coins: [doc, { ...marty, faults: [spike] }] }))).toEqual([[], []]);
  });

  it('is a fee that rises after a claim if nothing that waits can be replaced, and only then', async () => {
    const [doc, marty] = one().coins;
    if (doc === undefined || marty === undefined) throw new TypeError('two coins');
    const stuck = (kind: 'autoRefund' | 'account', from: number, until: number): Market => {
      const spike = { kind: 'feeSpike', factor: 5, from: from as UnixSeconds, until: until as UnixSeconds } as const;
      return one({
        coins: [doc, { ...marty, kind, feeRate: 1, faults: [spike] }],
        swaps: [calmSwap({ maker: 'alice', taker: 'bob' })],
      });
    };
    const world = createMarket(stuck('autoRefund', 90_000, 90_001));
    await runMarket(world);
    const sent = world.chains
      .get('MARTY')
      ?.ledger.transactions('alice')
      .find(({ purpose }) => purpose === 'claim');
    const from = (sent?.firstSeen ?? 0) - EPOCH + 1;
    const lost = await runMarketScenario(stuck('autoRefund', from, 8000));
    expect([lost.violations, lost.excused.map(({ rule, excuses }) => ({ rule, excuses }))]).toEqual([
      [],
      [{ rule: 'M1', excuses: ['inclusion'] }],
    ]);
    for (const market of [stuck('account', from, 8000), stuck('autoRefund', from, 6200)]) {
      expect(await excuses(market)).toEqual([[], []]);
      expect((await runMarketScenario(market)).violations).toEqual([]);
    }
  });

  it('is removed alone: the rest of a run stays as it was', () => {
    const market = lying(9000);
    const bare = withoutExcuses(market, 'bob', ['ownNode']);
    expect(bare).toEqual({ ...market, parties: [market.parties[0], { ...market.parties[1], nodes: {}, latency: {} }] });
    expect(withoutExcuses(market, 'alice', ['ownNode']).parties[1]).toEqual(market.parties[1]);
  });
});
