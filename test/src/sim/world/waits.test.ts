import { describe, expect, it } from 'vitest';
import { conductOf, crashAt, faultyNode, type ScenarioChange, scenario } from '../../../../src/sim/world/build.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';

const always = { from: 0, until: 60_000 };

function ended(...changes: readonly (ScenarioChange | Partial<Scenario>)[]) {
  const { endings, violations, unfired, faults, timeline } = runScenario(scenario(...changes));
  return { money: endings.map(({ money }) => money), violations, unfired, faults, timeline };
}

describe('a node whose answers take seconds', () => {
  const slow = (party: 'maker' | 'taker', seconds: number) =>
    (['maker', 'taker'] as const).map((chain) => faultyNode(party, { chain, kind: 'slow', seconds, ...always }));

  it.each([
    [4, 7],
    [14, 11],
  ])('is waited for, also longer than a look is fresh: %i s and %i s', (maker, taker) => {
    const quick = ended();
    const late = ended(...slow('maker', maker), ...slow('taker', taker));
    expect([late.money, late.violations, late.unfired]).toEqual([['swapped', 'swapped'], [], []]);
    expect(late.faults).toContain('slow');
    expect(late.timeline.at(-1)?.at).toBeGreaterThan(quick.timeline.at(-1)?.at ?? 0);
  });

  it('reports nothing to a process that has died since', () => {
    for (let at = 2; at < 26; at += 3) {
      const crash = crashAt('taker', { at, when: at % 2 === 0 ? 'before' : 'after', downFor: 5 });
      const { money, violations } = ended(...slow('taker', 9), crash);
      expect([at, money, violations]).toEqual([at, ['swapped', 'swapped'], []]);
    }
  });
});

describe('an adapter that has read little', () => {
  const shallow = faultyNode('maker', { chain: 'taker', kind: 'shallow', blocks: 1, from: 0, until: 9000 });
  const deaf = conductOf('taker', { kind: 'vanish', after: 'TakerPaymentSent', backAfter: 12_000 });

  it('says that it does not know, and no swap ends by that', () => {
    const { money, violations, faults } = ended({ confirmations: { maker: 1, taker: 3 } }, shallow, deaf);
    expect(violations).toEqual([]);
    expect(faults).toContain('shallow');
    expect(money).not.toContain('lost');
  });
});

it('drawn scenarios have slow nodes and shallow adapters, on one leg or both', () => {
  const found = new Set<string>();
  for (let seed = 0; seed < 400; seed += 1) {
    const { parties } = generateScenario(seed);
    for (const { nodes } of [parties.maker, parties.taker])
      for (const { kind } of [...nodes.maker, ...nodes.taker]) found.add(kind);
  }
  expect(found).toContain('slow');
  expect(found).toContain('shallow');
});
