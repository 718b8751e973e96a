import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptWatch, type WatchRefusal, type WatchSurroundings } from '../../../machines/watcher/accept.ts';
import { defaultWatchTiming, type Watch } from '../../../src/events/watcher.ts';
import { isWatchedLockDuration } from '../../../src/htlc/lock-times.ts';
import type { ScriptScheme } from '../../../src/htlc/script.ts';
import { millisOf, unixSecondsOf } from '../../../src/primitives/time.ts';
import { L, REQUESTED, START, sample, watchedSwap } from './support.ts';

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

describe('whether a watcher accepts a swap', () => {
  it('accepts a swap of others between two coins that can be watched', () => {
    expect(acceptWatch(watch, around)).toEqual({ ok: true });
  });

  it('refuses a message that the taker did not sign, whatever the parity of its key', () => {
    expect(refusal({ taker_pub: watch.maker_pub })).toBe('foreignSigner');
    const flipped = `${watch.taker_pub.startsWith('02') ? '03' : '02'}${watch.taker_pub.slice(2)}`;
    expect(refusal({ taker_pub: flipped })).toBeNull();
  });

  it('accepts one, four and ten times the base lock duration, and no other', () => {
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

  it('accepts the same multiples of another base', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 20_000 }),
        fc.constantFrom(1, 4, 10, 12, 3),
        (paymentLocktime, multiple) => {
          const lock_duration = paymentLocktime * multiple;
          // What is too short for the time that has passed is refused for that.
          const isRefused = refusal({ lock_duration }, { paymentLocktime }) === 'invalidLockDuration';
          expect(isRefused).toBe(![1, 4, 10].includes(multiple));
        },
      ),
    );
    expect(refusal({ lock_duration: L }, { paymentLocktime: L + 1 })).toBe('invalidLockDuration');
  });

  it('ignores own swaps, and swaps that it already watches', () => {
    expect(refusal({}, { takesPart: (uuid) => uuid === watch.uuid })).toBe('ownSwap');
    expect(refusal({}, { isWatched: ({ taker_fee_hash }) => taker_fee_hash === watch.taker_fee_hash })).toBe(
      'alreadyWatched',
    );
  });

  it('accepts no more than it may have open', () => {
    expect(refusal({}, { isFull: true })).toBe('full');
    expect(refusal({}, { isFull: false })).toBeNull();
  });

  it('needs amounts above zero, if the message has them', () => {
    for (const amount of ['0', '-1', '0.000', '-0']) {
      expect(refusal({ taker_amount: amount as never })).toBe('invalidAmount');
      expect(refusal({ maker_amount: amount as never })).toBe('invalidAmount');
    }
    expect(refusal({ taker_amount: '0.00000001' as never, maker_amount: null })).toBeNull();
    expect(refusal({ taker_amount: null, maker_amount: null })).toBeNull();
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

  it('ignores swaps that ended long ago, and swaps of the future', () => {
    const over = millisOf((START + 2 * L + 21_600) * 1000);
    expect(refusal({}, { now: over })).toBe('outOfTime');
    expect(refusal({}, { now: millisOf(over - 1) })).toBeNull();
    expect(refusal({}, { now: millisOf((START - 60) * 1000) })).toBeNull();
    expect(refusal({}, { now: millisOf((START - 60) * 1000 - 1) })).toBe('outOfTime');
  });
});

