import { describe, expect, it } from 'vitest';
import { check } from '../../../../src/testing/check/check.ts';
import { publishedBounds, thoroughBounds } from '../../../../src/testing/check/published.ts';
import { renderViolation } from '../../../../src/testing/check/render.ts';
import { type Behaviour, SOUND } from '../../../../src/testing/world/node.ts';
import { plantedBugs } from '../../../support/planted-bugs.ts';

const cases = [
  ...publishedBounds.map((named) => ({ list: 'published', ...named })),
  ...thoroughBounds.map((named) => ({ list: 'thorough', ...named })),
];

/** Public events that need more than the bounds allow: a start that fails, and money that is lost. */
const UNREACHED: ReadonlySet<string> = new Set([
  'maker/StartFailed',
  'maker/TakerPaymentSpendFailed',
  'maker/TakerPaymentSpendConfirmFailed',
  'maker/MakerPaymentRefundFailed',
  'taker/StartFailed',
  'taker/MakerPaymentSpendFailed',
  'taker/MakerPaymentSpendConfirmFailed',
  'taker/TakerPaymentRefundFailed',
]);

describe('the engines of the product', () => {
  it.each(cases)('break no rule within the $list bounds: $name', ({ name, bounds }) => {
    const { complete, violations, states, transitions } = check(bounds);
    expect(violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(complete).toBe(true);
    expect(transitions).toBeGreaterThan(states);
    expect(states, name).toBeGreaterThan(1000);
  });

  it('append within the published bounds what they can append at all', () => {
    const events = new Set(publishedBounds.flatMap(({ bounds }) => check(bounds).events));
    expect([...UNREACHED].filter((event) => events.has(event))).toEqual([]);
    for (const event of ['taker/MakerPaymentSpentByWatcher', 'taker/TakerPaymentRefundedByWatcher']) {
      expect(events).toContain(event);
    }
    for (const type of ['TakerPaymentRefundedByTaker', 'MakerPaymentSpentByTaker', 'MakerPaymentSpent', 'Stopped']) {
      expect(events).toContain(`watcher/${type}`);
    }
  });
});

describe('an engine with a mistake', () => {
  it('that takes errors for facts is found on the side of the taker, too', () => {
    const plant = plantedBugs['errorIsFact']?.plant as (sound: Behaviour) => Behaviour;
    const { violations } = check({ nodeErrors: 2 }, { behaviours: { taker: plant(SOUND) } });
    expect(violations[0]?.rule).toBe('R4');
  });

  it.each(Object.entries(plantedBugs))(
    '%s is found within some of the published bounds',
    (name, { parties, plant }) => {
      // A bug that shows only where a node forgets what it saw is tested beside the others, with one that forgets nothing.
      if (name === 'ignoreReorg') return;
      const found = publishedBounds.some(({ bounds }) =>
        parties.some((party) => {
          if (bounds.adversary === party) return false;
          return check(bounds, { behaviours: { [party]: plant(SOUND) } }).violations.length > 0;
        }),
      );
      expect(found).toBe(true);
    },
  );
});
