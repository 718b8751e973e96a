import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptWatch, type WatchSurroundings } from '../../../machines/watcher/accept.ts';
import { defaultWatchTiming, type Watch } from '../../../src/events/watcher.ts';
import { isWatchedLockDuration } from '../../../src/htlc/lock-times.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { L, REQUESTED, START, sample } from './support.ts';

const { watch } = sample;

const around: WatchSurroundings = {
  from: watch.taker_pub.slice(2),
  now: REQUESTED,
  timing: defaultWatchTiming,
  takesPart: () => false,
  isWatched: () => false,
  watchable: () => true,
};

function refusal(changes: Partial<Watch>, surroundings: Partial<WatchSurroundings> = {}) {
  const accepted = acceptWatch({ ...watch, ...changes }, { ...around, ...surroundings });
  return accepted.ok ? null : accepted.refusal;
}

describe('whether a watcher takes a swap on', () => {
  it('takes on a swap of others between two coins that can be watched', () => {
    expect(acceptWatch(watch, around)).toEqual({ ok: true });
  });

  it('refuses a message that the taker did not sign, whatever the parity of its key', () => {
    expect(refusal({ taker_pub: watch.maker_pub })).toBe('foreignSigner');
    const flipped = `${watch.taker_pub.startsWith('02') ? '03' : '02'}${watch.taker_pub.slice(2)}`;
    expect(refusal({ taker_pub: flipped })).toBeNull();
  });

  it('takes one, four and ten times the base lock duration, and no other', () => {
    const durations = fc.oneof(fc.nat({ max: 200_000 }), fc.constantFrom(7800, 31_200, 78_000, 93_600));
    fc.assert(
      fc.property(durations, (lock_duration) => {
        expect(refusal({ lock_duration }) === 'invalidLockDuration').toBe(!isWatchedLockDuration(lock_duration));
      }),
    );
    expect(acceptWatch({ ...watch, lock_duration: 93_600 }, around)).toEqual({
      ok: false,
      refusal: 'invalidLockDuration',
      text: 'Invalid lock duration',
    });
  });

  it('leaves own swaps, and swaps that are watched already', () => {
    expect(refusal({}, { takesPart: (uuid) => uuid === watch.uuid })).toBe('ownSwap');
    expect(refusal({}, { isWatched: ({ taker_fee_hash }) => taker_fee_hash === watch.taker_fee_hash })).toBe(
      'alreadyWatched',
    );
  });

  it('takes no more than it may have open', () => {
    expect(refusal({}, { isFull: true })).toBe('full');
    expect(refusal({}, { isFull: false })).toBeNull();
  });

  it('works for takers with a fee alone', () => {
    expect(refusal({ taker_fee_hash: '' })).toBe('noTakerFee');
    expect(refusal({ taker_fee_hash: watch.taker_fee_hash.slice(2) })).toBe('noTakerFee');
  });

  it('needs both coins active and watchable', () => {
    for (const coin of [watch.maker_coin, watch.taker_coin]) {
      expect(refusal({}, { watchable: (asked) => (asked === coin ? undefined : true) })).toBe('coinNotActive');
      expect(refusal({}, { watchable: (asked) => asked !== coin })).toBe('coinNotWatchable');
    }
  });

  it('leaves swaps that are long over, and swaps of the future', () => {
    const over = millisOf((START + 2 * L + 21_600) * 1000);
    expect(refusal({}, { now: over })).toBe('outOfTime');
    expect(refusal({}, { now: millisOf(over - 1) })).toBeNull();
    expect(refusal({}, { now: millisOf((START - 60) * 1000) })).toBeNull();
    expect(refusal({}, { now: millisOf((START - 60) * 1000 - 1) })).toBe('outOfTime');
  });
});
