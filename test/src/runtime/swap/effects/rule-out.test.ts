import { describe, expect, it } from 'vitest';
import { isGone, refundIsHarmless } from '../../../../../src/runtime/swap/effects/rule-out.ts';
import {
  asked,
  decided,
  found,
  fundedBy,
  looked,
  PAID,
  requested,
  spentWith,
  TAKEN,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { refundPoll: 40 };
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;
const OTHER = { tx_hex: 'bb00', tx_hash: 'bb'.repeat(32) };
const YES = { value: true };
const NO = { value: false };

const harmless = (changes: TurnChanges) => decided(refundIsHarmless, turnOf({ policy: POLICY, ...changes }))[0];
const attempted = { prepared: { claim: [preparedOf()] } };

describe('the refund of a maker is harmless', () => {
  const swap = { ...MAKER, claim: TAKEN };
  const theirs = (view: Parameters<typeof looked>[0], ago = 0) => ({ payments: { taker: looked(view, ago) } });
  const ask = {
    pending: asked('taker', { op: 'payment', query: { terms: turnOf({ swap: MAKER }).swap.otherTerms as never } }),
  };

  it('where it never claimed, without a look', () => {
    expect(harmless({ swap: MAKER })).toEqual(YES);
    expect(harmless({ swap: { ...MAKER, secretIsPublic: true } })).toEqual(YES);
    const signed = { prepared: { claim: [preparedOf({ attemptedAt: null })] } };
    expect(harmless({ swap: MAKER, journal: signed })).toEqual(YES);
  });

  it('never without a look where it may have claimed', () => {
    expect(harmless({ swap })).toStrictEqual(ask);
    expect(harmless({ swap: MAKER, journal: attempted })).toStrictEqual(ask);
    expect(
      harmless({ swap, facts: theirs({ spend: spentWith('refund', { confirmations: 3 }) }, 40_001) }),
    ).toStrictEqual(ask);
    expect(harmless({ swap, facts: theirs({ spend: spentWith('refund', { confirmations: 3 }) }, 40_000) })).toEqual(
      YES,
    );
  });

  it('never without a look after a log from elsewhere that found the other payment valid', () => {
    const validated = { ...MAKER, otherValidated: true };
    expect(harmless({ swap: validated })).toStrictEqual(ask);
    expect(harmless({ swap: validated, journal: { request: requested() } })).toEqual(YES);
  });

  it('once the taker has its payment back for good', () => {
    expect(harmless({ swap, journal: { settled: { taker: { how: 'refunded' } as never } } })).toEqual(YES);
    expect(harmless({ swap, journal: { settled: { taker: { how: 'claimed' } as never } } })).toStrictEqual(ask);
    expect(harmless({ swap, journal: { settled: { maker: { how: 'refunded' } as never } } })).toStrictEqual(ask);
    expect(harmless({ swap, facts: theirs({ spend: spentWith('refund', { confirmations: 3 }) }) })).toEqual(YES);
    expect(harmless({ swap, facts: theirs({ spend: spentWith('refund', { confirmations: 2 }) }) })).toEqual(NO);
    expect(harmless({ swap, facts: theirs({ spend: spentWith('secret', { confirmations: 9 }) }) })).toEqual(NO);
  });

  it('where the taker payment stands unspent past its lock, and no node took a claim of its own', () => {
    const validated = { ...MAKER, otherValidated: true };
    const funding = fundedBy();
    expect(harmless({ swap: validated, facts: theirs({ funding, refundable: true }) })).toEqual(YES);
    expect(harmless({ swap: validated, facts: theirs({ funding }) })).toEqual(NO);
    expect(harmless({ swap, facts: theirs({ funding, refundable: true }) })).toEqual(NO);
    const contested = theirs({ funding, refundable: true });
    // One that was written down and that nobody took is ruled out by a look, and by nothing less.
    expect(harmless({ swap: validated, journal: attempted, facts: contested })).toEqual(YES);
    expect(harmless({ swap: validated, journal: attempted, facts: theirs({ funding }) })).toEqual(NO);
    expect(harmless({ swap: validated, journal: attempted })).toStrictEqual(ask);
    const taken = { prepared: { claim: [preparedOf({ acceptedAt: after(-50) })] } };
    expect(harmless({ swap: validated, journal: taken, facts: contested })).toEqual(NO);
  });

  it('if the taker payment is gone', () => {
    const gone = { missingSince: { taker: 97 } };
    expect(harmless({ swap, facts: { ...theirs({}), ...gone } })).toEqual(YES);
    expect(harmless({ swap, facts: theirs({}) })).toEqual(NO);
  });
});

describe('the refund of a taker is harmless', () => {
  const funding = fundedBy();

  it('while it does not know the secret', () => {
    expect(harmless({ swap: { claim: TAKEN, otherValidated: true }, journal: attempted })).toEqual(YES);
  });

  it('never while the maker payment is on the chain, whatever its lock', () => {
    const facts = { payments: { maker: looked({ funding, refundable: true }) } };
    expect(harmless({ swap: { secretIsPublic: true } })).toMatchObject({ pending: { key: 'maker:payment' } });
    expect(harmless({ swap: { secretIsPublic: true }, facts })).toEqual(NO);
  });
});

const hash = OTHER.tx_hash;
const gone = (leg: 'maker' | 'taker', { facts, ...changes }: TurnChanges = {}) =>
  decided(
    (turn) => isGone(turn, leg),
    turnOf({
      policy: POLICY,
      ...changes,
      swap: { ownPayment: PAID, otherPayment: OTHER, ...changes.swap },
      facts: { payments: { maker: looked({ height: 100 }), taker: looked({ height: 100 }) }, ...facts },
    }),
  );
const shows = (view: Parameters<typeof found>[1], more: TurnChanges['facts'] = {}) => ({
  facts: { transactions: found(hash, view), ...more },
});

describe('a payment that a look does not show', () => {
  it('is gone if nobody ever got it', () => {
    const journal = { request: requested() };
    expect(gone('taker', { journal })[0]).toEqual(YES);
    expect(gone('maker', { journal })[0]).toMatchObject({ pending: { key: `maker:transaction:${hash}` } });
    const sent = { ...journal, prepared: { payment: [preparedOf()] } };
    expect(gone('taker', { journal: sent })[0]).toMatchObject({
      pending: { key: `taker:transaction:${PAID.tx_hash}` },
    });
    expect(gone('taker')[0]).toMatchObject({ pending: { kind: 'ask' } });
  });

  it('is asked for by its transaction as often as a refund is', () => {
    const key = `transaction:${hash}`;
    const ask = { pending: asked('maker', { op: 'transaction', hash, key }) };
    expect(gone('maker', { facts: { transactions: found(hash, {}, 40_001) } })[0]).toStrictEqual(ask);
    expect(gone('maker', { facts: { transactions: found(hash, {}, 40_000) } })).toEqual([NO, 1]);
  });

  it.each(['conflicted', 'reverted'] as const)('is gone once it is %s for good', (status) => {
    expect(gone('maker', shows({ status, confirmations: 2 }))[0]).toEqual(YES);
    expect(gone('maker', shows({ status, confirmations: 1 }))[0]).toEqual(NO);
    expect(gone('maker', shows({ status, confirmations: 1 }, { missingSince: { maker: 1 } }))[0]).toEqual(NO);
  });

  it.each(['mempool', 'confirmed'] as const)('is not gone while its transaction is seen: %s', (status) => {
    expect(gone('maker', shows({ status, confirmations: 9 }, { missingSince: { maker: 1 } }))[0]).toEqual(NO);
  });

  it('is gone when a node has missed it for as many blocks as finality takes', () => {
    expect(gone('maker', shows({}, { missingSince: { maker: 98 } }))[0]).toEqual(YES);
    expect(gone('maker', shows({}, { missingSince: { maker: 99 } }))[0]).toEqual(NO);
    expect(gone('maker', shows({}, { missingSince: { taker: 1 } }))[0]).toEqual(NO);
    expect(gone('maker', shows({}, { missingSince: { maker: 1 }, payments: { maker: null } }))[0]).toEqual(NO);
  });

  it('is missing without its transaction if the log does not name it', () => {
    for (const otherPayment of [null, { tx_hex: '', tx_hash: '' }]) {
      expect(gone('maker', { swap: { otherPayment } })[0]).toEqual(NO);
      const facts = { missingSince: { maker: 97 } };
      expect(gone('maker', { swap: { otherPayment }, facts })[0]).toEqual(YES);
    }
    expect(gone('taker', { swap: { ownPayment: null }, facts: { missingSince: { taker: 97 } } })[0]).toEqual(YES);
  });

  it('needs as many blocks as its own chain', () => {
    const traits = { maker: { finality: 10 } };
    expect(gone('maker', { ...shows({}, { missingSince: { maker: 91 } }), traits })[0]).toEqual(NO);
    expect(gone('maker', { ...shows({}, { missingSince: { maker: 90 } }), traits })[0]).toEqual(YES);
  });
});
