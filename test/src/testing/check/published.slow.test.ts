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

/** Where each bug shows after the fewest states; a search that tries one bounds after the other takes minutes. */
const FOUND: Readonly<Record<string, { readonly within: string; readonly party: 'maker' | 'taker' }>> = {
  giveUpAfterOneFailure: { within: 'two node errors', party: 'maker' },
  refundAfterSecret: { within: 'free watcher', party: 'taker' },
  actBeforeAppend: { within: 'free watcher', party: 'taker' },
  publishBeforeAppend: { within: 'free watcher', party: 'taker' },
  forgetDeadlineAfterRestart: { within: 'messages', party: 'maker' },
  errorIsFact: { within: 'two node errors', party: 'maker' },
  payTooLate: { within: 'free watcher', party: 'taker' },
  payFeeTwice: { within: 'messages', party: 'taker' },
  wallClock: { within: 'free watcher', party: 'taker' },
  acceptShortLock: { within: 'free watcher', party: 'taker' },
  swapLocks: { within: 'free watcher', party: 'taker' },
};

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
    const bounds = publishedBounds.find(({ name }) => name === 'two node errors')?.bounds;
    const { violations } = check(bounds ?? {}, { behaviours: { taker: plant(SOUND) } });
    expect(violations[0]?.rule).toBe('R4');
  });

  it.each(Object.entries(FOUND))('%s is found within the bounds where few states show it', (bug, { within, party }) => {
    const bounds = publishedBounds.find(({ name }) => name === within)?.bounds;
    const plant = plantedBugs[bug]?.plant as (sound: Behaviour) => Behaviour;
    expect(check(bounds ?? {}, { behaviours: { [party]: plant(SOUND) } }).violations).toHaveLength(1);
  });

  it('is looked for, whatever the mistake', () => {
    // A bug that shows only where a node forgets what it saw is tested beside the others, with one that forgets nothing.
    expect([...Object.keys(FOUND), 'ignoreReorg'].sort()).toEqual(Object.keys(plantedBugs).sort());
  });
});
