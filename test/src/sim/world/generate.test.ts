import { describe, expect, it } from 'vitest';
import { boundedScenario } from '../../../../src/sim/world/bounded.ts';
import { generateScenario } from '../../../../src/sim/world/generate.ts';
import { runScenario } from '../../../../src/sim/world/run-scenario.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';
import { draws } from '../../../support/draws.ts';

const SEEDS = Array.from({ length: 600 }, (_, seed) => seed);
const drawn: readonly Scenario[] = SEEDS.map((seed) => generateScenario(seed));

/** Out of all scenarios, the share for which something holds. */
function share(holds: (scenario: Scenario) => boolean): number {
  return drawn.filter(holds).length / drawn.length;
}

describe('drawn scenarios', () => {
  it('have nothing in common on both legs except by chance', () => {
    const differ = (of: (chain: Scenario['chains']['maker']) => unknown) =>
      share(({ chains }) => of(chains.maker) !== of(chains.taker));
    expect(differ(({ kind }) => kind)).toBeGreaterThan(0.5);
    expect(differ(({ blockTime }) => blockTime)).toBeGreaterThan(0.5);
    expect(differ(({ finality }) => finality)).toBeGreaterThan(0.5);
    expect(differ(({ decimals }) => decimals)).toBeGreaterThan(0.3);
    expect(differ(({ pace }) => pace)).toBeGreaterThan(0.9);
    expect(differ(({ startHeight }) => startHeight)).toBeGreaterThan(0.9);
    expect(share(({ confirmations }) => confirmations.maker !== confirmations.taker)).toBeGreaterThan(0.5);
    expect(share(({ requiresNota }) => requiresNota.maker !== requiresNota.taker)).toBeGreaterThan(0.1);
    expect(share(({ parties }) => parties.maker.keyPerSwap !== parties.taker.keyPerSwap)).toBeGreaterThan(0.3);
  });

  it('have amounts with all the digits of their chain', () => {
    const digits = (amount: string) => amount.split('.')[1]?.length ?? 0;
    expect(share(({ makerAmount, chains }) => digits(makerAmount) === chains.maker.decimals)).toBeGreaterThan(0.5);
    expect(share(({ takerAmount }) => digits(takerAmount) === 18)).toBeGreaterThan(0.05);
  });

  it('have clocks that jump, poor wallets, silent feeds, orders, partitions and timings of their own', () => {
    const some = (holds: (party: Scenario['parties']['maker']) => boolean) =>
      share(({ parties }) => holds(parties.maker) || holds(parties.taker));
    expect(some(({ jumps }) => jumps.length > 0)).toBeGreaterThan(0.1);
    expect(some(({ funds, conduct }) => funds.maker !== null && conduct.kind === 'honest')).toBeGreaterThan(0.1);
    expect(some(({ pushes }) => !pushes.maker || !pushes.taker)).toBeGreaterThan(0.15);
    expect(some(({ orders }) => orders.length > 0)).toBeGreaterThan(0.15);
    expect(some(({ timing }) => timing !== null)).toBeGreaterThan(0.3);
    expect(some(({ finality }) => finality.taker !== null)).toBeGreaterThan(0.1);
    expect(share(({ network }) => network.partitions.length > 0)).toBeGreaterThan(0.1);
  });

  it('leave out whole classes of faults, so that the others meet', () => {
    const crashes = ({ parties }: Scenario) => parties.maker.crashes.length > 0 && parties.taker.crashes.length > 0;
    const reorgs = ({ chainEvents }: Scenario) => chainEvents.filter(({ kind }) => kind === 'reorg').length > 1;
    expect(share((scenario) => crashes(scenario) && reorgs(scenario))).toBeGreaterThan(0.01);
    expect(
      share(({ parties, chainEvents }) => parties.maker.crashes.length === 0 && chainEvents.length === 0),
    ).toBeGreaterThan(0.2);
  });

  it('are bounded in more than half of the cases: nothing in them can excuse anything', () => {
    expect(share((scenario) => JSON.stringify(boundedScenario(scenario)) === JSON.stringify(scenario))).toBeGreaterThan(
      0.5,
    );
  });

  it('give no party an excuse if they are bounded', () => {
    for (const seed of SEEDS.slice(0, draws({ sample: 30, change: 75, release: 150 }))) {
      const bounded = generateScenario(seed, { excuses: false });
      const { endings, violations } = runScenario(bounded);
      const held = endings.filter(
        ({ party, broken }) => bounded.parties[party].conduct.kind === 'honest' && broken.length > 0,
      );
      expect({ seed, held, violations }).toEqual({ seed, held: [], violations: [] });
    }
  });
});
