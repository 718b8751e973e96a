import { describe, expect, it } from 'vitest';
import { hasFired } from '../../../../src/sim/chains/faults.ts';
import {
  clockAhead,
  conductOf,
  crashAt,
  dropMempoolAt,
  faultyNetwork,
  faultyNode,
  outage,
  reorgAt,
  type ScenarioChange,
  scenario,
  storageFaultAt,
} from '../../../../src/sim/world/build.ts';
import { isCalm } from '../../../../src/sim/world/calm.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { SOUND } from '../../../../src/sim/world/node.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';
import { type FaultName, runScenario, simulate } from '../../../../src/sim/world/simulate.ts';
import { draws } from '../../../support/draws.ts';

const late = { from: 900_000, until: 900_001 };
const early = { from: 0, until: 3000 };

/** The same fault where it bites and where it cannot. */
const PAIRS: readonly (readonly [string, ScenarioChange, ScenarioChange, string])[] = [
  [
    'a crash',
    crashAt('taker', { at: 9, when: 'after', downFor: 5 }),
    crashAt('taker', { at: 9999, when: 'after', downFor: 5 }),
    'parties.taker.crashes[0] (after command 9999) never happened: it began',
  ],
  [
    'a storage fault',
    storageFaultAt('maker', { at: 5, how: 'lost' }),
    storageFaultAt('maker', { at: 4, how: 'lost' }),
    'parties.maker.storage[0] (at command 4) never happened: which was no append',
  ],
  [
    'a reorg',
    reorgAt('maker', { at: 400, depth: 9 }),
    reorgAt('maker', { at: 999_999, depth: 2 }),
    'chainEvents[0] (reorg of the maker chain',
  ],
  [
    'a reorg of empty blocks',
    reorgAt('maker', { at: 400, depth: 9 }),
    reorgAt('maker', { at: 1, depth: 1 }),
    'it replaced no block',
  ],
  ['a forgotten mempool', dropMempoolAt('taker', 20), dropMempoolAt('taker', 1), 'nothing waited for a block'],
  [
    'an outage',
    outage('taker', { chain: 'maker', ...early }),
    outage('taker', { chain: 'maker', ...late }),
    'parties.taker.nodes.maker[0] (outage',
  ],
  [
    'a lie',
    faultyNode('taker', { chain: 'maker', kind: 'lie', says: 'absent', ...early }),
    faultyNode('taker', { chain: 'maker', kind: 'lie', says: 'absent', ...late }),
    'parties.taker.nodes.maker[0] (lie',
  ],
  [
    'a censor',
    faultyNetwork('maker', { kind: 'censor', purposes: ['payment'], ...early }),
    faultyNetwork('maker', { kind: 'censor', purposes: ['refund'], ...early }),
    'chains.maker.faults[0] (censor',
  ],
  [
    'a conduct',
    conductOf('maker', { kind: 'underpay' }),
    conductOf('maker', { kind: 'liar', about: 'takerFee' }),
    'parties.maker.conduct (liar)',
  ],
];

describe('a planned fault', () => {
  it.each(PAIRS)('is reported if it has no effect, and only then: %s', (_, effective, idle, text) => {
    expect(runScenario(scenario({ useWatchers: false }, effective)).unfired).toEqual([]);
    const { unfired, notices } = runScenario(scenario(idle));
    expect(unfired).toEqual([expect.stringContaining(text)]);
    expect(notices).toContainEqual(expect.stringContaining('1 of what was planned had no effect'));
  });

  it('is reported for lost and doubled messages', () => {
    const network = { latency: [0, 2], lossPerMille: 1, duplicatePerMille: 1, partitions: [] } as const;
    expect(runScenario(scenario({ network })).unfired).toEqual([
      'network.lossPerMille lost no message',
      'network.duplicatePerMille doubled no message',
    ]);
    expect(
      runScenario(scenario({ network: { ...network, lossPerMille: 400, duplicatePerMille: 400 } })).unfired,
    ).toEqual([]);
  });

  it('of one run says nothing about the next', () => {
    const fault = { kind: 'outage', ...early } as const;
    const once = runScenario(scenario(faultyNode('maker', { chain: 'taker', ...fault })));
    expect(once.unfired).toEqual([]);
    expect(hasFired(once.scenario.parties.maker.nodes.taker[0] as object)).toBe(false);
  });
});

/** What a scenario plans to happen, by the name of its fault; what holds from the first moment on is no such plan. */
function plansOf({ parties, chains, chainEvents, network, watcher }: Scenario): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const plan = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { crashes, storage, jumps, orders, nodes, conduct } of [parties.maker, parties.taker]) {
    for (const _ of crashes) plan('crash');
    for (const _ of storage) plan('storage');
    for (const _ of jumps) plan('jump');
    for (const { action } of orders) if (action === 'pause') plan('pause');
    for (const { kind } of [...nodes.maker, ...nodes.taker]) plan(kind);
    if (conduct.kind !== 'honest') plan(conduct.kind);
  }
  for (const { kind } of [...(watcher?.nodes.maker ?? []), ...(watcher?.nodes.taker ?? [])]) plan(kind);
  for (const { kind } of [...chains.maker.faults, ...chains.taker.faults, ...chainEvents]) plan(kind);
  for (const _ of network.partitions) plan('partition');
  if (network.lossPerMille > 0) plan('messageLoss');
  if (network.duplicatePerMille > 0) plan('messageDuplicate');
  return counts;
}

