import { describe, expect, it } from 'vitest';
import { drawRewards, paysWatchers } from '../../../../src/sim/world/draw-rewards.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { calmScenario, type Scenario } from '../../../../src/sim/world/scenario.ts';
import { shrinkScenario } from '../../../../src/sim/world/shrink.ts';
import { runScenario } from '../../../../src/sim/world/simulate.ts';
import { draws } from '../../../support/draws.ts';

const drawn = Array.from({ length: 900 }, (_, seed) => generateScenario(seed)).filter(paysWatchers);

describe('drawn rewards', () => {
  it('come with watchers of every kind', () => {
    const watchers = drawn.map(({ watcher }) => watcher);
    const count = (is: (watcher: NonNullable<Scenario['watcher']>) => unknown) =>
      watchers.filter((watcher) => watcher !== null && is(watcher)).length;
    expect(drawn.every(({ useWatchers }) => useWatchers)).toBe(true);
    expect(watchers.filter((watcher) => watcher === null).length).toBeGreaterThan(5);
    expect(count(({ late, absent, greedy }) => !late && !absent && !greedy)).toBeGreaterThan(5);
    expect(count(({ late }) => late)).toBeGreaterThan(5);
    expect(count(({ absent }) => absent)).toBeGreaterThan(2);
    expect(count(({ greedy }) => greedy)).toBeGreaterThan(10);
    expect(drawn.some(({ chains }) => chains.maker.rewards === true && chains.taker.rewards === true)).toBe(true);
    expect(drawn.some(({ chains }) => chains.maker.rewards !== true)).toBe(true);
    expect(drawn.some(({ chains }) => chains.taker.rewards !== true)).toBe(true);
  });

  it('leave the rest of a seed as it is, and scenarios without accounts completely', () => {
    const accounts = { ...calmScenario().chains.maker, kind: 'account' as const };
    for (let seed = 0; seed < 40; seed += 1) {
      const chains = { maker: accounts, taker: calmScenario().chains.taker };
      const scenario = calmScenario({ seed, chains });
      const {
        watcher: _,
        useWatchers: __,
        chains: changed,
        ...rest
      } = drawRewards(scenario, { trouble: 1, adversaries: true });
      expect({ ...rest, watcher: null, useWatchers: false, chains }).toEqual(scenario);
      expect(changed.taker).toEqual(chains.taker);
      expect(drawRewards(calmScenario({ seed }), { trouble: 1, adversaries: true })).toEqual(calmScenario({ seed }));
    }
  });

  it('break no rule', () => {
    for (const scenario of drawn.slice(0, draws({ sample: 15, change: 60 })))
      expect(runScenario(scenario).violations).toEqual([]);
  }, 60_000);

  it('are left out if a run shows the same without them', () => {
    const scenario = drawn.find(({ watcher, chains }) => watcher?.greedy === true && chains.maker.kind === 'account');
    if (scenario === undefined) throw new TypeError('none is drawn');
    const { watcher } = shrinkScenario(scenario, (candidate) => candidate.watcher !== null);
    expect(watcher).not.toHaveProperty('greedy');
    const { chains } = shrinkScenario(scenario, () => true);
    expect([chains.maker, chains.taker].map(({ kind, rewards }) => [kind, rewards])).toEqual([
      ['utxo', undefined],
      ['utxo', undefined],
    ]);
  });
});
