import { describe, expect, it } from 'vitest';
import { crashAt, reorgAt, scenario } from '../../../../src/testing/world/build.ts';
import { calmScenario } from '../../../../src/testing/world/scenario.ts';
import { runScenario } from '../../../../src/testing/world/simulate.ts';

describe('the depth that a party waited for', () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => minute * 60);
  const given = (depth: number, kind: 'utxo' | 'account' | 'autoRefund' = 'utxo') => {
    const { chains } = calmScenario();
    const plan = { chains: { ...chains, maker: { ...chains.maker, kind } } };
    return minutes.map((at) => {
      const { endings, faults } = runScenario(scenario(plan, reorgAt('maker', { at, depth })));
      return { reorged: faults.has('reorg'), broken: endings.map(({ broken }) => broken.includes('depth')) };
    });
  };

  it('is given up where a reorg takes a transaction out of a block, for both, and not where the blocks were empty', () => {
    const runs = given(1);
    // A reorg counts as met where it took something out of a block.
    for (const { reorged, broken } of runs) expect(broken).toEqual([reorged, reorged]);
    const met = runs.filter(({ reorged }) => reorged).length;
    expect(met).toBeGreaterThan(0);
    expect(runs.length - met).toBeGreaterThan(met);
  });

  it('is given up more often by a deeper reorg', () => {
    const count = (depth: number) => given(depth).filter(({ broken }) => broken.includes(true)).length;
    expect(count(5)).toBeGreaterThan(count(1));
  });

  it('is always given up on a chain that may have ended a payment by itself', () => {
    const runs = given(1, 'autoRefund').filter(({ reorged }) => reorged);
    // The very first block of a chain cannot be replaced.
    expect(runs.filter(({ broken }) => !broken.includes(true)).length).toBeLessThan(5);
  });
});

it('a party that dies twice at one command was away as long as the plan by which it died says', () => {
  const away = (...downFor: readonly [before: number, after: number]) =>
    runScenario(
      scenario(
        crashAt('taker', { at: 36, when: 'after', downFor: downFor[1] }),
        crashAt('taker', { at: 36, when: 'before', downFor: downFor[0] }),
      ),
    ).endings[1]?.broken;
  expect(away(20_000, 60)).toContain('online');
  expect(away(60, 60)).toEqual([]);
});
