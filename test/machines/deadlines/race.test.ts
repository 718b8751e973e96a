import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contested, isNear, leastLeft, marginIn, outlasts, raceBegins } from '../../../machines/deadlines/race.ts';
import type { LockExpiry } from '../../../src/ports/chain.ts';
import { heightOf, millisOf, unixSecondsOf } from '../../../src/primitives/time.ts';

const LOCK = unixSecondsOf(1_700_007_800);
const race = { lock: LOCK, margin: 1560 };
const seconds = (left: number): { readonly clock: ReturnType<typeof unixSecondsOf> } => ({
  clock: unixSecondsOf(LOCK - left),
});
/** A view of a payment whose lock ends in so many blocks. The clock says that there is much time. */
const blocks = (left: number) => ({
  clock: unixSecondsOf(LOCK - 100_000),
  expiry: { unit: 'blocks', at: heightOf(900 + left), now: heightOf(900) } satisfies LockExpiry,
});

describe('a first claim', () => {
  const judged = (view: ReturnType<typeof seconds>, spare = 60, refundable = false) =>
    contested(race, { ...view, refundable }, { spare, blockTime: 10 });

  it('keeps the margin, and its own duration, before the end of a lock in seconds', () => {
    expect(judged(seconds(1620))).toBeNull();
    expect(judged(seconds(1619))).toEqual({
      from: (LOCK - 1620) * 1000,
      passed: { unit: 'seconds', now: LOCK - 1619, last: LOCK - 1620 },
    });
    expect(judged(seconds(1560), 0)).toBeNull();
    expect(judged(seconds(1559), 0)).not.toBeNull();
  });

  it('keeps it in blocks that come a quarter quicker than nominal: ⌈1620 × 1.25 / 10⌉ of them', () => {
    expect(judged(blocks(203))).toBeNull();
    expect(judged(blocks(202))).toEqual({
      from: (LOCK - 1620) * 1000,
      passed: { unit: 'blocks', now: 900, last: 900 - 1 },
    });
  });

  it('never comes in time if nobody says how long a block takes, or if the other side can refund now', () => {
    expect(contested(race, { ...blocks(1e6), refundable: false }, { spare: 60 })).not.toBeNull();
    expect(judged(seconds(50_000), 60, true)).not.toBeNull();
  });

  it('gets no moment before the first', () => {
    const early = { lock: unixSecondsOf(100), margin: 1560 };
    const view = { clock: unixSecondsOf(50), refundable: false };
    expect(contested(early, view, { spare: 60 })).toEqual({ from: 0, passed: { unit: 'seconds', now: 50, last: 0 } });
  });
});

describe('the margin', () => {
  const near = (at: number, view: Parameters<typeof isNear>[1]['view'] = null) =>
    isNear(race, { clock: millisOf(at), view, blockTime: 10 });

  it('is used up from its start on by a clock, and by the blocks of a chain that counts them', () => {
    const begin = (LOCK - 1560) * 1000;
    expect(raceBegins(race)).toBe(begin);
    expect([near(begin - 1), near(begin), near(begin - 1, seconds(10))]).toEqual([false, true, false]);
    expect([near(0, blocks(196)), near(0, blocks(195))]).toEqual([false, true]);
  });

  it('of a lock in blocks lasts at least as long as it says, however the figures fall', () => {
    const margin = fc.integer({ min: 0, max: 50_000 });
    fc.assert(
      fc.property(margin, fc.integer({ min: 1, max: 900 }), (least, blockTime) => {
        const kept = marginIn('blocks', least, blockTime);
        const expiry = { unit: 'blocks', at: heightOf(kept), now: heightOf(0) } satisfies LockExpiry;
        expect(leastLeft(expiry, blockTime)).toBeGreaterThanOrEqual(least);
        expect(marginIn('seconds', least, blockTime)).toBe(least);
      }),
    );
  });
});

describe('a payment that is to be answered', () => {
  const NOW = unixSecondsOf(LOCK - 7800);
  const plain = { lock: unixSecondsOf(LOCK - 3900), counted: undefined };
  const counted = { ...plain, counted: { duration: 600, leg: 'taker' }, blockTime: 6, counter: 'cosmos' } as const;

  it('outlasts a lock in seconds if both count seconds, which was checked when they were agreed', () => {
    expect(outlasts(race, seconds(1), { now: NOW, own: plain, other: {} })).toBe(true);
  });

  it('outlasts it by the margin if its own lock counts blocks', () => {
    const other = { blockTime: 10 };
    // 3900 s and the margin of 1560 s, in blocks of 8 s.
    expect(outlasts(race, blocks(683), { now: NOW, own: plain, other })).toBe(true);
    expect(outlasts(race, blocks(682), { now: NOW, own: plain, other })).toBe(false);
  });

  it('outlasts a lock in blocks that are late and then slow: 10 + 100 of them, of 7.5 s each', () => {
    const view = (left: number) => ({ clock: unixSecondsOf(LOCK - left) });
    expect(outlasts(race, view(110 * 7.5 + 1560), { now: NOW, own: counted, other: {} })).toBe(true);
    expect(outlasts(race, view(110 * 7.5 + 1559), { now: NOW, own: counted, other: {} })).toBe(false);
  });

  it('counts the same blocks if both are on one chain: ⌈1560 × 1.25 / 6⌉ beside the own ones', () => {
    const judged = (left: number, counter: string) =>
      outlasts(race, blocks(left), { now: NOW, own: counted, other: { blockTime: 6, counter } });
    expect([judged(435, 'cosmos'), judged(434, 'cosmos')]).toEqual([true, false]);
    // Of another chain they may be quick while the own ones are slow: 2385 s in blocks of 4.8 s.
    expect([judged(497, 'osmosis'), judged(496, 'osmosis')]).toEqual([true, false]);
  });
});
