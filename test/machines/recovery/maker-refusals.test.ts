import { describe, expect, it } from 'vitest';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import type { FoundSpend, RecoveryFacts } from '../../../machines/recovery/facts.ts';
import { recoverMaker, recoverMakerAsKdf } from '../../../machines/recovery/maker.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { at, makerContext, makerStarted, START, tx } from '../../support/swap-contexts.ts';

type Facts = Partial<MakerSwapContext>;

const yes = <T>(value: T) => ({ ok: true as const, value });
const no = (error: string) => ({ ok: false as const, error });
const { secret } = makerStarted;
const HIDDEN = '0'.repeat(64);
const refused = (reason: string, text: string) => ({ refused: text, reason });
const spentBy = (id: string, shown?: string): FoundSpend => ({ kind: 'spent', tx: tx(id), secret: shown ?? null });
const refundedBy = (id: string): FoundSpend => ({ kind: 'refunded', tx: tx(id) });
const failure = (event: string, error = 'down') => ({ event, at: at(0), error });

const paid: Facts = { makerPayment: tx('maker pays') };
const bothPaid: Facts = { ...paid, takerPayment: tx('taker pays'), takerPaymentValidated: true };
const claimed: Facts = { ...bothPaid, takerPaymentSpend: tx('claim') };
const claim = { action: 'spendOtherPayment', coin: 'MARTY', payment: tx('taker pays'), secret };
const refund = { action: 'refundOwnPayment', coin: 'DOC', payment: tx('maker pays') };
const unspent = { ownPaymentSpend: yes(null), otherPaymentSpend: yes(null) };

const NOT_FOUND = refused('ownPaymentNotFound', 'Maker payment transaction was not found');
const NO_OTHER = refused('otherPaymentUnknown', 'No info about taker payment, swap is not recoverable');
const NO_SECRET = refused('secretUnknown', "Couldn't extract secret");

const engine = (log: Facts, facts: RecoveryFacts = {}) => recoverMaker(makerContext(log), facts);
const kdf = (log: Facts, facts: RecoveryFacts = {}) =>
  recoverMakerAsKdf(makerContext({ finishedAt: START, ...log }), facts);

describe('why the engine recovers nothing for a maker', () => {
  it('because there are no terms: nothing can have been paid', () => {
    const nothing = refused('notStarted', 'Maker payment transaction was not found');
    expect(engine({ ...paid, negotiated: null })).toEqual(nothing);
    expect(engine({ ...paid, started: null })).toEqual(nothing);
    expect(recoverMaker(initialMakerSwapContext(), {})).toEqual(nothing);
  });

  it('because its own payment is not there, came back, or goes back by itself', () => {
    expect(engine({ makerPayment: null })).toEqual({ look: 'ownPayment' });
    expect(engine({ makerPayment: null }, { ownPayment: yes(null) })).toEqual(NOT_FOUND);
    expect(engine(paid, { ownPayment: yes(null) })).toEqual(NOT_FOUND);
    expect(engine(paid)).toEqual({ look: 'ownPaymentSpend' });
    expect(engine(paid, { ownPaymentSpend: yes(refundedBy('r')) })).toEqual(
      refused('refunded', 'Maker payment was already refunded by DOC tx r'),
    );
    expect(engine(paid, { ownPaymentSpend: yes(null), autoRefund: true })).toEqual(
      refused('automatic', 'Maker payment will be refunded automatically!'),
    );
  });

  it('because its own chain is silent and the log hides the secret, which that chain may show', () => {
    const silence = refused('lookUpFailed', 'Error down when trying to find maker payment spend');
    const facts = { ownPaymentSpend: no('down'), otherPaymentSpend: yes(null), otherRefundable: yes(false) };
    const hidden = { ...bothPaid, started: { ...makerStarted, secret: HIDDEN } };
    expect(engine(hidden, facts)).toEqual(silence);
    expect(engine(bothPaid, facts)).toEqual(claim);
  });

  it('because a chain gives no answer', () => {
    expect(engine(paid, { ownPaymentSpend: no('down') })).toEqual(
      refused('lookUpFailed', 'Error down when trying to find maker payment spend'),
    );
    const half = { ownPaymentSpend: yes(null) };
    expect(engine(bothPaid, half)).toEqual({ look: 'otherPaymentSpend' });
    expect(engine(bothPaid, { ...half, otherPaymentSpend: no('down') })).toEqual(
      refused('lookUpFailed', 'Error down when trying to find taker payment spend'),
    );
  });

  it('because the taker payment is claimed already: its own belongs to the taker then', () => {
    const facts = { ...unspent, otherPaymentSpend: yes(spentBy('s')), refundableFrom: yes(null) };
    expect(engine(bothPaid, facts)).toEqual(refused('claimed', 'Taker payment was already spent by MARTY tx s'));
  });

  it('because the taker has claimed, and the taker payment is not there or the secret not known', () => {
    const ownPaymentSpend = yes(spentBy('s'));
    expect(engine(paid, { ownPaymentSpend })).toEqual({ look: 'otherPayment' });
    expect(engine(bothPaid, { ownPaymentSpend, otherPayment: yes(null) })).toEqual(NO_OTHER);
    const started = { ...makerStarted, secret: HIDDEN };
    expect(engine({ ...bothPaid, started }, { ownPaymentSpend, otherPaymentSpend: yes(null) })).toEqual(NO_SECRET);
  });
});

