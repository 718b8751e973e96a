import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptWatch, type WatchRefusal, type WatchSurroundings } from '../../../machines/watcher/accept.ts';
import { defaultWatchTiming, type Watch } from '../../../src/events/watcher.ts';
import { isWatchedLockDuration } from '../../../src/htlc/lock-times.ts';
import { millisOf, unixSecondsOf } from '../../../src/primitives/time.ts';
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

type Refused = readonly [
  refusal: WatchRefusal,
  text: string,
  changes: Partial<Watch>,
  around: Partial<WatchSurroundings>,
];

const { uuid, maker_coin: makerCoin, taker_coin: takerCoin } = watch;
const LAST_START = REQUESTED + 60_000;
const OVER = (START + 2 * L + 21_600) * 1000;

/** Every refusal, in the order in which they are looked for. */
const refused: readonly Refused[] = [
  ['foreignSigner', 'The message is not signed by the taker', {}, { from: watch.maker_pub.slice(2) }],
  ['invalidLockDuration', 'Invalid lock duration', { lock_duration: 7801 }, {}],
  ['ownSwap', `Swap ${uuid} is one of the own swaps`, {}, { takesPart: () => true }],
  ['noTakerFee', 'The hash of the taker fee has 0 bytes, not 32', { taker_fee_hash: '' }, {}],
  ['noTakerFee', 'The hash of the taker fee has 31 bytes, not 32', { taker_fee_hash: 'ab'.repeat(31) }, {}],
  ['noTakerFee', 'The hash of the taker fee has 33 bytes, not 32', { taker_fee_hash: 'ab'.repeat(33) }, {}],
  ['alreadyWatched', `Swap ${uuid} is watched already`, {}, { isWatched: () => true }],
  ['full', 'As many swaps are watched as may be', {}, { isFull: true }],
  ['coinNotActive', `Coin ${takerCoin} is not active`, {}, { watchable: () => undefined }],
  ['coinNotActive', `Coin ${makerCoin} is not active`, {}, { watchable: (coin) => coin === takerCoin || undefined }],
  ['coinNotWatchable', `Coin ${takerCoin} does not support watchers`, {}, { watchable: () => false }],
  ['coinNotWatchable', `Coin ${makerCoin} does not support watchers`, {}, { watchable: (coin) => coin === takerCoin }],
  ['outOfTime', 'The swap starts in the future', { swap_started_at: unixSecondsOf(LAST_START / 1000 + 1) }, {}],
  ['outOfTime', 'The swap is long over', {}, { now: millisOf(OVER) }],
];

describe('why a watcher leaves a message aside', () => {
  it.each(refused)('%s: %s', (refusal, text, changes, surroundings) => {
    expect(acceptWatch({ ...watch, ...changes }, { ...around, ...surroundings })).toEqual({ ok: false, refusal, text });
  });

  it('looks for the reasons in this order, so that the first one that is given counts', () => {
    // A swap that has not begun cannot be over as well.
    const rows = refused.slice(0, -1).reverse();
    let message: Partial<Watch> = {};
    let surroundings: Partial<WatchSurroundings> = {};
    for (const [name, , changes, given] of rows) {
      message = { ...message, ...changes };
      surroundings = { ...surroundings, ...given };
      expect(refusal(message, surroundings)).toBe(name);
    }
  });

  it('takes a swap that starts a minute ahead of its clock, and none that starts a second later', () => {
    expect(LAST_START % 1000).toBe(0);
    const starting = (seconds: number) => refusal({ swap_started_at: unixSecondsOf(LAST_START / 1000 + seconds) });
    expect([starting(-1), starting(0), starting(1)]).toEqual([null, null, 'outOfTime']);
  });
});
