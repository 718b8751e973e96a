import { describe, expect, it } from 'vitest';
import type { MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import type { RecoveryFacts } from '../../../machines/recovery/facts.ts';
import { recoverMaker, recoverMakerAsKdf } from '../../../machines/recovery/maker.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import { type Case, caseOf, partsOf, secretOfCase } from './world.ts';

const PAID = ['Started', 'Negotiated', 'MakerPaymentInstructionsReceived', 'TakerFeeValidated', 'MakerPaymentSent'];
const RECEIVED = [...PAID, 'TakerPaymentReceived', 'TakerPaymentWaitConfirmStarted'];
const VALID = [...RECEIVED, 'TakerPaymentValidatedAndConfirmed'];
const REFUND = ['MakerPaymentWaitRefundStarted', 'MakerPaymentRefundStarted', 'MakerPaymentRefundFailed', 'Finished'];
const NO_TAKER_PAYMENT = [...PAID, 'TakerPaymentValidateFailed', ...REFUND];
const SPEND_FAILED = [...VALID, 'TakerPaymentSpendFailed', ...REFUND];
const SPEND_UNCONFIRMED = [
  ...VALID,
  'TakerPaymentSpent',
  'TakerPaymentSpendConfirmStarted',
  'TakerPaymentSpendConfirmFailed',
  ...REFUND,
];

const scene = (path: readonly string[]) => {
  const at = caseOf('maker', path);
  return { at, context: at.swap.context as MakerSwapContext, ...partsOf(at) };
};
const yes = <T>(value: T) => ({ ok: true as const, value });
const no = (error: string) => ({ ok: false as const, error });
const from = unixSecondsOf(1_900_000_000);
const spent = (at: Case, whose: 'own' | 'other') => yes({ kind: 'spent' as const, tx: partsOf(at)[whose].spend });
const refunded = (at: Case, whose: 'own' | 'other') =>
  yes({ kind: 'refunded' as const, tx: partsOf(at)[whose].refund });
const hash = (at: Case, whose: 'own' | 'other', how: 'spend' | 'refund') => partsOf(at)[whose][how].tx_hash;

function kdf(path: readonly string[], facts: (at: Case) => RecoveryFacts = () => ({})) {
  const { at, context } = scene(path);
  return recoverMakerAsKdf(context, facts(at));
}

describe('recover_funds_of_swap of a maker, as the real node answers it', () => {
  it('refuses what the log calls settled, before it looks at a chain', () => {
    expect(kdf([])).toMatchObject({ refused: "Can't restore swap from empty events set" });
    expect(kdf(['StartFailed', 'Finished'])).toMatchObject({ refused: 'First swap event must be Started' });
    expect(kdf(VALID)).toMatchObject({ refused: 'Swap must be finished before recover funds attempt' });
    const refund = ['MakerPaymentWaitRefundStarted', 'MakerPaymentRefundStarted', 'MakerPaymentRefunded', 'Finished'];
    expect(kdf([...PAID, 'TakerPaymentValidateFailed', ...refund])).toMatchObject({
      refused: 'Maker payment is refunded, swap is not recoverable',
    });
    const done = ['TakerPaymentSpent', 'TakerPaymentSpendConfirmStarted', 'TakerPaymentSpendConfirmed', 'Finished'];
    expect(kdf([...VALID, ...done])).toMatchObject({
      refused: 'Taker payment spend transaction has been sent and confirmed',
    });
  });

  it('searches for a maker payment that the log does not hold', () => {
    const path = [...PAID.slice(0, -1), 'MakerPaymentTransactionFailed', 'Finished'];
    expect(kdf(path)).toEqual({ look: 'ownPayment' });
    expect(kdf(path, () => ({ ownPayment: yes(null) }))).toMatchObject({
      refused: 'Maker payment transaction was not found',
    });
    expect(kdf(path, () => ({ ownPayment: no('down') }))).toMatchObject({ refused: 'down' });
    expect(kdf(path, (at) => ({ ownPayment: yes(partsOf(at).own.payment) }))).toEqual({ look: 'ownPaymentSpend' });
    expect(kdf(['Started', 'NegotiateFailed', 'Finished'])).toMatchObject({ reason: 'ownPaymentNotFound' });
  });

  it('claims once the taker has claimed', () => {
    const { at, other } = scene(SPEND_FAILED);
    const ownPaymentSpend = spent(at, 'own');
    const answer = (facts: RecoveryFacts) => kdf(SPEND_FAILED, () => ({ ownPaymentSpend, ...facts }));
    expect(kdf(NO_TAKER_PAYMENT, (one) => ({ ownPaymentSpend: spent(one, 'own') }))).toMatchObject({
      refused: 'No info about taker payment, swap is not recoverable',
    });
    expect(answer({})).toEqual({ look: 'otherPaymentSpend' });
    expect(answer({ otherPaymentSpend: spent(at, 'other') })).toMatchObject({
      refused: `Taker payment was already spent by MARTY tx ${hash(at, 'other', 'spend')}`,
    });
    expect(answer({ otherPaymentSpend: refunded(at, 'other') })).toMatchObject({
      refused: `Taker payment was already refunded by MARTY tx ${hash(at, 'other', 'refund')}`,
    });
    expect(answer({ otherPaymentSpend: no('down') })).toMatchObject({
      refused: 'Error down when trying to find taker payment spend',
    });
    expect(answer({ otherPaymentSpend: yes(null) })).toEqual({
      action: 'spendOtherPayment',
      coin: 'MARTY',
      payment: other.payment,
      secret: secretOfCase(at),
    });
  });

  it('refunds an unspent payment once the chain permits', () => {
    const { at, own } = scene(SPEND_FAILED);
    const unspent = { ownPaymentSpend: yes(null) };
    expect(kdf(SPEND_FAILED, () => ({ ownPaymentSpend: no('down') }))).toMatchObject({
      refused: 'Error down when trying to find maker payment spend',
    });
    expect(kdf(SPEND_FAILED, (one) => ({ ownPaymentSpend: refunded(one, 'own') }))).toEqual({
      refused: `Maker payment was already refunded by DOC tx ${hash(at, 'own', 'refund')}`,
      reason: 'refunded',
    });
    expect(kdf(SPEND_FAILED, () => ({ ...unspent, autoRefund: true }))).toMatchObject({
      refused: 'Maker payment will be refunded automatically!',
    });
    expect(kdf(SPEND_FAILED, () => ({ ...unspent, refundableFrom: yes(from) }))).toEqual({
      refused: 'Too early to refund, wait until 1900000000',
      reason: 'tooEarly',
      from,
    });
    expect(kdf(SPEND_FAILED, () => ({ ...unspent, refundableFrom: yes(null) }))).toEqual({
      action: 'refundOwnPayment',
      coin: 'DOC',
      payment: own.payment,
    });
  });
});

describe('recovery of a maker by the engine', () => {
  const unspent = { ownPaymentSpend: yes(null), otherPaymentSpend: yes(null) };
  const claimed = { action: 'spendOtherPayment', coin: 'MARTY' };

  it('claims a valid taker payment while the taker cannot take it back, and keeps its secret after', () => {
    const { context } = scene(VALID);
    expect(recoverMaker(context, unspent)).toEqual({ look: 'otherRefundable' });
    expect(recoverMaker(context, { ...unspent, otherRefundable: yes(false) })).toMatchObject(claimed);
    expect(recoverMaker(context, { ...unspent, otherRefundable: yes(true) })).toEqual({ look: 'refundableFrom' });
    expect(recoverMaker(context, { ...unspent, otherRefundable: no('down') })).toMatchObject({
      reason: 'lookUpFailed',
    });
  });

  it('claims although its own chain is silent, as long as nobody can have refunded anything', () => {
    const silent = { ownPaymentSpend: no('down'), otherPaymentSpend: yes(null) };
    for (const path of [VALID, SPEND_FAILED, SPEND_UNCONFIRMED]) {
      const { context } = scene(path);
      expect(recoverMaker(context, silent)).toEqual({ look: 'otherRefundable' });
      expect(recoverMaker(context, { ...silent, otherRefundable: yes(false) }), path.at(-5)).toMatchObject(claimed);
      for (const otherRefundable of [yes(true), no('down too')]) {
        expect(recoverMaker(context, { ...silent, otherRefundable })).toMatchObject({
          reason: 'lookUpFailed',
          refused: 'Error down when trying to find maker payment spend',
        });
      }
    }
    expect(recoverMaker(scene(RECEIVED).context, silent)).toMatchObject({ reason: 'lookUpFailed' });
  });

  it('trusts what a chain shows to be absent, whatever the log says', () => {
    const { context } = scene(VALID);
    expect(recoverMaker(context, { ownPayment: yes(null) })).toMatchObject({
      refused: 'Maker payment transaction was not found',
    });
    const gone = { ownPaymentSpend: yes(null), otherPayment: yes(null) };
    expect(recoverMaker(context, gone)).toEqual({ look: 'refundableFrom' });
  });

  it('keeps to its claim if the caller knows that the secret is public', () => {
    const { context } = scene(VALID);
    expect(recoverMaker(context, { ...unspent, otherRefundable: yes(true), secretShown: true })).toMatchObject(claimed);
  });

  it('does not claim a payment that was not found valid', () => {
    const { context } = scene(RECEIVED);
    expect(recoverMaker(context, unspent)).toEqual({ look: 'refundableFrom' });
  });

  it('claims even in a race once the secret was shown', () => {
    for (const path of [SPEND_UNCONFIRMED, SPEND_FAILED]) {
      expect(recoverMaker(scene(path).context, unspent), path.at(-5)).toMatchObject(claimed);
    }
  });

  it('treats a spend that came too late like one that was never tried', () => {
    const { context } = scene(SPEND_FAILED);
    for (const error of ['Timeout 2 > 1', 'maker_swap:1200] Timeout 1700000001 > 1700000000']) {
      const failures = context.failures.map((failure) => ({ ...failure, error }));
      expect(recoverMaker({ ...context, failures }, unspent)).toEqual({ look: 'otherRefundable' });
    }
  });

  it('never refunds beside its own claim', () => {
    const { at, context } = scene(SPEND_UNCONFIRMED);
    const facts = { ...unspent, otherPaymentSpend: spent(at, 'other'), refundableFrom: yes(null) };
    expect(recoverMaker(context, facts)).toMatchObject({ reason: 'claimed' });
    expect(recoverMakerAsKdf(context, facts)).toMatchObject({ action: 'refundOwnPayment' });
  });

  it('refunds once the taker has taken its payment back', () => {
    const { at, context } = scene(SPEND_UNCONFIRMED);
    const facts = { ...unspent, otherPaymentSpend: refunded(at, 'other'), refundableFrom: yes(null) };
    expect(recoverMaker(context, facts)).toMatchObject({ action: 'refundOwnPayment' });
  });

  it('reads a secret that its log hides from the claim of the taker', () => {
    const { at, context } = scene(SPEND_FAILED);
    const { started } = context;
    if (started === null) throw new Error('the case has a Started event');
    const hidden = { ...context, started: { ...started, secret: '0'.repeat(64) } };
    const facts = { ...unspent, ownPaymentSpend: spent(at, 'own') };
    expect(recoverMaker(hidden, facts)).toMatchObject({ ...claimed, secret: secretOfCase(at) });
    const unreadable = yes({ kind: 'spent' as const, tx: { tx_hex: '00', tx_hash: 'ab' } });
    expect(recoverMaker(hidden, { ...unspent, ownPaymentSpend: unreadable })).toMatchObject({
      reason: 'secretUnknown',
    });
  });

  it('refunds if its log hides the secret and nothing shows it', () => {
    const { context } = scene(SPEND_FAILED);
    const { started } = context;
    if (started === null) throw new Error('the case has a Started event');
    const hidden = { ...context, started: { ...started, secret: '0'.repeat(64) } };
    expect(recoverMaker(hidden, unspent)).toEqual({ look: 'refundableFrom' });
    expect(recoverMaker({ ...hidden, failures: [] }, unspent)).toEqual({ look: 'refundableFrom' });
  });

  it('computes the hash of a secret that has none, as in logs of 2019', () => {
    const { at, context } = scene(SPEND_FAILED);
    const { started } = context;
    if (started === null) throw new Error('the case has a Started event');
    const old = { ...context, started: { ...started, secret_hash: null } };
    expect(recoverMaker(old, unspent)).toMatchObject({ ...claimed, secret: secretOfCase(at) });
  });

  it('searches for a taker payment that the log does not hold once the taker has claimed', () => {
    const { at, context, other } = scene(NO_TAKER_PAYMENT);
    const facts = { ownPaymentSpend: spent(at, 'own') };
    expect(recoverMaker(context, facts)).toEqual({ look: 'otherPayment' });
    expect(recoverMaker(context, { ...facts, otherPayment: yes(null) })).toMatchObject({
      refused: 'No info about taker payment, swap is not recoverable',
    });
    const found = { ...facts, otherPayment: yes(other.payment), otherPaymentSpend: yes(null) };
    expect(recoverMaker(context, found)).toMatchObject({ ...claimed, payment: other.payment });
  });
});
