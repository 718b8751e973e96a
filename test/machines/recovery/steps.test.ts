import { describe, expect, it } from 'vitest';
import type { RecoveryFacts } from '../../../machines/recovery/facts.ts';
import {
  answered,
  done,
  found,
  gone,
  isAbsent,
  matchingSecret,
  refundOwn,
  searchFailed,
  secretOf,
} from '../../../machines/recovery/steps.ts';
import { makerStarted, START, takerNegotiated, tx } from '../../support/swap-contexts.ts';

const yes = <T>(value: T) => ({ ok: true as const, value });
const no = (error: string) => ({ ok: false as const, error });

describe('the answer to a look-up', () => {
  it('is what was found, even if that is nothing', () => {
    expect(answered('ownPayment', yes(tx('a')))).toEqual(found(tx('a')));
    expect(answered('ownPayment', yes(null))).toEqual({ found: null });
    expect(answered('otherRefundable', yes(false))).toEqual({ found: false });
  });

  it('is asked for while it is not there', () => {
    expect(answered('otherPaymentSpend', undefined)).toEqual({ done: { look: 'otherPaymentSpend' } });
  });

  it('ends the search if the chain gave none, in the words of the caller or of the chain', () => {
    expect(answered('ownPayment', no('down'))).toEqual(done({ refused: 'down', reason: 'lookUpFailed' }));
    expect(answered('ownPaymentSpend', no('down'), searchFailed('taker'))).toEqual(
      done({ refused: 'Error down when trying to find taker payment spend', reason: 'lookUpFailed' }),
    );
    expect(searchFailed('maker').failed('down')).toBe('Error down when trying to find maker payment spend');
  });

  it('shows a payment to be absent only if the chain said so', () => {
    expect([undefined, no('down'), yes(tx('a')), yes(null)].map(isAbsent)).toEqual([false, false, false, true]);
  });
});

describe('a payment that is spent', () => {
  const told = (owner: 'maker' | 'taker', kind: 'spent' | 'refunded') =>
    gone(owner, { kind, tx: tx('t') }, { coin: 'DOC' });

  it('was claimed or refunded, by which transaction of which coin', () => {
    expect(told('maker', 'spent')).toEqual({
      refused: 'Maker payment was already spent by DOC tx t',
      reason: 'claimed',
    });
    expect(told('taker', 'spent')).toMatchObject({ refused: 'Taker payment was already spent by DOC tx t' });
    expect(told('taker', 'refunded')).toEqual({
      refused: 'Taker payment was already refunded by DOC tx t',
      reason: 'otherRefunded',
    });
  });
});

describe('the refund of an own payment', () => {
  const own = { coin: 'DOC', payment: tx('a') };
  const refund = (facts: RecoveryFacts) => refundOwn('taker', own, facts);

  it('is left to a chain that does it by itself', () => {
    expect(refund({ autoRefund: true, refundableFrom: yes(null) })).toEqual({
      refused: 'Taker payment will be refunded automatically!',
      reason: 'automatic',
    });
    expect(refundOwn('maker', own, { autoRefund: true })).toMatchObject({
      refused: 'Maker payment will be refunded automatically!',
    });
  });

  it('waits for the moment that the chain names', () => {
    expect(refund({ autoRefund: false })).toEqual({ look: 'refundableFrom' });
    expect(refund({ refundableFrom: no('down') })).toEqual({ refused: 'down', reason: 'lookUpFailed' });
    expect(refund({ refundableFrom: yes(START) })).toEqual({
      refused: 'Too early to refund, wait until 1700000000',
      reason: 'tooEarly',
      from: START,
    });
    expect(refund({ refundableFrom: yes(null) })).toEqual({ action: 'refundOwnPayment', ...own });
  });
});

describe('a secret', () => {
  const { secret } = makerStarted;
  const hash = takerNegotiated.secret_hash ?? '';

  it('counts only with its hash, in whatever spelling', () => {
    expect(matchingSecret(secret, hash)).toBe(secret);
    expect(matchingSecret(secret.toUpperCase(), hash.toUpperCase())).toBe(secret);
    for (const wrong of [null, undefined, '', '0'.repeat(64), `${secret}00`, 'no hex']) {
      expect(matchingSecret(wrong, hash)).toBeUndefined();
    }
    for (const wrong of [null, '', '00'.repeat(20), 'no hex']) expect(matchingSecret(secret, wrong)).toBeUndefined();
  });

  it('is read from a spend: as the adapter read it, else from the transaction', () => {
    const spend = { kind: 'spent', tx: tx('t') } as const;
    expect(secretOf({ ...spend, secret }, hash)).toBe(secret);
    for (const unread of [spend, { ...spend, secret: null }, { ...spend, secret: '11'.repeat(32) }]) {
      expect(secretOf(unread, hash)).toBeUndefined();
    }
  });

  it('is in no transaction and under no hash that cannot be read', () => {
    const spend = { kind: 'spent', tx: { tx_hex: 'no hex', tx_hash: 't' } } as const;
    expect(secretOf(spend, hash)).toBeUndefined();
    expect(secretOf({ ...spend, secret }, hash)).toBe(secret);
    expect(secretOf({ ...spend, secret }, null)).toBeUndefined();
    expect(secretOf({ ...spend, secret }, 'no hex')).toBeUndefined();
  });
});
