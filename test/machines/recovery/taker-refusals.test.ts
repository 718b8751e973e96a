import { describe, expect, it } from 'vitest';
import type { FoundSpend, RecoveryFacts } from '../../../machines/recovery/facts.ts';
import { recoverTaker, recoverTakerAsKdf } from '../../../machines/recovery/taker.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import {
  at,
  makerStarted,
  START,
  takerContext,
  takerNegotiated,
  takerStarted,
  tx,
} from '../../support/swap-contexts.ts';

type Facts = Partial<TakerSwapContext>;

const yes = <T>(value: T) => ({ ok: true as const, value });
const no = (error: string) => ({ ok: false as const, error });
const { secret } = makerStarted;
const refused = (reason: string, text: string) => ({ refused: text, reason });
const spentBy = (id: string, shown?: string): FoundSpend => ({ kind: 'spent', tx: tx(id), secret: shown ?? null });
const refundedBy = (id: string): FoundSpend => ({ kind: 'refunded', tx: tx(id) });

const paid: Facts = { makerPayment: tx('maker pays'), takerPayment: tx('taker pays') };
const secretSeen: Facts = { ...paid, takerPaymentSpend: tx('maker takes'), secret };
const claim = { action: 'spendOtherPayment', coin: 'DOC', payment: tx('maker pays'), secret };
const refund = { action: 'refundOwnPayment', coin: 'MARTY', payment: tx('taker pays') };

const NOT_FOUND = refused('ownPaymentNotFound', 'Taker payment is not found, swap is not recoverable');
const NO_OTHER = refused('otherPaymentUnknown', 'No info about maker payment, swap is not recoverable');
const NO_SECRET = refused('secretUnknown', "Couldn't extract secret");

const engine = (log: Facts, facts: RecoveryFacts = {}) => recoverTaker(takerContext(log), facts);
const kdf = (log: Facts, facts: RecoveryFacts = {}) =>
  recoverTakerAsKdf(takerContext({ finishedAt: START, ...log }), facts);

describe('why the engine recovers nothing for a taker', () => {
  it('because there are no terms: nothing can have been paid', () => {
    const nothing = refused('notStarted', 'Taker payment is not found, swap is not recoverable');
    expect(engine({ ...paid, negotiated: null })).toEqual(nothing);
    expect(engine({ ...paid, started: null })).toEqual(nothing);
    expect(recoverTaker(initialTakerSwapContext(), {})).toEqual(nothing);
  });

  it('because its own payment is not there', () => {
    expect(engine({ takerPayment: null })).toEqual({ look: 'ownPayment' });
    expect(engine({ takerPayment: null }, { ownPayment: yes(null) })).toEqual(NOT_FOUND);
    expect(engine(paid, { ownPayment: yes(null) })).toEqual(NOT_FOUND);
    expect(engine({ takerPayment: null }, { ownPayment: no('down') })).toEqual(refused('lookUpFailed', 'down'));
  });

  it('because its own payment came back, or a chain gives no answer', () => {
    expect(engine(paid)).toEqual({ look: 'ownPaymentSpend' });
    expect(engine(paid, { ownPaymentSpend: yes(refundedBy('r')) })).toEqual(
      refused('refunded', 'Taker payment has been refunded already by transaction r'),
    );
    expect(engine(paid, { ownPaymentSpend: no('down') })).toEqual(refused('lookUpFailed', 'down'));
  });

  it('because its chain refunds by itself', () => {
    expect(engine(paid, { ownPaymentSpend: yes(null), autoRefund: true })).toEqual(
      refused('automatic', 'Taker payment will be refunded automatically!'),
    );
  });

  it('because the spend of its payment shows no secret', () => {
    expect(engine(paid, { ownPaymentSpend: yes(spentBy('s')) })).toEqual(NO_SECRET);
  });

  it('because the maker payment is gone, and so is its own', () => {
    const ownPaymentSpend = yes(spentBy('s'));
    expect(engine(secretSeen, { ownPaymentSpend, otherPaymentSpend: yes(refundedBy('r')) })).toEqual(
      refused('otherRefunded', 'Maker payment was already refunded by DOC tx r'),
    );
    expect(engine(secretSeen, { ownPaymentSpend, otherPayment: yes(null) })).toEqual(NO_OTHER);
    expect(engine(secretSeen, { otherPaymentSpend: yes(spentBy('s')) })).toEqual(
      refused('claimed', 'Maker payment was already spent by DOC tx s'),
    );
    expect(engine(secretSeen, { otherPaymentSpend: no('down') })).toEqual(
      refused('lookUpFailed', 'Error down when trying to find maker payment spend'),
    );
  });
});

