import { describe, expect, it } from 'vitest';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import type { WatcherTurn } from '../../../../src/runtime/watcher/turn.ts';
import { validateTakerFee, validateTakerPayment } from '../../../../src/runtime/watcher/validate.ts';
import { sample } from '../../../machines/watcher/support.ts';
import {
  appended,
  asked,
  event,
  fundedBy,
  inMillis,
  looked,
  PAID,
  seen,
  spentWith,
  wantOf,
} from '../../../support/effect-turns.ts';
import { after, NOW } from '../../../support/turns.ts';
import { type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

const { watch } = sample;
const decided = (effect: (turn: WatcherTurn) => unknown, changes: WatcherTurnChanges) => {
  const turn = watcherTurnOf({ policy: { confirmationPoll: 40, feeCheck: { retries: 2, pause: 10 } }, ...changes });
  const proposal = effect(turn);
  return [proposal, turn.wakeAt - NOW];
};
const stops = (reason: string, error: string) => event('Stopped', { reason, error });

describe('the fee of a taker that wants a watcher', () => {
  const validates = (changes: WatcherTurnChanges = {}) => decided(validateTakerFee, changes);
  const check = {
    tx: null,
    hash: watch.taker_fee_hash,
    payer: watch.taker_pub,
    feeSat: null,
    burnSat: 0n,
    minHeight: watch.taker_coin_start_block,
    notBefore: watch.swap_started_at - watch.lock_duration,
  };
  const asks = (notBefore: number) =>
    asked('taker', { op: 'checkFee', check: { ...check, notBefore: notBefore as never } });

  it('must be no older than a lock at the start of the swap, however late the taker asks', () => {
    expect(validates()[0]).toStrictEqual(asks(check.notBefore));
    const late = { context: { lastEventAt: after(90_000) }, now: after(90_001) };
    expect(validates(late)[0]).toStrictEqual(asks(check.notBefore));
  });

  it('is good as soon as the chain says so', () => {
    const facts = { feeCheck: seen(null, 60_000), feeChecks: 9 };
    expect(validates({ facts })[0]).toStrictEqual(appended(event('TakerFeeValidated')));
  });

  it('is checked again after a while, and then refused', () => {
    const bad = (ago: number, feeChecks = 1) => validates({ facts: { feeCheck: seen('none', ago), feeChecks } });
    expect(bad(9999)).toEqual([null, 1]);
    expect(bad(10_000)[0]).toStrictEqual(asks(check.notBefore));
    expect(bad(0, 2)[0]).toStrictEqual(appended(stops('InvalidTakerFee', 'none')));
  });
});

const WANT = wantOf('validateTakerPayment', { notBefore: after(0), until: after(1000) });
const validates = (changes: WatcherTurnChanges = {}, want = WANT) =>
  decided((turn) => validateTakerPayment(turn, want), changes);
const sees = (view: Partial<PaymentView>, ago = 0) => ({ facts: { payments: { taker: looked(view, ago) } } });
const valid = appended(event('TakerPaymentValidated'));

describe('the taker payment before anything is done for it', () => {
  it('is looked for from its moment on', () => {
    const facts = sees({ funding: fundedBy() });
    expect(validates(facts, { ...WANT, notBefore: inMillis(1) })).toEqual([null, 1]);
    expect(validates(facts)[0]).toStrictEqual(valid);
    expect(validates(facts, wantOf('validateTakerPayment'))[0]).toStrictEqual(valid);
    expect(validates()[0]).toMatchObject({ key: 'taker:payment' });
    expect(validates(sees({}, 40_001))[0]).toMatchObject({ key: 'taker:payment' });
    expect(validates(sees({}, 40_000))).toEqual([null, 1]);
  });

  it('must be in a block, unless the taker asked for no confirmation', () => {
    const waiting = sees({ funding: fundedBy({ confirmations: 0 }) });
    expect(validates(waiting)).toEqual([null, 40_001]);
    expect(validates({ ...waiting, watch: { taker_payment_confirmations: 0 } })[0]).toStrictEqual(valid);
    expect(validates({ ...sees({}), watch: { taker_payment_confirmations: 0 } })).toEqual([null, 40_001]);
    const many = { watch: { taker_payment_confirmations: 9 } };
    expect(validates({ ...sees({ funding: fundedBy() }), ...many })[0]).toStrictEqual(valid);
  });

  it('was valid if it is spent already', () => {
    expect(validates(sees({ spend: spentWith('secret') }))[0]).toStrictEqual(valid);
  });

  it('that differs is refused in a block, and may be replaced before', () => {
    const wrong = (confirmations: number) => sees({ problem: 'too little', funding: fundedBy({ confirmations }) });
    expect(validates(wrong(1))[0]).toStrictEqual(appended(stops('InvalidTakerPayment', 'too little')));
    expect(validates(wrong(0))).toEqual([null, 40_001]);
    expect(validates(sees({ problem: 'too little', spend: spentWith('secret') }))).toEqual([null, 40_001]);
  });

  it('whose signed refund spends a different one is refused without a look', () => {
    expect(validates({ swap: { refundProblem: 'another payment' } })[0]).toStrictEqual(
      appended(stops('InvalidTakerPayment', 'another payment')),
    );
  });
});

describe('a taker payment', () => {
  it.each([
    ['is not there', {}, stops('InvalidTakerPayment', 'the taker payment is not on the chain')],
    [
      'is another one',
      { problem: 'too little', funding: fundedBy({ confirmations: 0 }) },
      stops('InvalidTakerPayment', 'too little'),
    ],
    [
      'is not confirmed',
      { funding: fundedBy({ confirmations: 0 }) },
      stops(
        'TakerPaymentNotConfirmed',
        `Waited too long until ${NOW / 1000 + 1000} for transaction ${PAID.tx_hash} to be confirmed 1 times`,
      ),
    ],
  ])('that %s at the end of its time is refused', (_, view, closing) => {
    const at = (millis: number) => ({
      now: inMillis(millis),
      facts: { payments: { taker: { ...looked(view), at: inMillis(millis) } } },
    });
    expect(validates(at(1_000_000))).toEqual([null, 1_000_001]);
    expect(validates(at(1_000_001))[0]).toStrictEqual(
      appended(
        event('DeadlineReached', { kind: 'takerPaymentConfirmation', deadline: after(1000), clock: 'host' }),
        closing,
      ),
    );
  });
});