/** How the lists of what had no effect call a fault. */
const CALLED: Readonly<Record<string, RegExp>> = {
  crash: /parties.*crashes/,
  storage: /storage/,
  jump: /jumps/,
  pause: /orders.*\(pause/,
  partition: /partitions/,
  messageLoss: /lossPerMille/,
  messageDuplicate: /duplicatePerMille/,
};

const RUNS = draws({ sample: 30, change: 75, release: 150 });

describe('the faults of a result', () => {
  it('are those that took effect: each plan is either among them or in the list of those without effect', () => {
    let idle = 0;
    for (let seed = 0; seed < RUNS; seed += 1) {
      const { scenario: drawn, faults, unfired } = runScenario(generateScenario(seed));
      for (const [name, planned] of plansOf(drawn)) {
        const left = unfired.filter((text) => (CALLED[name] ?? new RegExp(`\\(${name}\\b`)).test(text)).length;
        expect({ seed, name, effective: faults.has(name as FaultName) }).toEqual({
          seed,
          name,
          effective: left < planned,
        });
        idle += left;
      }
    }
    expect(idle).toBeGreaterThan(RUNS / 4);
  });

  it('include messages that a partition kept back, jumps and orders only if they met somebody', () => {
    const cut = (from: number) => ({
      latency: [0, 2] as const,
      lossPerMille: 0,
      duplicatePerMille: 0,
      partitions: [{ to: 'taker' as const, from, until: from + 900 }],
    });
    const met = runScenario(scenario({ network: cut(0) }));
    expect([met.faults.has('partition'), met.unfired]).toEqual([true, []]);
    const idle = runScenario(scenario({ network: cut(40_000) }));
    expect([idle.faults.has('partition'), idle.unfired]).toEqual([
      false,
      ['network.partitions[0] (to the taker from 40000 s) kept no message back'],
    ]);
    const calm = scenario();
    const late = {
      ...calm.parties.maker,
      jumps: [{ at: 50_000, skew: 9 }],
      orders: [{ at: 50_000, action: 'pause' as const }],
    };
    const over = runScenario({ ...calm, parties: { ...calm.parties, maker: late } });
    expect([...over.faults]).toEqual(['messageDelay']);
    expect(over.unfired).toHaveLength(2);
  });
});

describe('a run in which nothing goes wrong', () => {
  it('is calm, and swaps', () => {
    const drawn = Array.from({ length: 800 }, (_, seed) => generateScenario(seed)).filter(isCalm);
    expect(drawn.length).toBeGreaterThan(80);
    expect(isCalm(scenario())).toBe(true);
    for (const calm of drawn.slice(0, draws({ sample: 10, change: 30, release: 60 }))) {
      expect(runScenario(calm).endings.map(({ money }) => money)).toEqual(['swapped', 'swapped']);
    }
  });

  it('breaks a rule when an engine never swaps', () => {
    const decide = () => ({ kind: 'wait', until: Number.MAX_SAFE_INTEGER as never }) as const;
    const { violations } = runScenario(scenario(), { behaviours: { taker: { ...SOUND, decide } } });
    expect(violations.map(({ rule, party }) => `${rule} ${party}`)).toEqual(
      expect.arrayContaining(['R13 maker', 'R13 taker']),
    );
  });

  it('is not calm if something is wrong, or the terms leave no time', () => {
    const plans = [
      ...PAIRS.map(([, change]) => scenario(change)),
      scenario(clockAhead('taker', 10_800)),
      scenario({ confirmations: { maker: 40, taker: 1 } }),
      scenario({ lockDuration: 600 }),
      scenario({ horizon: 500 }),
    ];
    expect(plans.filter(isCalm)).toEqual([]);
  });
});

describe('a result that shows nothing', () => {
  it('says that no party paid, and what was given up', () => {
    const { notices, violations } = runScenario(scenario(clockAhead('taker', 10_800)));
    expect(violations).toEqual([]);
    expect(notices).toEqual(['nobody paid anything: no rule about money was put to the test; given up: clock (taker)']);
    expect(runScenario(scenario()).notices).toEqual([]);
  });

  it('of many runs gives the shares of all endings, and says when no swap succeeded', () => {
    const report = simulate({ seed: 1, runs: draws({ sample: 40, change: 50, release: 100 }) });
    const shares = Object.values(report.shares).reduce((sum, share) => sum + share, 0);
    expect(shares).toBeCloseTo(1, 9);
    expect(report.shares.swapped).toBeGreaterThan(0.3);
    expect(report.calm).toBeGreaterThan(draws({ sample: 2, change: 5, release: 10 }));
    expect(report.notices).toEqual([]);
    const decide = () => ({ kind: 'wait', until: Number.MAX_SAFE_INTEGER as never }) as const;
    const idle = simulate({ seed: 1, runs: 20, run: { behaviours: { maker: { ...SOUND, decide } } } });
    expect(idle.notices).toEqual(['no honest party swapped: no rule about a claim was put to the test']);
    expect(simulate({ seed: 1, runs: 0 }).notices).toEqual(['nothing was run']);
  });
});
