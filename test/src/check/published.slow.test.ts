import { describe, expect, it } from 'vitest';
import { check } from '../../../src/check/check.ts';
import { publishedBounds, thoroughBounds } from '../../../src/check/published.ts';
import { renderViolation } from '../../../src/check/render.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';
import { plantedBugs } from '../../support/planted-bugs.ts';
import { documentedRows, rowOf } from './table.ts';

/** Of those with some tens of thousands of states; all are explored beside the thorough ones. */
const QUICK: ReadonlySet<string> = new Set([
  'crashes',
  'two node errors',
  'messages',
  'deep reorgs',
  'free watcher',
  'rewards',
  'automatic refund',
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
  it.each(publishedBounds.filter(({ name }) => QUICK.has(name)))(
    'break no rule within the published bounds: $name',
    (named) => {
      const result = check(named.bounds);
      expect(result.violations.map((violation) => renderViolation(violation))).toEqual([]);
      expect(result.complete).toBe(true);
      expect(documentedRows('The published bounds')).toContain(rowOf(named, result));
    },
  );

  it('are documented one by one', () => {
    expect(documentedRows('The published bounds')).toHaveLength(publishedBounds.length);
    expect(documentedRows('The thorough bounds').map((row) => row.split(' | ').slice(0, 2))).toEqual(
      thoroughBounds.map(({ name, text }) => [`| ${name}`, text]),
    );
  });
});

describe('an engine with a mistake', () => {
  it('that treats errors as facts is found on the side of the taker, too', () => {
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

  it('is searched for, whatever the mistake', () => {
    // A bug that shows only where a node forgets what it saw is tested beside the others, with one that forgets nothing.
    expect([...Object.keys(FOUND), 'ignoreReorg'].sort()).toEqual(Object.keys(plantedBugs).sort());
  });
});
