import { describe, expect, it } from 'vitest';
import type { RecoveryFacts } from '../../../machines/recovery/facts.ts';
import { recoverTaker, recoverTakerAsKdf } from '../../../machines/recovery/taker.ts';
import type { TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { type Case, caseOf, partsOf, secretOfCase } from './world.ts';

const PAID = [
  'Started',
  'Negotiated',
  'TakerFeeSent',
  'TakerPaymentInstructionsReceived',
  'MakerPaymentReceived',
  'MakerPaymentWaitConfirmStarted',
  'MakerPaymentValidatedAndConfirmed',
  'TakerPaymentSent',
];
const MISSED = [...PAID, 'TakerPaymentWaitForSpendFailed', 'Finished'];
const CLAIM_FAILED = [...PAID, 'TakerPaymentSpent', 'MakerPaymentSpendFailed', 'Finished'];

const scene = (path: readonly string[]) => {
  const at = caseOf('taker', path);
  return { at, context: at.swap.context as TakerSwapContext, ...partsOf(at) };
};
const yes = <T>(value: T) => ({ ok: true as const, value });
const no = (error: string) => ({ ok: false as const, error });
const from = unixSecondsOf(1_900_000_000);

function kdf(path: readonly string[], facts: (at: Case) => RecoveryFacts = () => ({})) {
  const { at, context } = scene(path);
  return recoverTakerAsKdf(context, facts(at));
}

const spent = (at: Case, whose: 'own' | 'other') => yes({ kind: 'spent' as const, tx: partsOf(at)[whose].spend });
const refunded = (at: Case, whose: 'own' | 'other') =>
  yes({ kind: 'refunded' as const, tx: partsOf(at)[whose].refund });

describe('recover_funds_of_swap of a taker, as the real node answers it', () => {
  it('refuses what the log calls settled, before it looks at a chain', () => {
    expect(kdf([])).toMatchObject({ refused: "Can't restore swap from empty events set" });
    expect(kdf(['StartFailed', 'Finished'])).toMatchObject({ refused: 'First swap event must be Started' });
    expect(kdf(PAID)).toMatchObject({ refused: 'Swap must be finished before recover funds attempt' });
    const refund = ['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted', 'TakerPaymentRefundStarted'];
    expect(kdf([...PAID, ...refund, 'TakerPaymentRefunded', 'TakerPaymentRefundFinished', 'Finished'])).toMatchObject({
      refused: 'Taker payment is refunded, swap is not recoverable',
    });
    const done = ['TakerPaymentSpent', 'MakerPaymentSpent', 'MakerPaymentSpendConfirmed', 'Finished'];
    expect(kdf([...PAID, ...done])).toMatchObject({
      refused: 'Maker payment is spent and confirmed, swap is not recoverable',
    });
    expect(kdf(['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentValidateFailed', 'Finished'])).toMatchObject({
      refused: 'No info about maker payment, swap is not recoverable',
    });
  });

  it('treats a refund without a transaction as none', () => {
    const { context } = scene(MISSED);
    const automatic = { ...context, takerPaymentRefunded: true, takerPaymentRefund: null };
    expect(recoverTakerAsKdf(automatic, {})).toEqual({ look: 'ownPaymentSpend' });
  });

  it('searches for a taker payment that the log does not hold', () => {
    const path = [...PAID.slice(0, -1), 'TakerPaymentTransactionFailed', 'Finished'];
    expect(kdf(path)).toEqual({ look: 'ownPayment' });
    expect(kdf(path, () => ({ ownPayment: yes(null) }))).toMatchObject({
      refused: 'Taker payment is not found, swap is not recoverable',
    });
    expect(kdf(path, () => ({ ownPayment: no('down') }))).toMatchObject({ refused: 'down' });
    expect(kdf(path, (at) => ({ ownPayment: yes(partsOf(at).own.payment) }))).toEqual({ look: 'ownPaymentSpend' });
  });

  it('claims with the logged secret while the maker payment is unspent', () => {
    const { at, other } = scene(CLAIM_FAILED);
    const hash = (whose: 'spend' | 'refund') => other[whose].tx_hash;
    expect(kdf(CLAIM_FAILED)).toEqual({ look: 'otherPaymentSpend' });
    expect(kdf(CLAIM_FAILED, (one) => ({ otherPaymentSpend: spent(one, 'other') }))).toMatchObject({
      refused: `Maker payment was already spent by DOC tx ${hash('spend')}`,
    });
    expect(kdf(CLAIM_FAILED, (one) => ({ otherPaymentSpend: refunded(one, 'other') }))).toMatchObject({
      refused: `Maker payment was already refunded by DOC tx ${hash('refund')}`,
    });
    expect(kdf(CLAIM_FAILED, () => ({ otherPaymentSpend: no('down') }))).toMatchObject({
      refused: 'Error down when trying to find maker payment spend',
    });
    expect(kdf(CLAIM_FAILED, () => ({ otherPaymentSpend: yes(null) }))).toEqual({
      action: 'spendOtherPayment',
      coin: 'DOC',
      payment: other.payment,
      secret: secretOfCase(at),
    });
  });

  it('claims with the secret of a spend that the log missed', () => {
    const { at, other } = scene(MISSED);
    const ownPaymentSpend = spent(at, 'own');
    expect(kdf(MISSED)).toEqual({ look: 'ownPaymentSpend' });
    expect(kdf(MISSED, () => ({ ownPaymentSpend: no('down') }))).toMatchObject({ refused: 'down' });
    expect(kdf(MISSED, () => ({ ownPaymentSpend }))).toEqual({ look: 'otherPaymentSpend' });
    const otherPaymentSpend = yes(null);
    expect(kdf(MISSED, () => ({ ownPaymentSpend, otherPaymentSpend }))).toEqual({
      action: 'spendOtherPayment',
      coin: 'DOC',
      payment: other.payment,
      secret: secretOfCase(at),
    });
    const unreadable = yes({ kind: 'spent' as const, tx: { tx_hex: '00', tx_hash: 'ab' } });
    expect(kdf(MISSED, () => ({ ownPaymentSpend: unreadable, otherPaymentSpend }))).toMatchObject({
      refused: "Couldn't extract secret",
    });
    const read = yes({ kind: 'spent' as const, tx: { tx_hex: '00', tx_hash: 'ab' }, secret: secretOfCase(at) });
    expect(kdf(MISSED, () => ({ ownPaymentSpend: read, otherPaymentSpend }))).toMatchObject({
      secret: secretOfCase(at),
    });
  });

  it('refunds an unspent payment once the chain permits', () => {
    const { own } = scene(MISSED);
    const unspent = { ownPaymentSpend: yes(null) };
    expect(kdf(MISSED, (at) => ({ ownPaymentSpend: refunded(at, 'own') }))).toMatchObject({
      refused: `Taker payment has been refunded already by transaction ${own.refund.tx_hash}`,
    });
    expect(kdf(MISSED, () => ({ ...unspent, autoRefund: true }))).toMatchObject({
      refused: 'Taker payment will be refunded automatically!',
    });
    expect(kdf(MISSED, () => unspent)).toEqual({ look: 'refundableFrom' });
    expect(kdf(MISSED, () => ({ ...unspent, refundableFrom: yes(from) }))).toEqual({
      refused: 'Too early to refund, wait until 1900000000',
      reason: 'tooEarly',
      from,
    });
    expect(kdf(MISSED, () => ({ ...unspent, refundableFrom: yes(null) }))).toEqual({
      action: 'refundOwnPayment',
      coin: 'MARTY',
      payment: own.payment,
    });
  });
});

describe('recovery of a taker by the engine', () => {
  it('looks at the chains if the log says that all is settled', () => {
    const { at, context, other } = scene([
      ...PAID,
      'TakerPaymentSpent',
      'MakerPaymentSpent',
      'MakerPaymentSpendConfirmed',
      'Finished',
    ]);
    expect(recoverTaker(context, {})).toEqual({ look: 'otherPaymentSpend' });
    expect(recoverTaker(context, { otherPaymentSpend: spent(at, 'other') })).toMatchObject({ reason: 'claimed' });
    expect(recoverTaker(context, { otherPaymentSpend: yes(null) })).toMatchObject({ payment: other.payment });
  });

  it('refunds after all when the maker took its payment back and its claim was undone', () => {
    const { at, context, own } = scene(CLAIM_FAILED);
    const facts = { otherPaymentSpend: refunded(at, 'other') };
    expect(recoverTaker(context, facts)).toEqual({ look: 'ownPaymentSpend' });
    expect(recoverTaker(context, { ...facts, ownPaymentSpend: yes(null), refundableFrom: yes(null) })).toEqual({
      action: 'refundOwnPayment',
      coin: 'MARTY',
      payment: own.payment,
    });
    expect(recoverTaker(context, { ...facts, ownPaymentSpend: spent(at, 'own') })).toMatchObject({
      reason: 'otherRefunded',
    });
  });

  it('searches for a maker payment that the log does not hold only if it has the secret to claim it', () => {
    const path = ['Started', 'Negotiated', 'TakerFeeSent', 'MakerPaymentValidateFailed', 'Finished'];
    const { at, context, own, other } = scene(path);
    const ownPayment = yes(own.payment);
    expect(recoverTaker(context, {})).toEqual({ look: 'ownPayment' });
    expect(recoverTaker(context, { ownPayment })).toEqual({ look: 'ownPaymentSpend' });
    const facts = { ownPayment, ownPaymentSpend: spent(at, 'own') };
    expect(recoverTaker(context, facts)).toEqual({ look: 'otherPayment' });
    expect(recoverTaker(context, { ...facts, otherPayment: yes(null) })).toMatchObject({
      refused: 'No info about maker payment, swap is not recoverable',
    });
    const found = { ...facts, otherPayment: yes(other.payment), otherPaymentSpend: yes(null) };
    expect(recoverTaker(context, found)).toMatchObject({ payment: other.payment, secret: secretOfCase(at) });
  });

  it('trusts no secret of another hash, neither in the log nor in a spend', () => {
    const { at, context } = scene(CLAIM_FAILED);
    const wrong = { ...context, secret: '11'.repeat(32) };
    expect(recoverTaker(wrong, {})).toEqual({ look: 'ownPaymentSpend' });
    const read = yes({ kind: 'spent' as const, tx: { tx_hex: '', tx_hash: 'ab' }, secret: '11'.repeat(32) });
    const facts = { ownPaymentSpend: read, otherPaymentSpend: yes(null) };
    expect(recoverTaker(wrong, facts)).toMatchObject({ reason: 'secretUnknown' });
    expect(recoverTaker(wrong, { ...facts, ownPaymentSpend: spent(at, 'own') })).toMatchObject({
      secret: secretOfCase(at),
    });
  });
});