describe('the script scheme of what the taker signed', () => {
  const mixed = watchedSwap({ seed: 'mixed', makerCoin: 'LTC', schemes: { maker: 'p2wsh', taker: 'p2sh' } }).watch;
  const opaque: Partial<Watch> = { maker_payment_spend_preimage: 'c001', taker_payment_refund_preimage: 'c002' };
  const speaking = (maker: ScriptScheme | null | undefined, taker: ScriptScheme | null | undefined) => ({
    from: mixed.taker_pub.slice(2),
    scheme: (coin: string) => (coin === mixed.maker_coin ? maker : taker),
  });

  it('must be that of its chain, on either leg', () => {
    expect(refusal(mixed, speaking('p2wsh', 'p2sh'))).toBeNull();
    expect(refusal(mixed, speaking('p2sh', 'p2sh'))).toBe('foreignScheme');
    expect(refusal(mixed, speaking('p2wsh', 'p2wsh'))).toBe('foreignScheme');
    expect(refusal(mixed, speaking('p2sh', 'p2wsh'))).toBe('foreignScheme');
  });

  it('is P2SH if an adapter does not say, or the network’s usual one', () => {
    expect(refusal(mixed, speaking(undefined, undefined))).toBe('foreignScheme');
    expect(refusal(mixed, speaking('p2wsh', undefined))).toBeNull();
    expect(refusal(mixed, { ...speaking(undefined, 'p2sh'), usualScheme: 'p2wsh' })).toBeNull();
    expect(refusal(mixed, { ...speaking('p2wsh', undefined), usualScheme: 'p2wsh' })).toBe('foreignScheme');
  });

  it('does not exist for bytes of another family, which a chain with scripts refuses', () => {
    const message = { ...mixed, ...opaque };
    expect(refusal(message, speaking(undefined, undefined))).toBeNull();
    expect(refusal(message, speaking(null, null))).toBeNull();
    expect(refusal(message, speaking('p2wsh', null))).toBe('foreignScheme');
    expect(refusal(message, speaking(null, 'p2sh'))).toBe('foreignScheme');
    expect(refusal(mixed, speaking(null, 'p2sh'))).toBe('foreignScheme');
  });

  it('is refused with what was signed and what is known', () => {
    const judged = acceptWatch(mixed, { ...around, ...speaking('p2sh', 'p2sh') });
    expect(judged).toMatchObject({
      text: `What the taker signed for LTC spends P2WSH, and payments there are P2SH`,
    });
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
  ['ownSwap', `Swap ${uuid} is one of this node's own swaps`, {}, { takesPart: () => true }],
  ['noTakerFee', 'The hash of the taker fee has 0 bytes, not 32', { taker_fee_hash: '' }, {}],
  ['noTakerFee', 'The hash of the taker fee has 31 bytes, not 32', { taker_fee_hash: 'ab'.repeat(31) }, {}],
  ['noTakerFee', 'The hash of the taker fee has 33 bytes, not 32', { taker_fee_hash: 'ab'.repeat(33) }, {}],
  ['alreadyWatched', `Swap ${uuid} is already watched`, {}, { isWatched: () => true }],
  ['full', 'The limit of watched swaps is reached', {}, { isFull: true }],
  ['coinNotActive', `Coin ${takerCoin} is not active`, {}, { watchable: () => undefined }],
  ['coinNotActive', `Coin ${makerCoin} is not active`, {}, { watchable: (coin) => coin === takerCoin || undefined }],
  ['coinNotWatchable', `Coin ${takerCoin} does not support watchers`, {}, { watchable: () => false }],
  ['coinNotWatchable', `Coin ${makerCoin} does not support watchers`, {}, { watchable: (coin) => coin === takerCoin }],
  ['outOfTime', 'The swap starts in the future', { swap_started_at: unixSecondsOf(LAST_START / 1000 + 1) }, {}],
  ['outOfTime', 'The swap is long over', {}, { now: millisOf(OVER) }],
];

describe('why a watcher ignores a message', () => {
  it.each(refused)('%s: %s', (refusal, text, changes, surroundings) => {
    expect(acceptWatch({ ...watch, ...changes }, { ...around, ...surroundings })).toEqual({ ok: false, refusal, text });
  });

  it('checks the reasons in this order, so that the first one that applies counts', () => {
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

  it('accepts a swap that starts a minute ahead of its clock, and refuses one that starts a second later', () => {
    expect(LAST_START % 1000).toBe(0);
    const starting = (seconds: number) => refusal({ swap_started_at: unixSecondsOf(LAST_START / 1000 + seconds) });
    expect([starting(-1), starting(0), starting(1)]).toEqual([null, null, 'outOfTime']);
  });
});
