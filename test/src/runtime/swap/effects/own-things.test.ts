import { describe, expect, it } from 'vitest';
import { type Claims, NO_CLAIMS } from '../../../../../src/runtime/claims.ts';
import type { NewEvent } from '../../../../../src/runtime/command.ts';
import { waitForTakerPaymentSpend } from '../../../../../src/runtime/swap/effects/await-spend.ts';
import { claim, LOST } from '../../../../../src/runtime/swap/effects/claim.ts';
import { sendTakerFee, waitForTakerFee } from '../../../../../src/runtime/swap/effects/fee.ts';
import { findOwnPayment, pay } from '../../../../../src/runtime/swap/effects/pay.ts';
import { refundIsHarmless } from '../../../../../src/runtime/swap/effects/rule-out.ts';
import {
  validateOther,
  waitForMakerPayment,
  waitForTakerPayment,
} from '../../../../../src/runtime/swap/effects/validate.ts';
import { lookPayment, type Proposal } from '../../../../../src/runtime/swap/turn.ts';
import { awaiting } from '../../../../support/effect-turns.ts';
import { NOW, paymentOf, preparedOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const OTHER = '3447b727-fe93-4357-8e5a-00000000000f';
const TX = { tx_hex: '0200', tx_hash: 'd7'.repeat(32) };
const HASH_TEXT = `the secret hash belongs to swap ${OTHER} of this node, and a secret serves one swap`;
const PAYMENT_TEXT = `transaction ${TX.tx_hash} belongs to swap ${OTHER} of this node, and a payment serves one swap`;
const FEE_TEXT = `transaction ${TX.tx_hash} belongs to swap ${OTHER} of this node, and a fee serves one swap`;

const named = (type: string) => (error: unknown) => ({ type, data: error }) as NewEvent;
const each = (type: string) => (error: unknown) => [named(type)(error)];
const failing = {
  ownSendFailed: named('sendFailed'),
  otherInvalid: each('invalid'),
  claimFailed: each('claimFailed'),
  refundWaitStarted: () => ({ type: 'waits', data: null }),
};
const HASH: Claims = { secretHash: () => OTHER, transaction: () => null };
const TRANSACTION: Claims = { secretHash: () => null, transaction: (hash) => (hash === TX.tx_hash ? OTHER : null) };
const WANT = { effect: 'x' };

const seen = (confirmations = 3) => ({ value: paymentOf({ funding: { tx: TX, confirmations } }), at: NOW });
const none = { value: paymentOf(), at: NOW };
const turn = (changes: TurnChanges) => turnOf({ ...changes, events: { ...failing, ...changes.events } });
const events = (proposal: Proposal) => (proposal?.kind === 'append' ? proposal.events : proposal);
const MAKER = { role: 'maker' } as const;

describe('nothing is paid on the strength of what belongs to another swap', () => {
  it.each([
    ['the secret hash', HASH, HASH_TEXT],
    ['the payment', TRANSACTION, PAYMENT_TEXT],
  ])('not by a taker: %s', (_, claims, text) => {
    const facts = { payments: { taker: none, maker: seen() } };
    expect(events(pay(turn({ claims, facts }), WANT))).toEqual([{ type: 'sendFailed', data: text }]);
    const kept = preparedOf({ attemptedAt: null });
    const signed = { journal: { prepared: { payment: [kept] } } };
    expect(events(pay(turn({ claims, facts, ...signed }), WANT))).toEqual([{ type: 'sendFailed', data: text }]);
    const logged = { swap: { otherPayment: TX }, facts: { payments: { taker: none } } };
    expect(events(pay(turn({ claims, ...logged }), WANT))).toEqual([{ type: 'sendFailed', data: text }]);
  });

  it('makes a payment that somebody may hold impossible before it records a failure', () => {
    const facts = { payments: { taker: none, maker: seen() } };
    const journal = { prepared: { payment: [preparedOf()] } };
    expect(pay(turn({ claims: HASH, facts, journal }), WANT)).toMatchObject({
      kind: 'ask',
      leg: 'taker',
      question: { op: 'transaction', hash: preparedOf().tx.tx_hash },
    });
  });

  it('not by a maker, against a fee', () => {
    const context = { ...turnOf({ swap: MAKER }).context, takerFee: TX } as never;
    const facts = { payments: { maker: none } };
    expect(events(pay(turn({ swap: MAKER, claims: TRANSACTION, facts, context }), WANT))).toEqual([
      { type: 'sendFailed', data: FEE_TEXT },
    ]);
  });

  it('not a fee, unless it is already signed', () => {
    const fee = { fee: () => ({ kind: 'standard', feeSat: 1n, burnSat: 0n }) as never };
    expect(events(sendTakerFee(turn({ claims: HASH, events: fee }), WANT))).toEqual([
      { type: 'TakerFeeSendFailed', data: { error: HASH_TEXT } },
    ]);
    const journal = { prepared: { fee: [preparedOf()] } };
    expect(sendTakerFee(turn({ claims: HASH, events: fee, journal }), WANT)).toMatchObject({ kind: 'ask' });
  });
});

describe('what belongs to another swap is not taken', () => {
  it('a fee, before any chain is asked', () => {
    const inbox = new Map([['takerFee', { kind: 'takerFee', tx: TX }]]) as never;
    const fee = { fee: () => ({ kind: 'standard', feeSat: 1n, burnSat: 0n }) as never };
    const given = { swap: MAKER, claims: TRANSACTION, facts: { inbox }, events: fee };
    expect(events(waitForTakerFee(turn(given), WANT))).toEqual([
      { type: 'TakerFeeValidateFailed', data: { error: FEE_TEXT } },
    ]);
    // Where the wait has an end, the own fee may come until then: the message may be one that somebody repeated.
    const wait = awaiting('waitForTakerFee', NOW, 690);
    const at = (seconds: number) =>
      turn({ ...given, now: (NOW + seconds * 1000) as never, swap: { ...given.swap, lastEventAt: NOW } });
    expect(waitForTakerFee(at(690), wait)).toMatchObject({
      kind: 'send',
      message: { kind: 'negotiated', accepted: true },
    });
    expect(events(waitForTakerFee(at(691), wait))).toMatchObject([
      { type: 'DeadlineReached' },
      { type: 'TakerFeeValidateFailed', data: { error: FEE_TEXT } },
    ]);
  });

  it.each([
    ['the secret hash', HASH, HASH_TEXT],
    ['the payment', TRANSACTION, PAYMENT_TEXT],
  ])('a payment, while it is waited for and while it is validated: %s', (_, claims, text) => {
    const invalid = [{ type: 'invalid', data: text }];
    const theirs = { payments: { maker: seen(), taker: none } };
    expect(events(waitForMakerPayment(turn({ claims, facts: theirs }), WANT))).toEqual(invalid);
    expect(events(validateOther(turn({ claims, facts: theirs }), WANT))).toEqual(invalid);
    const toMaker = { payments: { maker: none, taker: seen() } };
    expect(events(waitForTakerPayment(turn({ swap: MAKER, claims, facts: toMaker }), WANT))).toEqual(invalid);
    expect(events(validateOther(turn({ swap: MAKER, claims, facts: toMaker }), WANT))).toEqual(invalid);
  });

  it('a payment, once it is to be claimed; a claim that was tried is seen to its end', () => {
    const swap = { state: 'claiming', otherPayment: TX, secretIsPublic: true, secret: '5e'.repeat(32) };
    for (const claims of [HASH, TRANSACTION]) {
      const text = claims === HASH ? HASH_TEXT : PAYMENT_TEXT;
      expect(events(claim(turn({ claims, swap }), WANT))).toEqual([{ type: 'claimFailed', data: text }]);
      // Its own payment was taken, and this one is another swap's: nothing is left.
      const closing = { closeLost: (data: string) => ({ type: 'lost', data }) };
      const failed = turn({ claims, swap: { ...swap, state: 'claimFailed' }, events: closing });
      expect(events(claim(failed, WANT))).toEqual([{ type: 'lost', data: LOST }]);
      const maker = { ...swap, ...MAKER, state: 'waitingForRefund' };
      expect(claim(turn({ claims, swap: maker }), WANT)).toBeNull();
      const tried = { journal: { prepared: { claim: [preparedOf()] } } };
      expect(claim(turn({ claims, swap, ...tried }), WANT)).toMatchObject({ kind: 'ask', leg: 'maker' });
      expect(claim(turn({ claims, swap: { ...swap, claim: TX } }), WANT)).toMatchObject({ kind: 'ask', leg: 'maker' });
    }
  });

  it('a payment in the place of the own one, because another swap paid it under equal terms', () => {
    const shown = { taker: seen() };
    const paid = { tx_hex: 'aa00', tx_hash: 'aa'.repeat(32) };
    const swap = { state: 'refunding', ownPayment: paid };
    const look = (changes: object, maxAge = 600) => {
      const given = turn({ claims: TRANSACTION, facts: { payments: shown }, swap, ...changes });
      return [lookPayment(given, 'taker', maxAge), given.wakeAt - NOW];
    };
    expect(look({})).toEqual([{ pending: null }, 600_001]);
    expect(look({ claims: NO_CLAIMS })[0]).toHaveProperty('value');
    expect(look({ swap: { ...swap, ownPayment: TX } })[0]).toHaveProperty('value');
    expect(look({ facts: {} })[0]).toMatchObject({ pending: { question: { query: { funding: paid.tx_hash } } } });
    // One that has not paid has still paid nothing, and goes on to its end.
    const unpaid = turn({ claims: TRANSACTION, facts: { payments: shown }, swap: { ...swap, ownPayment: null } });
    expect(findOwnPayment(unpaid, WANT)).toBeNull();
  });

  it('so that a taker who has paid heads for its refund, which harms nobody', () => {
    const swap = { state: 'waitingForSpend', otherPayment: TX, ownPayment: TX };
    const facts = { payments: { taker: seen() } };
    expect(events(waitForTakerPaymentSpend(turn({ claims: TRANSACTION, swap, facts }), WANT))).toEqual([
      { type: 'TakerPaymentWaitForSpendFailed', data: { error: PAYMENT_TEXT } },
      { type: 'waits', data: null },
    ]);
    const shown = { ...swap, secretIsPublic: true };
    expect(refundIsHarmless(turn({ claims: TRANSACTION, swap: shown }))).toEqual({ value: true });
    expect(refundIsHarmless(turn({ swap: shown }))).toHaveProperty('pending');
  });
});
