import { describe, expect, it } from 'vitest';
import { amountText, engineStep, legFunds, OUTCOMES } from '../../machines/swap-verdict.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { at, MAKER_LOCK, TAKER_LOCK } from '../support/swap-contexts.ts';

const amount = '2.4' as DecimalText;

describe('the amount of a payment in a sentence', () => {
  it('comes before its coin, as far as both are known', () => {
    expect(amountText({ coin: 'DOC', amount })).toBe('2.4 DOC');
    expect(amountText({ coin: 'DOC', amount: null })).toBe('an unknown amount of DOC');
    expect(amountText({ coin: null, amount })).toBe('an unknown amount');
  });
});

type LegFacts = Parameters<typeof legFunds>[0];

function leg(facts: Partial<LegFacts> = {}) {
  const none = { tx: null, uncertain: false, spent: null, refunded: null, secretKnown: false };
  return legFunds({ coin: 'DOC', amount, owner: 'maker', lock: MAKER_LOCK, ...none, ...facts });
}

const DOC = { coin: 'DOC', amount: '2.4' };
const nobody = { by: null, claimable: [] };
const refund = { by: 'maker', how: 'refund', from: MAKER_LOCK, until: null };
const withSecret = { by: 'taker', how: 'secret', from: null, until: MAKER_LOCK };

describe('where a payment is', () => {
  it('nowhere, locked or uncertain, with the party that can refund it', () => {
    expect(leg()).toEqual({ ...DOC, ...nobody, status: 'none', tx: null });
    expect(leg({ tx: 'a' })).toEqual({ ...DOC, status: 'locked', tx: 'a', by: null, claimable: [refund] });
    for (const tx of ['a', null]) {
      const uncertain = { ...DOC, status: 'uncertain', tx, by: null, claimable: [refund] };
      expect(leg({ tx, uncertain: true })).toEqual(uncertain);
    }
  });

  it('the other side’s with the secret, until the owner can take it back', () => {
    expect(leg({ tx: 'a', secretKnown: true }).claimable).toEqual([withSecret, refund]);
    expect(leg({ tx: 'a', secretKnown: true, owner: 'taker', lock: TAKER_LOCK }).claimable).toEqual([
      { by: 'maker', how: 'secret', from: null, until: TAKER_LOCK },
      { by: 'taker', how: 'refund', from: TAKER_LOCK, until: null },
    ]);
  });

  it('spent, by whom and in which transaction, even if the payment itself is unknown', () => {
    for (const tx of ['a', null]) {
      const spent = leg({ tx, uncertain: true, secretKnown: true, spent: { by: 'watcher', tx: 's' } });
      expect(spent).toEqual({ ...DOC, status: 'spent', tx: 's', by: 'watcher', claimable: [] });
    }
    expect(leg({ spent: { by: 'taker', tx: null, doubtful: false } })).toMatchObject({ status: 'spent', tx: null });
  });

  it('uncertain if its spend is in doubt: that spend is the transaction to look for', () => {
    const doubtful = { by: 'taker', tx: 's', doubtful: true } as const;
    const open = { ...DOC, status: 'uncertain', by: null, claimable: [withSecret, refund] };
    expect(leg({ tx: 'a', secretKnown: true, spent: doubtful })).toEqual({ ...open, tx: 's' });
    expect(leg({ tx: 'a', secretKnown: true, spent: { ...doubtful, tx: null } })).toEqual({ ...open, tx: 'a' });
    expect(leg({ tx: null, secretKnown: true, spent: { ...doubtful, tx: null } })).toEqual({ ...open, tx: null });
  });

  it('refunded before all else', () => {
    const refunded = leg({ tx: 'a', spent: { by: 'taker', tx: 's' }, refunded: { by: 'maker', tx: 'r' } });
    expect(refunded).toEqual({ ...DOC, status: 'refunded', tx: 'r', by: 'maker', claimable: [] });
  });
});

describe('the next step of a running node', () => {
  const describeEffect = (effect: string) => `Do ${effect}`;
  const none = { action: 'a', who: 'engine', notBefore: null, until: null };

  it('does not exist without a want', () => {
    expect(engineStep(undefined, describeEffect)).toBeNull();
  });

  it('names each of the moments of the want', () => {
    expect(engineStep({ effect: 'a' }, describeEffect)).toEqual({ ...none, text: 'Do a.' });
    expect(engineStep({ effect: 'a', notBefore: at(0) }, describeEffect)).toEqual({
      ...none,
      notBefore: 1_700_000_000,
      text: 'Do a, not before 2023-11-14 22:13:20 UTC.',
    });
    expect(engineStep({ effect: 'a', until: at(60) }, describeEffect)).toEqual({
      ...none,
      until: 1_700_000_060,
      text: 'Do a, until 2023-11-14 22:14:20 UTC.',
    });
    expect(engineStep({ effect: 'a', contestedFrom: at(120) }, describeEffect)).toEqual({
      ...none,
      until: 1_700_000_120,
      text: 'Do a, best before 2023-11-14 22:15:20 UTC, when the other side can take it too.',
    });
  });

  it('ends with its deadline, and not only when it is contested', () => {
    const want = { effect: 'a', notBefore: at(0), until: at(60), contestedFrom: at(120) };
    expect(engineStep(want, describeEffect)).toEqual({
      ...none,
      notBefore: 1_700_000_000,
      until: 1_700_000_060,
      text: 'Do a, not before 2023-11-14 22:13:20 UTC, until 2023-11-14 22:14:20 UTC, best before 2023-11-14 22:15:20 UTC, when the other side can take it too.',
    });
  });
});

describe('the outcomes of a swap', () => {
  it('are eight, each named once', () => {
    expect(OUTCOMES).toEqual([
      'in-progress',
      'completed',
      'refunded',
      'failed-before-payment',
      'claim-pending',
      'refund-pending',
      'funds-at-risk',
      'lost',
    ]);
  });
});
