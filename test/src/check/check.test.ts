import { describe, expect, it } from 'vitest';
import { type BoundsChanges, boundsOf, budgetOf, costOf, covers, left, TROUBLES } from '../../../src/check/bounds.ts';
import { check } from '../../../src/check/check.ts';
import { publishedBounds, thoroughBounds } from '../../../src/check/published.ts';
import { renderViolation } from '../../../src/check/render.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';
import { SLOW, THOROUGH } from '../../support/draws.ts';
import { plantedBugs } from '../../support/planted-bugs.ts';

/** Crashes alone are explored below, and errors of nodes in published.slow.test.ts. */
const SMALL: readonly BoundsChanges[] = [{}];
/** Each takes up to some seconds. */
const MIDDLE: readonly BoundsChanges[] = [
  { reorgs: 1, confirmations: 2 },
  { adversary: 'maker' },
  { losses: 1, preemptions: 1 },
  { drops: 1 },
  { adversary: 'taker' },
  { chains: { maker: 'account', taker: 'account' }, drops: 1 },
  { chains: { maker: 'autoRefund', taker: 'account' }, adversary: 'maker' },
];
/** Each has some hundred thousand states. */
const LARGE: readonly BoundsChanges[] = [
  { adversary: 'maker', watcher: 'free' },
  { adversary: 'maker', watcher: 'engine' },
  { watcher: 'engine', crashes: 1 },
  { timely: false, drops: 1 },
  { adversary: 'maker', timely: false, drops: 1, finality: { maker: 1, taker: 2 } },
];

describe('the engines of the product', () => {
  it.each([...SMALL, ...(SLOW ? MIDDLE : []), ...(THOROUGH ? LARGE : [])])('break no rule within %j', (bounds) => {
    const { complete, violations, ends } = check(bounds);
    expect(violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(complete).toBe(true);
    expect(ends).toBeGreaterThan(0);
  });

  it('end in every way within small bounds', () => {
    const { complete, violations, events } = check({ crashes: 1 });
    expect(violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(complete).toBe(true);
    expect(events).toEqual(
      expect.arrayContaining([
        'maker/TakerPaymentSpendConfirmed',
        'maker/MakerPaymentRefunded',
        'taker/MakerPaymentSpendConfirmed',
        'taker/TakerPaymentRefunded',
        'taker/NegotiateFailed',
        'maker/TakerFeeValidateFailed',
      ]),
    );
  });
});

describe('a custom watcher', () => {
  const bounds: BoundsChanges = { watcher: 'engine' };

  it('that forwards to the sound one is as good as the sound one', () => {
    let asked = 0;
    const decide: Behaviour['decide'] = (runner, now, node) => {
      asked += 1;
      return SOUND.decide(runner, now, node);
    };
    const { violations, complete, endings } = check(bounds, { behaviours: { watcher: { ...SOUND, decide } } });
    expect([violations, complete]).toEqual([[], true]);
    expect(endings).toEqual(check(bounds).endings);
    expect(asked).toBeGreaterThan(100);
  });
});

describe('check', () => {
  it('gives the same answer every time', () => {
    const bounds: BoundsChanges = THOROUGH ? { drops: 1, losses: 1 } : SLOW ? { losses: 1 } : {};
    expect(check(bounds)).toEqual(check(bounds));
  });

  it('explores more within wider bounds', () => {
    const { states, transitions } = check({});
    const wider = check({ losses: 1 });
    expect(wider.states).toBeGreaterThan(states);
    expect(wider.transitions).toBeGreaterThan(transitions);
  });

  it('says that it has not finished when it is given too few states', () => {
    expect(check({ crashes: 1 }, { maxStates: 50 }).complete).toBe(false);
  });

  it('measures its time by the given clock, and reports its progress', () => {
    let time = 0;
    const told: number[] = [];
    const result = check({}, { clock: () => (time += 25), onProgress: (states) => told.push(states) });
    expect(result.ms).toBe(25);
    expect(told.length).toBeGreaterThan(0);
  });

  it('finds a shortest way: no bug shows after fewer steps than its trace has', () => {
    const plant = plantedBugs['refundAfterSecret']?.plant as (sound: Behaviour) => Behaviour;
    const { violations, depth } = check({}, { behaviours: { taker: plant(SOUND) } });
    expect(violations[0]?.trace.length).toBeLessThanOrEqual(depth + 1);
  });

  it('describes a broken rule in lines that a person can read', () => {
    const plant = plantedBugs['acceptShortLock']?.plant as (sound: Behaviour) => Behaviour;
    const { violations } = check({ adversary: 'maker' }, { behaviours: { taker: plant(SOUND) } });
    const text = violations.map((violation) => renderViolation(violation)).join('');
    expect(text).toMatch(/^R1 taker: the locks lie -3900 s apart/);
    expect(text).toMatch(/\n +0 s {2}adversary \(maker\) +offers a short lock\n/);
    expect(text).toMatch(/\n +0 s {2}maker chain +a block; maker payment confirmed\n/);
    expect(text).toMatch(/\n +log: TransactionPrepared, TransactionPrepared, BroadcastAttempted\n/);
    expect(text).toMatch(/\n +broadcasts the taker payment; answer: sent\n/);
  });

  it('names parts that were given to a seat without an engine', () => {
    const idle = (bounds: Parameters<typeof check>[0], seat: 'maker' | 'taker' | 'watcher') =>
      check(bounds, { behaviours: { [seat]: SOUND }, maxStates: 50 }).notices.filter((text) =>
        text.startsWith('behaviours'),
      );
    expect(idle({}, 'watcher')).toEqual([
      'behaviours.watcher was given and never ran: bounds.watcher is "none", so no engine sits there',
    ]);
    expect(idle({ watcher: 'free' }, 'watcher')[0]).toContain('bounds.watcher is "free"');
    expect(idle({ watcher: 'engine' }, 'watcher')).toEqual([]);
    expect(idle({ adversary: 'taker' }, 'taker')[0]).toContain('bounds.adversary is "taker"');
    expect(idle({ adversary: 'taker' }, 'maker')).toEqual([]);
  });

  it('refuses bounds out of range', () => {
    expect(() => check({ crashes: -1 })).toThrow(RangeError);
    expect(() => check({ losses: 16 })).toThrow(RangeError);
    expect(() => check({ drops: 0.5 })).toThrow(RangeError);
    expect(() => check({ finality: 0 })).toThrow(RangeError);
    expect(() => check({ confirmations: 5 })).toThrow(RangeError);
  });
});

describe('budgets', () => {
  it('hold each trouble on its own', () => {
    const bounds = boundsOf({ crashes: 3, nodeErrors: 15, losses: 1, preemptions: 0, reorgs: 2, drops: 7 });
    const budget = budgetOf(bounds);
    for (const trouble of TROUBLES) {
      expect(left(budget, trouble)).toBe(bounds[trouble]);
      expect(covers(budget, costOf(trouble))).toBe(bounds[trouble] > 0);
    }
    expect(left(budget - costOf('drops'), 'drops')).toBe(6);
    expect(left(budget - costOf('drops'), 'crashes')).toBe(3);
  });

  it('of the published and of the thorough bounds are in range, under names of their own', () => {
    for (const list of [publishedBounds, thoroughBounds]) {
      expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
      for (const { bounds } of list) expect(boundsOf(bounds)).toEqual(bounds);
    }
  });
});
