import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import { advance, runWorld } from '../../../../src/sim/world/advance.ts';
import { conductOf, crashAt, faultyNetwork, type ScenarioChange, scenario } from '../../../../src/sim/world/build.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { type Behaviour, SOUND } from '../../../../src/sim/world/node.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';
import { type Conduct, EPOCH, type Scenario } from '../../../../src/sim/world/scenario.ts';
import { createWorld } from '../../../../src/sim/world/world.ts';
import { plantedBugs } from '../../../support/planted-bugs.ts';
import { plantedLegBugs } from '../../../support/planted-leg-bugs.ts';

const conf = (maker: number, taker: number) => ({ confirmations: { maker, taker } });

function ended(planned: Scenario) {
  const world = createWorld(planned);
  runWorld(world);
  const { violations, endings, unfired } = runScenario(planned);
  const money = Object.fromEntries(endings.map((ending) => [ending.party, ending.money]));
  return { world, money, violations, unfired };
}

const PINNED_CLAIM: Conduct = { kind: 'pin', what: 'claim', children: 24, seconds: 9000 };

describe('a party with friends who mine', () => {
  it('leaves its claim in the mempool under a heap of children: the taker reads the secret there and claims', () => {
    const { world, money, violations, unfired } = ended(scenario(conductOf('maker', PINNED_CLAIM)));
    expect({ money, violations, unfired }).toEqual({
      money: { maker: 'swapped', taker: 'swapped' },
      violations: [],
      unfired: [],
    });
    const heap = world.chains.taker.ledger.transactions('maker').filter(({ purpose }) => purpose === 'void');
    // As often as the claim was replaced by one that pays for all that leaves with it.
    expect([heap.length % 24, heap.length > 0]).toEqual([0, true]);
  });

  it.each([
    [0, { ok: true }],
    [24, { ok: false, fault: { kind: 'feeTooLow' } }],
  ])('what waits under %i children is replaced by a transaction that pays for all of them', (children, expected) => {
    const pinned = conductOf('taker', { kind: 'pin', what: 'payment', children, seconds: 60_000 });
    const world = createWorld(scenario(pinned));
    const { ledger, submit } = world.chains.taker;
    const payment = () => ledger.transactions('taker').find(({ purpose }) => purpose === 'payment');
    while (payment() === undefined && advance(world));
    const { hex = '', hash = '' } = payment() ?? {};
    const target = { tx_hex: hex, tx_hash: hash };
    const made = world.nodes.taker.wallets.taker.prepare({ purpose: 'void', target, urgency: 1 });
    expect(submit(made.ok ? made.value.tx_hex : '')).toMatchObject(expected);
  });

  it('removes its payment from the mempool: the other side pays nothing, or refunds its own', () => {
    const maker = ended(scenario(conf(2, 1), conductOf('maker', { kind: 'replace', after: 2 })));
    expect([maker.money, maker.violations, maker.unfired]).toEqual([
      { maker: 'untouched', taker: 'untouched' },
      [],
      [],
    ]);
    const taker = ended(scenario(conf(1, 2), conductOf('taker', { kind: 'replace', after: 2 })));
    expect([taker.money, taker.violations, taker.unfired]).toEqual([{ maker: 'refunded', taker: 'untouched' }, [], []]);
  });

  it.each(['maker', 'taker'] as const)('mines a branch in which the coins of the %s went back', (party) => {
    const shallow = ended(scenario(conf(3, 4), conductOf(party, { kind: 'rewrite', depth: 2 })));
    expect([shallow.violations, shallow.unfired, shallow.world.reorgs]).toEqual([
      [],
      [],
      [{ chain: party, depth: 2, at: expect.any(Number) }],
    ]);
    const other = party === 'maker' ? 'taker' : 'maker';
    expect(shallow.money[other]).toBe(party === 'maker' ? 'untouched' : 'refunded');
    const paid = shallow.world.chains[party].ledger.transactions(party).filter(({ purpose }) => purpose === 'payment');
    expect(paid.every(({ status }) => status === 'gone')).toBe(true);
  });

  it('goes as deep as the depth that the other side waits for, and is the reason of its loss', () => {
    const { endings, violations } = runScenario(
      scenario(conf(1, 3), conductOf('maker', { kind: 'rewrite', depth: 2 })),
    );
    expect(violations).toEqual([]);
    for (const { party, broken } of endings) if (party === 'taker') expect(broken).toEqual(['depth']);
  });

  it('races for its payment when the lock has passed, also after its own end', () => {
    const away = crashAt('taker', { at: 26, when: 'after', downFor: 17_000 });
    const free = ended(scenario(conductOf('maker', { kind: 'race' })));
    expect([free.money, free.violations]).toEqual([{ maker: 'swapped', taker: 'swapped' }, []]);
    const gone = conductOf('taker', { kind: 'vanish', after: 'TakerPaymentSent', backAfter: 20_000 });
    const won = ended(scenario(gone, conductOf('maker', { kind: 'race' })));
    expect([won.money, won.violations, won.unfired]).toEqual([{ maker: 'gained', taker: 'lost' }, [], []]);
    expect(ended(scenario(away, conductOf('maker', { kind: 'race' }))).violations).toEqual([]);
  });

  it.each([60, 0, -240])('claims %i s before the lock ends: the taker gets what it swapped for', (margin) => {
    const { money, violations, unfired } = ended(scenario(conductOf('maker', { kind: 'lastSecond', margin })));
    expect([money['taker'], violations, unfired]).toEqual(['swapped', [], []]);
  });

  it('names the fee of a taker to its watcher first, and blocks no watch', () => {
    const watching = { useWatchers: true, watcher: { crashes: [], nodes: { maker: [], taker: [] } } };
    const away = crashAt('taker', { at: 28, when: 'after', downFor: 50_000 });
    const { world, money, violations, unfired } = ended(
      scenario(watching, away, conductOf('maker', { kind: 'frontRun' })),
    );
    expect(world.watcher?.watches.size).toBe(2);
    expect([money['taker'], violations, unfired]).toEqual(['swapped', [], []]);
  });
});

