import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../machines/definition.ts';
import { type DecimalText, toBigNumber } from '../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { type SwapRunner, viewOf } from '../../src/runtime/swap/runner.ts';
import { during, momentOf, swapWith } from '../../src/sim/incidents/moments.ts';
import { type Behaviour, SOUND } from '../../src/sim/world/node.ts';
import { runOnce } from '../../src/sim/world/run-scenario.ts';
import { type ChainName, EPOCH } from '../../src/sim/world/scenario.ts';

/*
 * A party that takes the lock of its own payment for that of the payment which it claims. Where both locks are in seconds, the judge of drawn
 * swaps cannot see it: a maker's first claim is bound by 4/5 of the lock after its start as well, which is the same moment; and afterwards the
 * race only says from when on a claim may cost all that it brings. Here a claim waits in the mempool at more than the usual bound of a fee, so that
 * it is in time by the right lock alone.
 */

const AMOUNTS = { makerAmount: '0.002' as DecimalText, takerAmount: '0.001' as DecimalText };
const LOCK = { maker: 15_600, taker: 7800 };
const MARGIN = 1560;
const otherOf = (party: ChainName): ChainName => (party === 'maker' ? 'taker' : 'maker');

/** Sees the race against the lock of the own payment. */
const wrongLeg: Behaviour = {
  ...SOUND,
  decide(runner, now, node) {
    const view = viewOf(runner);
    const lock = view.ownTerms?.lock;
    if (view.race === null || lock === undefined) return SOUND.decide(runner, now, node);
    const { kind } = runner;
    const wants: typeof kind.definition.wants = (state, context, journal) =>
      kind.definition
        .wants(state, context, journal)
        .map((want) =>
          want.race === undefined ? want : { ...want, race: { ...want.race, lock: lock as UnixSeconds } },
        );
    const wrong = { ...view, race: { ...view.race, lock: lock as UnixSeconds } };
    const other = {
      ...runner,
      view: wrong,
      wanted: null,
      kind: { ...kind, definition: { ...kind.definition, wants } },
    };
    return SOUND.decide(other as SwapRunner<unknown, MachineEvent>, now, node);
  },
};

/** When the party first offers more than a tenth of what it claims, and when the claim that a block took went out; in seconds from the start. */
function claimed(party: ChainName, factor: number, behaviour: Behaviour) {
  const leg = otherOf(party);
  const calm = swapWith(3, { ...AMOUNTS, [leg]: { kind: 'utxo' } });
  const { at } = momentOf(calm, { party, broadcast: 'claim' });
  const faults = [during({ kind: 'feeSpike', factor } as const, at + 1, 20_000)];
  const chains = { ...calm.chains, [leg]: { ...calm.chains[leg], faults } };
  const { result, world } = runOnce({ ...calm, chains }, { behaviours: { [party]: behaviour } });
  const bound = toBigNumber(leg === 'maker' ? AMOUNTS.makerAmount : AMOUNTS.takerAmount).times(0.1);
  const { claim } = world.nodes[party].runner.journal.prepared;
  const dear = claim.find(({ tx }) => toBigNumber(tx.fee ?? ('0' as DecimalText)).gt(bound));
  const mined = world.chains[leg].ledger
    .transactions(party)
    .find(({ purpose, status }) => purpose === 'claim' && status === 'confirmed');
  return {
    dear: dear === undefined ? null : dear.preparedAt / 1000 - EPOCH,
    out: mined === undefined ? null : mined.firstSeen - EPOCH,
    violations: result.violations,
  };
}

describe('a claim that no block takes within the usual bound of its fee', () => {
  // Nodes ask for more than a tenth of what is claimed, and for less than all of it.
  it.each([
    ['maker', 30],
    ['maker', 60],
    ['taker', 60],
    ['taker', 100],
  ] as const)(
    'of a %s at %i times the price costs more from a fifth of the lock before the other side can refund, and is out by then',
    (party, factor) => {
      const lock = LOCK[otherOf(party)];
      const { dear, out, violations } = claimed(party, factor, SOUND);
      expect(violations).toEqual([]);
      expect(dear).toBeGreaterThanOrEqual(lock - MARGIN);
      expect(out).toBeGreaterThanOrEqual(lock - MARGIN);
      expect(out).toBeLessThan(lock);
    },
  );

  it('of a maker that mistakes its own lock for the other one is out only once the taker can refund', () => {
    for (const factor of [30, 60]) expect(claimed('maker', factor, wrongLeg).out).toBeGreaterThan(LOCK.taker);
  });

  it('of a taker that mistakes its own lock for the other one costs more long before it has to', () => {
    for (const factor of [60, 100]) expect(claimed('taker', factor, wrongLeg).dear).toBeLessThan(LOCK.maker - MARGIN);
  });
});