describe('what the engine recovers for a taker', () => {
  it('the maker payment, with the secret of the log or of the spend', () => {
    expect(engine(secretSeen)).toEqual({ look: 'otherPaymentSpend' });
    expect(engine(secretSeen, { otherPaymentSpend: yes(null) })).toEqual(claim);
    const facts = { ownPaymentSpend: yes(spentBy('s', secret)), otherPaymentSpend: yes(null) };
    expect(engine(paid, facts)).toEqual(claim);
  });

  it('its own payment if the chain shows that there is no maker payment, or that it was refunded', () => {
    const unspent = { ownPaymentSpend: yes(null), refundableFrom: yes(null) };
    expect(engine(secretSeen, { ...unspent, otherPayment: yes(null) })).toEqual(refund);
    expect(engine(secretSeen, { ...unspent, otherPaymentSpend: yes(refundedBy('r')) })).toEqual(refund);
    expect(engine(paid, unspent)).toEqual(refund);
  });

  it('what the first look at the maker payment said, if its own payment is missing', () => {
    const log = { ...secretSeen, takerPayment: null };
    expect(engine(log, { otherPayment: yes(null), ownPayment: yes(null) })).toEqual(NO_OTHER);
  });
});

describe('why the rule of the real node recovers nothing for a taker', () => {
  it('because the log cannot be loaded', () => {
    const bare = initialTakerSwapContext();
    expect(recoverTakerAsKdf(bare, {})).toEqual(refused('notStarted', "Can't restore swap from empty events set"));
    expect(recoverTakerAsKdf({ ...bare, lastEventAt: at(0) }, {})).toEqual(
      refused('notStarted', 'First swap event must be Started'),
    );
  });

  it('because the log is not finished, or calls something settled', () => {
    expect(kdf({ ...paid, finishedAt: null })).toEqual(
      refused('notFinished', 'Swap must be finished before recover funds attempt'),
    );
    expect(kdf({ ...paid, takerPaymentRefund: tx('r') })).toEqual(
      refused('refunded', 'Taker payment is refunded, swap is not recoverable'),
    );
    expect(kdf({ makerPayment: null })).toEqual(NO_OTHER);
    const claimed = { ...secretSeen, makerPaymentSpend: tx('c'), makerPaymentSpendConfirmed: true };
    expect(kdf(claimed)).toEqual(refused('claimed', 'Maker payment is spent and confirmed, swap is not recoverable'));
    expect(kdf({ ...claimed, makerPaymentSpend: null })).toEqual({ look: 'otherPaymentSpend' });
    expect(kdf({ ...claimed, makerPaymentSpendConfirmed: false })).toEqual({ look: 'otherPaymentSpend' });
  });

  it('trusts the secret of the log only with the spend that showed it', () => {
    expect(kdf({ ...secretSeen, secret: null })).toEqual({ look: 'ownPaymentSpend' });
    expect(kdf({ ...secretSeen, takerPaymentSpend: null })).toEqual({ look: 'ownPaymentSpend' });
    expect(kdf(secretSeen, { otherPaymentSpend: yes(null) })).toEqual(claim);
  });

  it('because the maker payment is gone, before it looks for the secret', () => {
    const ownPaymentSpend = yes(spentBy('s'));
    expect(kdf(paid, { ownPaymentSpend, otherPaymentSpend: yes(spentBy('c')) })).toEqual(
      refused('claimed', 'Maker payment was already spent by DOC tx c'),
    );
    expect(kdf(paid, { ownPaymentSpend, otherPaymentSpend: yes(null) })).toEqual(NO_SECRET);
    const shown = { ownPaymentSpend: yes(spentBy('s', secret)), otherPaymentSpend: yes(null) };
    expect(kdf({ ...paid, negotiated: null }, shown)).toEqual(NO_SECRET);
    expect(kdf(paid, { ownPayment: yes(null) })).toEqual(NOT_FOUND);
  });
});

describe('the terms of these cases', () => {
  it('are those of one swap', () => {
    expect([takerStarted.maker_coin, takerStarted.taker_coin]).toEqual(['DOC', 'MARTY']);
    expect(takerNegotiated.secret_hash).toBe(makerStarted.secret_hash);
  });
});