describe('miners who write other times than those of the world', () => {
  const waiting = conductOf('maker', { kind: 'vanish', after: 'MakerPaymentSent', backAfter: null });
  const refunded = (seconds: number) => {
    const warp = faultyNetwork('taker', { kind: 'warp', seconds, from: 0, until: 12_000 });
    const { world, money, violations, unfired } = ended(scenario(waiting, warp));
    expect([money['taker'], violations, unfired]).toEqual(['refunded', [], []]);
    return world.now / 1000 - EPOCH;
  };

  it('let a lock end hours before its time, or after it', () => {
    expect(refunded(7200)).toBeLessThan(5000);
    expect(refunded(-7200)).toBeGreaterThan(12_000);
  });
});

/** An engine that looks at what blocks hold alone. */
const blocksAlone: Behaviour = reading((view) => (view.spend?.confirmations === 0 ? { ...view, spend: null } : view));

function reading(change: (view: PaymentView) => PaymentView): Behaviour {
  return {
    ...SOUND,
    answer: (question, result, node) => {
      if (question.op !== 'payment' || !result.ok || node.name !== 'taker') return SOUND.answer(question, result, node);
      return { ok: true, value: change(result.value as PaymentView) };
    },
  };
}

describe('an engine with a bug', () => {
  const bug = (name: string): Behaviour => {
    const found = plantedBugs[name] ?? plantedLegBugs[name];
    if (found === undefined) throw new RangeError(`no bug ${name}`);
    return found.plant(SOUND);
  };
  const waiting = conductOf('maker', { kind: 'vanish', after: 'MakerPaymentSent', backAfter: null });
  const FOUND: readonly (readonly [
    string,
    'maker' | 'taker',
    Behaviour,
    readonly (ScenarioChange | Partial<Scenario>)[],
    ScenarioChange,
  ])[] = [
    ['pinned claim', 'taker', blocksAlone, [], conductOf('maker', PINNED_CLAIM)],
    [
      'pinned payment',
      'maker',
      bug('refundFinalTooEarly'),
      [],
      conductOf('taker', { kind: 'pin', what: 'payment', children: 24, seconds: 9000 }),
    ],
    [
      'replaced payment',
      'maker',
      bug('clockOfTheOtherChain'),
      [conf(2, 1)],
      conductOf('taker', { kind: 'replace', after: 2 }),
    ],
    ['branch', 'maker', bug('wallClock'), [conf(2, 3)], conductOf('taker', { kind: 'rewrite', depth: 2 })],
    [
      'claim in the last second',
      'taker',
      bug('wallClock'),
      [],
      conductOf('maker', { kind: 'lastSecond', margin: -240 }),
    ],
    [
      'warp',
      'taker',
      bug('clockOfTheOtherChain'),
      [waiting],
      faultyNetwork('taker', { kind: 'warp', seconds: -7200, from: 0, until: 12_000 }),
    ],
  ];

  it.each(FOUND)('is found by a %s, and not without', (_, party, behaviour, base, scheme) => {
    const rules = (...changes: readonly (ScenarioChange | Partial<Scenario>)[]) =>
      runScenario(scenario(...changes), { behaviours: { [party]: behaviour } }).violations;
    expect(rules(...base)).toEqual([]);
    expect(rules(...base, scheme)).not.toEqual([]);
  });
});

it('drawn scenarios have every scheme', () => {
  const kinds = new Set<string>();
  for (let seed = 0; seed < 1500; seed += 1) {
    const { parties, chains } = generateScenario(seed);
    for (const { conduct } of [parties.maker, parties.taker]) kinds.add(conduct.kind);
    for (const { faults } of [chains.maker, chains.taker]) for (const { kind } of faults) kinds.add(kind);
  }
  for (const kind of ['pin', 'replace', 'rewrite', 'race', 'lastSecond', 'frontRun', 'warp'])
    expect(kinds).toContain(kind);
});
