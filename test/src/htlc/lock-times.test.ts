import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BASE_LOCK_DURATION,
  isRefundable,
  isWatchedLockDuration,
  LOCK_MULTIPLES,
  lockDuration,
  lockDurations,
  lockMultiple,
  makerLockMultiplier,
  makerPaymentConfirmDeadline,
  makerPaymentLock,
  makerPaymentSendDeadline,
  makerPaymentWait,
  makerPaymentWaitBefore2020,
  makerPaymentWaitRule,
  makerSpendDeadline,
  orderbookTicker,
  refundWaitUntil,
  spendConfirmDeadline,
  takerFeeDeadline,
  takerPaymentLock,
  takerPaymentMessageWait,
  takerPaymentSendDeadline,
  watcherRefundFrom,
  watcherSpendFrom,
} from '../../../src/htlc/lock-times.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { describeShared } from '../../support/shared.ts';
import { recordedSwaps, secondsOf } from './corpus.ts';

const at = unixSecondsOf(1_700_000_000);
const L = BASE_LOCK_DURATION;
const startedAt = fc.nat(2 ** 32).map(unixSecondsOf);
const duration = fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 2 ** 50 }));

describe('times of a swap', () => {
  it('are those of the base duration as KDF documents them', () => {
    expect(takerPaymentLock(at, L) - at).toBe(7800);
    expect(makerPaymentLock(at, L) - at).toBe(15_600);
    expect(makerPaymentLock(at, L, { multiplier: 1.5 }) - at).toBe(11_700);
    expect(makerPaymentWait(at, L) - at).toBe(3120);
    expect(makerPaymentWaitBefore2020(at, L) - at).toBe(2600);
    expect(takerFeeDeadline(at, L) - at).toBe(2600);
    expect(makerPaymentSendDeadline(at, L) - at).toBe(2600);
    expect(takerPaymentSendDeadline(at, L) - at).toBe(3120);
    expect(makerPaymentConfirmDeadline(at, L) - at).toBe(3120);
    expect(takerPaymentMessageWait(L)).toBe(4770);
    expect(makerSpendDeadline(at, L) - at).toBe(6240);
    expect(refundWaitUntil(at) - at).toBe(3700);
    expect(spendConfirmDeadline(at) - at).toBe(3700);
    expect(watcherSpendFrom(at, L) - at).toBe(7800);
    expect(watcherRefundFrom(at, L) - at).toBe(11_700);
  });

  it('keep their order for every duration', () => {
    fc.assert(
      fc.property(startedAt, duration, (start, length) => {
        const ordered = [
          takerFeeDeadline(start, length),
          makerPaymentWait(start, length),
          makerSpendDeadline(start, length),
          takerPaymentLock(start, length),
        ];
        expect([...ordered].sort((left, right) => left - right)).toEqual(ordered);
        expect(makerSpendDeadline(start, length)).toBeLessThan(takerPaymentLock(start, length));
        const lightning = makerPaymentLock(start, length, { multiplier: 1.5 });
        expect(takerPaymentLock(start, length)).toBeLessThan(lightning);
        expect(lightning).toBeLessThanOrEqual(makerPaymentLock(start, length));
        expect(watcherRefundFrom(start, length)).toBeLessThanOrEqual(lightning);
        expect(makerPaymentWaitBefore2020(start, length)).toBeLessThanOrEqual(makerPaymentWait(start, length));
      }),
    );
  });

  it('are exact fractions, as computed in big integers', () => {
    fc.assert(
      fc.property(duration, (length) => {
        const start = unixSecondsOf(0);
        const whole = BigInt(length);
        expect(BigInt(makerPaymentWait(start, length))).toBe((2n * whole) / 5n);
        expect(BigInt(makerSpendDeadline(start, length))).toBe((4n * whole) / 5n);
        expect(BigInt(takerFeeDeadline(start, length))).toBe(whole / 3n);
        expect(BigInt(makerPaymentLock(start, length))).toBe(2n * whole);
        expect(BigInt(makerPaymentLock(start, length, { multiplier: 1.5 }))).toBe((3n * whole + 1n) / 2n);
        expect(BigInt(watcherRefundFrom(start, length))).toBe((3n * whole) / 2n);
      }),
    );
  });

  it('permit a refund strictly after the lock', () => {
    expect(isRefundable(at, at)).toBe(false);
    expect(isRefundable(at, unixSecondsOf(at + 1))).toBe(true);
  });
});

