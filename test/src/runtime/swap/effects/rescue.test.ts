import { describe, expect, it } from 'vitest';
import { act, rescueOf } from '../../../../../src/runtime/swap/effects/rescue.ts';
import {
  asked,
  broadcastOf,
  decided,
  failed,
  found,
  fundedBy,
  looked,
  makerContext,
  PAID,
  requested,
  SAID,
  SECRET,
  spentWith,
  TAKEN,
  takerContext,
} from '../../../../support/effect-turns.ts';
import { after, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const POLICY = { spendPoll: 20, refundPoll: 40 };
const OTHER = { tx_hex: 'bb00', tx_hash: 'bb'.repeat(32) };
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;

/** A taker whose log tells of both payments and of the secret. */
const takerTurn = ({ swap, ...rest }: TurnChanges = {}) =>
  turnOf({
    policy: POLICY,
    events: SAID,
    context: takerContext({ secret: SECRET, takerPayment: PAID, makerPayment: OTHER }),
    ...rest,
    swap: { ownPayment: PAID, otherPayment: OTHER, ...swap },
  });
const rescued = (changes: TurnChanges = {}) => decided(rescueOf, takerTurn(changes));
const blind = takerContext({ takerPayment: PAID, makerPayment: OTHER });

const unspent = { funding: fundedBy({ tx: OTHER }) };
const spent = (how: 'secret' | 'refund', changes: object = {}) => ({ spend: spentWith(how, changes) });

const claims = { action: 'spendOtherPayment', coin: 'DOC', payment: OTHER, secret: SECRET };

describe('the rescue of a taker’s coins', () => {
  it('first asks for what its secret can claim', () => {
    expect(rescued()[0]).toMatchObject({ pending: { kind: 'ask', key: 'maker:payment' } });
    expect(rescued({ facts: { payments: { maker: looked(unspent) } } })[0]).toEqual(claims);
    expect(rescued({ facts: { payments: { maker: looked(unspent, 20_001) } } })[0]).toMatchObject({
      pending: { kind: 'ask' },
    });
  });

  it('reads the secret from the spend of its own payment', () => {
    expect(rescued({ context: blind })[0]).toMatchObject({ pending: { key: 'taker:payment' } });
    const taker = looked(spent('secret'));
    expect(rescued({ context: blind, facts: { payments: { taker } } })[0]).toMatchObject({
      pending: { key: 'maker:payment' },
    });
    expect(rescued({ context: blind, facts: { payments: { taker, maker: looked(unspent) } } })[0]).toEqual(claims);
  });

  it('continues with the other chain if one does not answer', () => {
    const tries = failed('maker:payment');
    expect(rescued({ facts: { tries } })[0]).toMatchObject({ reason: 'lookUpFailed' });
    const both = takerContext({ secret: SECRET, takerPayment: PAID });
    expect(rescued({ context: both, facts: { tries } })[0]).toMatchObject({
      reason: 'lookUpFailed',
      refused: 'no answer',
    });
  });
});

describe('the rescue of a taker’s coins, by what the chains show,', () => {
  it('says when a refund is due, by the clock of the chain', () => {
    const taker = { funding: fundedBy() };
    const { lock } = takerTurn().swap.ownTerms as { lock: number };
    expect(rescued({ context: blind, facts: { payments: { taker: looked(taker) } } })[0]).toEqual({
      reason: 'tooEarly',
      refused: `Too early to refund, wait until ${lock}`,
      from: lock,
    });
    const due = looked({ ...taker, refundable: true });
    expect(rescued({ context: blind, facts: { payments: { taker: due } } })[0]).toEqual({
      action: 'refundOwnPayment',
      coin: 'MARTY',
      payment: PAID,
    });
    const traits = { taker: { refund: 'automatic' } } as const;
    expect(rescued({ context: blind, traits, facts: { payments: { taker: due } } })[0]).toMatchObject({
      reason: 'automatic',
    });
    const searched = takerContext();
    expect(rescued({ context: searched, facts: { payments: { taker: due } } })[0]).toMatchObject({
      action: 'refundOwnPayment',
      payment: PAID,
    });
    const noLock = { ownTerms: null };
    const view = { payments: { taker: looked(taker) } };
    expect(rescued({ context: blind, swap: noLock, facts: view })[0]).toMatchObject({ action: 'refundOwnPayment' });
  });
});

describe('the rescue of a taker’s coins, by what became of the payments,', () => {
  it.each([
    ['claimed', spent('secret'), 'Maker payment was already spent by DOC tx '],
    ['otherRefunded', spent('refund', { confirmations: 2 }), 'Maker payment was already refunded by DOC tx '],
  ])('finds it %s', (reason, view, text) => {
    const taker = looked(spent('secret'));
    const expected = { reason, refused: text + TAKEN.tx_hash };
    expect(rescued({ facts: { payments: { maker: looked(view), taker } } })[0]).toEqual(expected);
    const nameless = { ...view, spend: { ...view.spend, tx: null } };
    expect(rescued({ facts: { payments: { maker: looked(nameless), taker } } })[0]).toEqual({ reason, refused: text });
  });

  it('waits until the refund of the other payment is final: it may come back', () => {
    const maker = looked(spent('refund', { confirmations: 1 }));
    expect(rescued({ facts: { payments: { maker } } })).toEqual([
      { reason: 'lookUpFailed', refused: expect.anything() },
      20_000,
    ]);
    const own = looked(spent('refund', { confirmations: 0 }));
    expect(rescued({ context: blind, facts: { payments: { taker: own } } })[0]).toEqual({
      reason: 'refunded',
      refused: `Taker payment has been refunded already by transaction ${TAKEN.tx_hash}`,
    });
  });

  it('needs no payment if its spend is seen', () => {
    const searched = takerContext({ secret: SECRET, takerPayment: PAID });
    const maker = looked(spent('secret'));
    const taker = looked({ funding: fundedBy() });
    expect(rescued({ context: searched, facts: { payments: { maker, taker } } })[0]).toMatchObject({
      reason: 'claimed',
    });
    const open = looked(unspent);
    expect(rescued({ context: searched, facts: { payments: { maker: open } } })[0]).toEqual(claims);
  });
});

describe('a payment that the rescue does not find', () => {
  const none = looked();

  it('is broadcast again if it is the other side’s, and then waited for', () => {
    expect(rescued({ facts: { payments: { maker: none } } })[0]).toMatchObject({
      pending: { key: `maker:transaction:${OTHER.tx_hash}` },
    });
    const transactions = found(OTHER.tx_hash, {});
    expect(rescued({ facts: { payments: { maker: none }, transactions } })).toEqual([
      { pending: broadcastOf('maker', OTHER) },
      20_000,
    ]);
  });

  it('ends the rescue if it is gone for good', () => {
    const transactions = found(OTHER.tx_hash, { status: 'conflicted', confirmations: 3 });
    const taker = looked(spent('secret'));
    expect(rescued({ facts: { payments: { maker: none, taker }, transactions } })[0]).toMatchObject({
      reason: 'otherPaymentUnknown',
    });
    const own = {
      payments: { taker: none },
      transactions: found(PAID.tx_hash, { status: 'reverted', confirmations: 3 }),
    };
    expect(rescued({ context: blind, facts: own })[0]).toMatchObject({ reason: 'ownPaymentNotFound' });
    const never = { request: requested() };
    expect(rescued({ context: blind, journal: never, facts: { payments: { taker: none } } })[0]).toMatchObject({
      reason: 'ownPaymentNotFound',
    });
  });

  it('is waited for if it is the own one', () => {
    const facts = { payments: { taker: none }, transactions: found(PAID.tx_hash, {}) };
    expect(rescued({ context: blind, facts })).toMatchObject([{ reason: 'lookUpFailed' }, 20_000]);
  });
});

describe('the rescue of a maker’s coins', () => {
  const makerTurn = (changes: TurnChanges = {}) =>
    decided(
      rescueOf,
      takerTurn({
        context: makerContext({ makerPayment: PAID, takerPayment: OTHER, takerPaymentValidated: true }),
        ...changes,
        swap: MAKER,
      }),
    )[0];
  const maker = looked({ funding: fundedBy(), refundable: true });

  it('asks whether the taker can take its payment back, before the secret is shown', () => {
    const taker = looked(unspent);
    expect(makerTurn({ facts: { payments: { maker, taker } } })).toMatchObject({ action: 'spendOtherPayment' });
    const contested = looked({ ...unspent, refundable: true });
    expect(makerTurn({ facts: { payments: { maker, taker: contested } } })).toMatchObject({
      action: 'refundOwnPayment',
    });
  });

  it('claims past that moment if the secret is already public', () => {
    const contested = looked({ ...unspent, refundable: true });
    const journal = { prepared: { claim: [preparedOf({ acceptedAt: after(-50) })] } };
    const facts = { payments: { maker, taker: contested } };
    expect(makerTurn({ journal, facts })).toMatchObject({ action: 'spendOtherPayment' });
    const unseen = { prepared: { claim: [preparedOf()] } };
    expect(makerTurn({ journal: unseen, facts })).toMatchObject({ action: 'refundOwnPayment' });
    const signed = { prepared: { claim: [preparedOf({ attemptedAt: null })] } };
    expect(makerTurn({ journal: signed, facts })).toMatchObject({ action: 'refundOwnPayment' });
  });
});

describe('an action of the rescue', () => {
  const claim = { action: 'spendOtherPayment', coin: 'DOC', payment: OTHER, secret: SECRET } as const;
  const refund = { action: 'refundOwnPayment', coin: 'MARTY', payment: PAID } as const;
  const acts = (rescue: Parameters<typeof act>[1], changes: TurnChanges = {}) =>
    decided((turn) => act(turn, rescue), takerTurn(changes));

  it('waits for what it depends on', () => {
    const pending = asked('maker', { op: 'quote' });
    expect(acts({ pending })[0]).toBe(pending);
    expect(acts({ reason: 'tooEarly', refused: 'x' })).toEqual([null, 40_000]);
  });

  it('claims with the secret that was found', () => {
    expect(acts(claim, { facts: { payments: { maker: looked(unspent) } } })[0]).toMatchObject({
      key: 'maker:prepare:claim',
      question: { request: { secret: SECRET, funding: OTHER } },
    });
    expect(acts(claim)).toEqual([null, 20_000]);
  });

  it('refunds a payment on the chain, and makes any other impossible', () => {
    const facts = { payments: { taker: looked({ funding: fundedBy() }) } };
    expect(acts(refund, { facts })[0]).toMatchObject({
      key: 'taker:prepare:refund',
      question: { request: { funding: PAID } },
    });
    const journal = { prepared: { payment: [preparedOf({ tx: PAID })] } };
    expect(acts(refund, { journal, facts: { payments: { taker: looked() } } })[0]).toMatchObject({
      key: `taker:transaction:${PAID.tx_hash}`,
    });
    expect(acts(refund)).toEqual([null, 20_000]);
  });

  it('refunds nothing beside a claim that may have gone out', () => {
    const taker = looked({ funding: fundedBy() });
    const swap = { secretIsPublic: true };
    expect(acts(refund, { swap, facts: { payments: { taker } } })[0]).toMatchObject({ key: 'maker:payment' });
    const facts = { payments: { taker, maker: looked(unspent) } };
    expect(acts(refund, { swap, facts })).toEqual([null, 20_000]);
  });
});
