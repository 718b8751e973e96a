import { describe, expect, it } from 'vitest';
import type { BoundsChanges } from '../../../src/check/bounds.ts';
import { type CheckResult, check } from '../../../src/check/check.ts';
import type { PaymentView } from '../../../src/ports/chain.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';
import { oneIn } from '../../support/draws.ts';
import { plantedBugs } from '../../support/planted-bugs.ts';

type Party = 'maker' | 'taker';

function withBug(bounds: BoundsChanges, party: Party, plant: (sound: Behaviour) => Behaviour): CheckResult {
  return check(bounds, { behaviours: { [party]: plant(SOUND) } });
}

/** One confirmation is taken for final, so that a replaced block goes unnoticed. Keeps nothing, as an exploration asks. */
function neverReplaced(sound: Behaviour): Behaviour {
  const sure = (confirmations: number) => (confirmations > 0 ? 99 : 0);
  return {
    ...sound,
    answer: (question, result, node) => {
      if (question.op !== 'payment' || !result.ok) return sound.answer(question, result, node);
      const { funding, spend, ...view } = result.value as PaymentView;
      const deep = {
        ...view,
        funding: funding === null ? null : { ...funding, confirmations: sure(funding.confirmations) },
        spend: spend === null ? null : { ...spend, confirmations: sure(spend.confirmations) },
      };
      return { ok: true, value: deep };
    },
  };
}

const ROGUE_MAKER: BoundsChanges = { adversary: 'maker' };

/** Where each bug shows, and which rule it breaks first. */
const WHERE: readonly (readonly [bug: string, party: Party, bounds: BoundsChanges, rule: string])[] = [
  ['refundAfterSecret', 'taker', {}, 'R2'],
  ['giveUpAfterOneFailure', 'maker', { nodeErrors: 1 }, 'R4'],
  ['giveUpAfterOneFailure', 'taker', { nodeErrors: 1 }, 'R4'],
  ['actBeforeAppend', 'maker', {}, 'R8'],
  ['actBeforeAppend', 'taker', {}, 'R8'],
  ['publishBeforeAppend', 'maker', {}, 'R8'],
  ['publishBeforeAppend', 'taker', {}, 'R8'],
  ['forgetDeadlineAfterRestart', 'maker', { crashes: 1 }, 'R10'],
  ['forgetDeadlineAfterRestart', 'taker', { crashes: 1 }, 'R10'],
  ['errorIsFact', 'maker', { nodeErrors: 2 }, 'R4'],
  ['payTooLate', 'taker', ROGUE_MAKER, 'R1'],
  ['ignoreReorg', 'maker', { reorgs: 1, confirmations: 2 }, 'R4'],
  ['ignoreReorg', 'taker', { reorgs: 1, confirmations: 2 }, 'R4'],
  ['payFeeTwice', 'taker', { crashes: 1 }, 'R5'],
  ['wallClock', 'maker', {}, 'R3'],
  ['wallClock', 'taker', {}, 'R3'],
  ['acceptShortLock', 'taker', ROGUE_MAKER, 'R1'],
  ['swapLocks', 'taker', ROGUE_MAKER, 'R1'],
];

describe('an engine with a mistake', () => {
  it.each(oneIn(3, WHERE))('%s of the %s is found within %j as %s', (name, party, bounds, rule) => {
    const bug = plantedBugs[name];
    const plant = name === 'ignoreReorg' ? neverReplaced : bug?.plant;
    expect(bug?.parties).toContain(party);
    const { violations } = withBug(bounds, party, plant as (sound: Behaviour) => Behaviour);
    expect(violations.map((violation) => [violation.rule, violation.party])).toEqual([[rule, party]]);
    const trace = violations[0]?.trace ?? [];
    expect(trace.length).toBeGreaterThan(0);
    expect(trace.at(-1)?.lines.length).toBeGreaterThan(0);
  });

  it('every planted bug is among them', () => {
    expect(new Set(WHERE.map(([name]) => name))).toEqual(new Set(Object.keys(plantedBugs)));
  });

  it('which both sides share is found, too', () => {
    const plant = plantedBugs['swapLocks']?.plant as (sound: Behaviour) => Behaviour;
    const behaviours = { maker: plant(SOUND), taker: plant(SOUND) };
    expect(check({}, { behaviours }).violations[0]?.rule).toBe('R1');
  });
});