describe('negotiated duration', () => {
  it.each([
    ['KMD', 'DOGE', false, 1],
    ['KMD', 'DOGE', true, 4],
    ['BTC', 'DOGE', false, 4],
    ['KMD', 'BCH', false, 4],
    ['KMD', 'tBTC-lightning', false, 12],
    ['tBTC-lightning', 'KMD', false, 1],
    ['KMD', 'DOGE', undefined, 1],
    ['KMD', 'BTC', undefined, 10],
    ['SBTC', 'BTC', undefined, 10],
    ['BTG', 'KMD', undefined, 4],
  ])(
    'of maker coin %s and taker coin %s, notarised %s, is %i times the base',
    (makerCoin, takerCoin, notarised, multiple) => {
      const length = lockDuration({ makerCoin, takerCoin, notarisationRequired: notarised });
      expect(length).toBe(multiple * L);
      expect(lockMultiple(length)).toBe(multiple);
      expect(isWatchedLockDuration(length)).toBe(multiple !== 12);
    },
  );

  it('is among those that two nodes may agree on, in the same multiples of another base', () => {
    const coin = fc.constantFrom('KMD', 'BTC', 'BTC-segwit', 'BCH', 'LTC-segwit', 'tBTC-lightning');
    const base = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(coin, coin, fc.boolean(), base, (makerCoin, takerCoin, notarisationRequired, other) => {
        const given = { makerCoin, takerCoin, notarisationRequired };
        const allowed = lockDurations(given);
        const plain = { makerCoin: orderbookTicker(makerCoin), takerCoin: orderbookTicker(takerCoin) };
        for (const required of [notarisationRequired, undefined]) {
          expect(allowed).toContain(lockDuration({ ...plain, notarisationRequired: required }));
        }
        expect(allowed).toEqual([...new Set(allowed)].sort((left, right) => left - right));
        expect(lockDurations({ ...given, base: other })).toEqual(allowed.map((length) => (length / L) * other));
      }),
    );
  });

  it('is told apart from any other', () => {
    expect(LOCK_MULTIPLES.map((multiple) => lockMultiple(multiple * L))).toEqual([...LOCK_MULTIPLES]);
    for (const other of [0, 1, L - 1, 2 * L, 60]) expect(lockMultiple(other)).toBeUndefined();
  });

  it('is multiplied by 1.5 for the maker when the taker coin is Lightning', () => {
    expect(makerLockMultiplier('BTC-lightning')).toBe(1.5);
    expect(makerLockMultiplier('BTC')).toBe(2);
  });
});

describeShared('recorded times', () => {
  it('follow the formulas', () => {
    const rules = new Set<string>();
    let locks = 0;
    for (const { row, started } of recordedSwaps()) {
      const length = Number(started['lock_duration']);
      const start = secondsOf(started, 'started_at');
      if (!row.loadable) continue;
      expect(lockMultiple(length), row.file).toBeDefined();
      const [makerCoin, takerCoin] = [String(started['maker_coin']), String(started['taker_coin'])];
      const notarisationRequired = [started['maker_payment_requires_nota'], started['taker_payment_requires_nota']];
      const given = { makerCoin, takerCoin, notarisationRequired: notarisationRequired.includes(true) };
      expect(lockDurations(given), row.file).toContain(length);
      if (row.role === 'Maker') {
        expect(secondsOf(started, 'maker_payment_lock'), row.file).toBe(makerPaymentLock(start, length));
      } else {
        const wait = secondsOf(started, 'maker_payment_wait');
        const rule = makerPaymentWaitRule({ startedAt: start, lockDuration: length, makerPaymentWait: wait });
        expect(secondsOf(started, 'taker_payment_lock'), row.file).toBe(takerPaymentLock(start, length));
        expect(rule, row.file).toBe(start < 1_580_900_000 ? 'oneThird' : 'twoFifths');
        rules.add(String(rule));
      }
      locks++;
    }
    expect([...rules].sort()).toEqual(['oneThird', 'twoFifths']);
    expect(locks).toBeGreaterThan(80);
  });

  it('have a wait_until of the own lock and 3700 seconds', () => {
    let seen = 0;
    for (const { row, started, events } of recordedSwaps()) {
      const role = row.role === 'Maker' ? 'maker' : 'taker';
      const waiting = events.get(role === 'maker' ? 'MakerPaymentWaitRefundStarted' : 'TakerPaymentWaitRefundStarted');
      const until = (waiting as { wait_until?: number } | undefined)?.wait_until;
      if (until === undefined || row.synthetic || row.form.includes('go-union')) continue;
      expect(until, row.file).toBe(refundWaitUntil(secondsOf(started, `${role}_payment_lock`)));
      seen++;
    }
    expect(seen).toBeGreaterThan(0);
  });
});
