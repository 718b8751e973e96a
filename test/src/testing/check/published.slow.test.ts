import { describe, expect, it } from 'vitest';
import { type CheckResult, check } from '../../../../src/testing/check/check.ts';
import { type NamedBounds, publishedBounds } from '../../../../src/testing/check/published.ts';
import { renderViolation } from '../../../../src/testing/check/render.ts';
import { type Behaviour, SOUND } from '../../../../src/testing/world/node.ts';
import { plantedBugs } from '../../../support/planted-bugs.ts';
import { documentedRows, rowOf } from './table.ts';

const results = new Map<string, CheckResult>();

function resultOf({ name, bounds }: NamedBounds): CheckResult {
  const known = results.get(name) ?? check(bounds);
  results.set(name, known);
  return known;
}

/** Public events that need more than the bounds allow: a start that fails, and money that is lost. */
const UNREACHED: ReadonlySet<string> = new Set([
  'maker/StartFailed',
  'maker/TakerPaymentSpendConfirmFailed',
  'maker/MakerPaymentRefundFailed',
  'taker/StartFailed',
  'taker/MakerPaymentSpendFailed',
  'taker/MakerPaymentSpendConfirmFailed',
  'taker/TakerPaymentRefundFailed',
]);

describe('the engines of the product', () => {
  it.each(publishedBounds)('break no rule within the published bounds: $name', (named) => {
    const result = resultOf(named);
    expect(result.violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(result.complete).toBe(true);
    expect(documentedRows('The published bounds')).toContain(rowOf(named, result));
  });

  it('are documented one by one', () => {
    expect(documentedRows('The published bounds')).toHaveLength(publishedBounds.length);
  });

  it('append within the published bounds what they can append at all', () => {
    const events = new Set(publishedBounds.flatMap((named) => resultOf(named).events));
    expect([...UNREACHED].filter((event) => events.has(event))).toEqual([]);
    const rare = [
      'taker/MakerPaymentSpentByWatcher',
      'taker/TakerPaymentRefundedByWatcher',
      'maker/TakerPaymentSpendFailed',
    ];
    for (const event of rare) {
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
