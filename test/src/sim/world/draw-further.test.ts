import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { changed, conductOf, crashAt, scenario } from '../../../../src/sim/world/build.ts';
import { finalDepthOf } from '../../../../src/sim/world/depths.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';

const drawn = Array.from({ length: 900 }, (_, seed) => generateScenario(seed));

function share(holds: (scenario: Scenario) => boolean): number {
  return drawn.filter(holds).length / drawn.length;
}

const step = (from: string, depth: number) => ({ from: from as DecimalText, depth });

describe('drawn scenarios', () => {
  it('have finality by amount, networks without replacement, and watchers with bad nodes', () => {
    expect(
      share(({ parties }) => [parties.maker, parties.taker].some(({ finality }) => Array.isArray(finality.maker))),
    ).toBeGreaterThan(0.1);
    const strict = ({ faults }: Scenario['chains']['maker']) => faults.some(({ kind }) => kind === 'noReplacement');
    expect(share(({ chains }) => strict(chains.maker) || strict(chains.taker))).toBeGreaterThan(0.05);
    const watched = drawn.filter(({ watcher }) => watcher !== null);
    const bad = watched.filter(
      ({ watcher }) => (watcher?.nodes.maker.length ?? 0) + (watcher?.nodes.taker.length ?? 0),
    );
    expect(bad.length / watched.length).toBeGreaterThan(0.1);
    const plain = watched.filter(({ watcher }) => watcher?.plain === true);
    expect(plain.length).toBeGreaterThan(0);
    expect(plain.every(({ fidelity }) => fidelity === 'real')).toBe(true);
  });

  it('step by amount below, at and above the swapped amount', () => {
    const depths = new Set<string>();
    for (const one of drawn) {
      const plan = one.parties.taker.finality.maker;
      if (!Array.isArray(plan)) continue;
      const depth = finalDepthOf(one, one.parties.taker, 'maker');
      depths.add(depth === one.chains.maker.finality ? 'the chain' : 'a step');
      expect(depth).not.toBe(undefined);
    }
    expect([...depths].sort()).toEqual(['a step', 'the chain']);
  });
});

describe('finality that steps by amount', () => {
  const calm = scenario({ makerAmount: '1.5' as DecimalText, takerAmount: '30' as DecimalText });

  it.each([
    [[step('1.5', 5), step('0.4', 2), step('1.50000001', 7)], 5],
    [[step('1.50000001', 7), step('0.4', 2)], 2],
    [[step('1.50000001', 7)], 3],
    [4, 4],
    [null, 3],
  ])('%j gives %i confirmations for 1.5', (plan, depth) => {
    const party = { ...calm.parties.taker, finality: { maker: plan, taker: 9 } };
    expect(finalDepthOf(calm, party, 'maker')).toBe(depth);
    const planned = { ...calm, parties: { ...calm.parties, taker: party } };
    const { violations, endings } = runScenario(planned);
    expect([violations, endings.map(({ money }) => money)]).toEqual([[], ['swapped', 'swapped']]);
  });
});

/** The taker's payment and its message to watchers are out. */
const AWAY_AT = 28;

describe('a watcher with bad nodes', () => {
  const away = crashAt('taker', { at: AWAY_AT, when: 'after', downFor: 50_000 });
  const watching = { useWatchers: true, watcher: { crashes: [], nodes: { maker: [], taker: [] } } };
  const watched = scenario(watching, away, conductOf('maker', { kind: 'greedy' }));

  it('acts if its nodes answer, and cannot if they do not', () => {
    const claimed = ({ endings }: ReturnType<typeof runScenario>) =>
      endings.find(({ party }) => party === 'taker')?.money;
    expect(claimed(runScenario(watched))).toBe('swapped');
    const dead = { kind: 'outage', from: 0, until: 60_000 } as const;
    const deaf = changed(watched, [{ watcher: { crashes: [], nodes: { maker: [dead as never], taker: [] } } }]);
    const result = runScenario(deaf);
    expect([claimed(result), result.violations, result.unfired]).toEqual(['lost', [], []]);
  });

  it('is a plan that is reported if it met nothing', () => {
    const late = { kind: 'lag', blocks: 3, from: 900_000, until: 900_001 } as never;
    const planned = changed(scenario(), [{ watcher: { crashes: [], nodes: { maker: [], taker: [late] } } }]);
    expect(runScenario(planned).unfired).toEqual([
      'watcher.nodes.taker[0] (lag from 900000 s to 900001 s) met nothing to act on',
    ]);
  });
});