describe('what the engine recovers for a maker', () => {
  it('its own payment if there is no taker payment, or it was refunded', () => {
    const facts = { ownPaymentSpend: yes(null), refundableFrom: yes(null) };
    expect(engine(paid, facts)).toEqual(refund);
    expect(engine(bothPaid, { ...facts, otherPayment: yes(null) })).toEqual(refund);
    expect(engine(bothPaid, { ...facts, otherPaymentSpend: yes(refundedBy('r')) })).toEqual(refund);
  });

  it('the taker payment, before the taker can take it back, or once the secret was shown', () => {
    expect(engine(bothPaid, { ...unspent, otherRefundable: yes(false) })).toEqual(claim);
    expect(engine(claimed, unspent)).toEqual(claim);
    expect(engine(bothPaid, { ...unspent, secretShown: true })).toEqual(claim);
    expect(engine({ ...bothPaid, failures: [failure('TakerPaymentSpendFailed')] }, unspent)).toEqual(claim);
  });

  it.each([
    ['another failure', failure('TakerPaymentSpendConfirmFailed')],
    ['a claim that came too late', failure('TakerPaymentSpendFailed', 'Timeout 2 > 1')],
    ['a claim that came too late, with its place', failure('TakerPaymentSpendFailed', 'maker_swap:1] Timeout 2 > 1')],
  ])('does not treat the secret as public by %s', (_, one) => {
    expect(engine({ ...bothPaid, failures: [one] }, unspent)).toEqual({ look: 'otherRefundable' });
  });

  it.each(['xTimeout 2 > 1', 'Timeout 2 > 1 s', 'Timeout > 1', 'Timeout 2 >'])(
    'treats the secret as shown by a claim that failed otherwise: %s',
    (error) => {
      expect(engine({ ...bothPaid, failures: [failure('TakerPaymentSpendFailed', error)] }, unspent)).toEqual(claim);
    },
  );

  it('computes the hash of a secret that has none, whatever its digits, and no hash of a hidden secret', () => {
    const alone = (digits: string) => ({
      ...bothPaid,
      started: { ...makerStarted, secret: digits, secret_hash: null },
    });
    for (const digits of [`00${'ab'.repeat(31)}`, `${'ab'.repeat(31)}00`, secret]) {
      expect(engine(alone(digits), { ...unspent, otherRefundable: yes(false) })).toEqual({ ...claim, secret: digits });
    }
    expect(engine(alone(HIDDEN), unspent)).toEqual({ look: 'refundableFrom' });
    const taken = { ownPaymentSpend: yes(spentBy('s', HIDDEN)), otherPaymentSpend: yes(null) };
    expect(engine(alone(HIDDEN), taken)).toEqual(NO_SECRET);
  });

  it('does not treat a secret of another hash as its own', () => {
    const secret_hash = bytesToHex(hash160(hexToBytes('11'.repeat(32))));
    const started = { ...makerStarted, secret_hash };
    expect(engine({ ...bothPaid, started }, unspent)).toEqual({ look: 'refundableFrom' });
  });
});

describe('why the rule of the real node recovers nothing for a maker', () => {
  it('because the log cannot be loaded', () => {
    const bare = initialMakerSwapContext();
    expect(recoverMakerAsKdf(bare, {})).toEqual(refused('notStarted', "Can't restore swap from empty events set"));
    expect(recoverMakerAsKdf({ ...bare, lastEventAt: at(0) }, {})).toEqual(
      refused('notStarted', 'First swap event must be Started'),
    );
  });

  it('because the log is not finished, or calls something settled', () => {
    expect(kdf({ ...paid, finishedAt: null })).toEqual(
      refused('notFinished', 'Swap must be finished before recover funds attempt'),
    );
    expect(kdf({ ...paid, makerPaymentRefund: tx('r') })).toEqual(
      refused('refunded', 'Maker payment is refunded, swap is not recoverable'),
    );
    const confirmed = { ...claimed, takerPaymentSpendConfirmed: true };
    expect(kdf(confirmed)).toEqual(refused('claimed', 'Taker payment spend transaction has been sent and confirmed'));
    expect(kdf(claimed)).toEqual({ look: 'ownPaymentSpend' });
    expect(kdf({ ...confirmed, takerPaymentSpend: null })).toEqual({ look: 'ownPaymentSpend' });
  });

  it('because there is no own payment, before the negotiation without a look at a chain', () => {
    expect(kdf({ negotiated: null })).toEqual(NOT_FOUND);
    expect(kdf({ ...paid, negotiated: null })).toEqual({ look: 'ownPaymentSpend' });
    expect(kdf(paid, { ownPayment: yes(null) })).toEqual(NOT_FOUND);
    expect(kdf({}, { ownPayment: no('down') })).toEqual(refused('lookUpFailed', 'down'));
  });

  it('because the taker has claimed, and the log has no taker payment', () => {
    expect(kdf(paid, { ownPaymentSpend: yes(spentBy('s')) })).toEqual(NO_OTHER);
  });

  it('claims with the secret that the taker shows if the log hides it', () => {
    const started = { ...makerStarted, secret: HIDDEN };
    const facts = { ownPaymentSpend: yes(spentBy('s', secret)), otherPaymentSpend: yes(null) };
    expect(kdf({ ...bothPaid, started }, facts)).toEqual(claim);
  });
});
