import { describe, expect, it } from 'vitest';
import { initialJournalContext, type JournalContext } from '../../../../../machines/journal/context.ts';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../../../machines/maker-swap/context.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../../../machines/taker-swap/context.ts';
import { BURN_KEY } from '../../../../../src/htlc/dex-fee.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { Millis } from '../../../../../src/primitives/time.ts';
import type { Leg } from '../../../../../src/runtime/command.ts';
import type { Traits } from '../../../../../src/runtime/swap/side-inputs.ts';
import { makerLocks, takerLocks } from '../../../../../src/runtime/swap/sides/locks.ts';
import { makerSide, makerStarted, TRAITS, takerSide, takerStarted, txOf } from '../../../../support/side-contexts.ts';
import { preparedOf } from '../../../../support/turns.ts';

type Prepared = Partial<JournalContext['prepared']>;

const given = (prepared: Prepared, state = 'any') => {
  const journal = initialJournalContext();
  return { state, journal: { ...journal, prepared: { ...journal.prepared, ...prepared } }, traits: TRAITS };
};
const ofTaker = (changes: Partial<TakerSwapContext> = {}, prepared: Prepared = {}, state?: string) =>
  Object.fromEntries(takerLocks(takerSide({ started: takerStarted(), ...changes }), given(prepared, state)).amounts);
const ofMaker = (changes: Partial<MakerSwapContext> = {}, prepared: Prepared = {}, state?: string) =>
  Object.fromEntries(makerLocks(makerSide({ started: makerStarted(), ...changes }), given(prepared, state)).amounts);

const SIGNED = [preparedOf({ attemptedAt: null })];
const DEAD = [preparedOf({ dead: true })];

describe('what a taker’s swap will still take from the wallets', () => {
  // The fee of 3 coins is 0.003861; 0.01, 0.002 and 0.0003 are what the network takes.
  const ALL = { MARTY: '3.015861', DOC: '0.0003' };

  it('is its fee, its payment, and the network fees of these and of its claim', () => {
    expect(ofTaker()).toEqual(ALL);
    const exempt = takerStarted({ taker_coin_htlc_pubkey: BURN_KEY });
    expect(ofTaker({ started: exempt })).toEqual({ ...ALL, MARTY: '3.012' });
    const persistent = takerStarted({ taker_coin_htlc_pubkey: null, my_persistent_pub: BURN_KEY });
    expect(ofTaker({ started: persistent })).toEqual({ ...ALL, MARTY: '3.012' });
  });

  it.each<[string, Partial<TakerSwapContext>, Prepared, object]>([
    ['the fee', { takerFee: txOf('fe') }, { fee: SIGNED }, { ...ALL, MARTY: '3.002' }],
    ['the payment', { takerPayment: txOf('aa') }, { payment: SIGNED }, { ...ALL, MARTY: '0.013861' }],
    ['the claim', { makerPaymentSpend: txOf('dd') }, { claim: SIGNED }, { MARTY: ALL.MARTY }],
  ])('is less once %s is in the log, or signed', (_, sent, signed, left) => {
    expect(ofTaker(sent)).toEqual(left);
    expect(ofTaker({}, signed)).toEqual(left);
    const dead = Object.fromEntries(Object.keys(signed).map((purpose) => [purpose, DEAD]));
    expect(ofTaker({}, dead)).toEqual(ALL);
  });

  it('is nothing before the start and after the end', () => {
    expect(ofTaker({ started: null })).toEqual({});
    expect(ofTaker({}, {}, 'finished')).toEqual({});
    expect(takerLocks(initialTakerSwapContext(), given({})).amounts.size).toBe(0);
  });
});

describe('what a maker’s swap will still take from the wallets', () => {
  const ALL = { DOC: '1.51', MARTY: '0.0003' };

  it('is its payment, and the network fees of this and of its claim', () => {
    expect(ofMaker()).toEqual(ALL);
  });

  it.each<[string, Partial<MakerSwapContext>, Prepared, object]>([
    ['the payment', { makerPayment: txOf('aa') }, { payment: SIGNED }, { MARTY: '0.0003' }],
    ['the claim', { takerPaymentSpend: txOf('dd') }, { claim: SIGNED }, { DOC: '1.51' }],
  ])('is less once %s is in the log, or signed', (_, sent, signed, left) => {
    expect(ofMaker(sent)).toEqual(left);
    expect(ofMaker({}, signed)).toEqual(left);
    expect(ofMaker({}, { fee: SIGNED, refund: SIGNED, void: SIGNED })).toEqual(ALL);
  });

  it('is nothing before the start and after the end', () => {
    expect(ofMaker({ started: null })).toEqual({});
    expect(ofMaker({}, {}, 'finished')).toEqual({});
    expect(makerLocks(initialMakerSwapContext(), given({})).amounts.size).toBe(0);
  });
});

describe('what the refund of an own payment takes from an account', () => {
  const ofAccounts = {
    maker: { ...TRAITS.maker, refundFeeFrom: 'wallet' },
    taker: { ...TRAITS.taker, refundFeeFrom: 'wallet' },
  } as const;
  const paid = (refundFee?: string) => {
    const { tx } = preparedOf();
    return [preparedOf({ tx: { ...tx, ...(refundFee === undefined ? {} : { refundFee: refundFee as DecimalText }) } })];
  };
  const taker = (prepared: Prepared, changes: Partial<TakerSwapContext> = {}, traits: Traits = ofAccounts) =>
    takerLocks(takerSide({ started: takerStarted(), ...changes }), { ...given(prepared), traits });
  const maker = (prepared: Prepared, changes: Partial<MakerSwapContext> = {}, traits: Traits = ofAccounts) =>
    makerLocks(makerSide({ started: makerStarted(), ...changes }), { ...given(prepared), traits });
  const fee = { takerFee: txOf('fe') };

  it('is held from the moment at which the payment is signed, as the wallet computed it then', () => {
    expect(taker({ payment: paid('0.0013') }, fee).amounts).toEqual(
      new Map([
        ['MARTY', '0.0013'],
        ['DOC', '0.0003'],
      ]),
    );
    expect(taker({ payment: paid('0.0013') }, fee).fees.get('MARTY')).toEqual({
      ...{ coin: 'MARTY', amount: '0.0013', ends: ['refund'] },
    });
    expect(maker({ payment: paid('0.07') }).amounts).toEqual(
      new Map([
        ['DOC', '0.07'],
        ['MARTY', '0.0003'],
      ]),
    );
    // Before that it is part of what the payment costs.
    expect(maker({}).fees).toEqual(
      new Map([
        ['DOC', { coin: 'DOC', amount: '0.01', ends: [] }],
        ['MARTY', { coin: 'MARTY', amount: '0.0003', ends: ['claim'] }],
      ]),
    );
  });

  it('is that of the newest variant that records it, also if only the log records the payment', () => {
    const variants = [...paid('0.001'), ...paid('0.002'), ...paid()];
    expect(maker({ payment: variants }).amounts.get('DOC')).toBe('0.002');
    expect(maker({ payment: paid('0.002') }, { makerPayment: txOf('aa') }).amounts.get('DOC')).toBe('0.002');
  });

  it('is the whole fee of the payment if the log does not record it, and nothing if the payment pays for it', () => {
    expect(maker({}, { makerPayment: txOf('aa') }).amounts.get('DOC')).toBe('0.01');
    expect(taker({ payment: SIGNED }, fee).amounts.get('MARTY')).toBe('0.002');
    expect(maker({ payment: SIGNED }, {}, TRAITS).amounts.get('DOC')).toBeUndefined();
    const byItself = { ...ofAccounts, maker: { ...ofAccounts.maker, refund: 'automatic' } } as const;
    expect(maker({ payment: SIGNED }, {}, byItself).amounts.get('DOC')).toBeUndefined();
  });

  it('is held in the coin that pays the fees, even if the chain of the payment is missing', () => {
    const started = makerStarted({
      maker_payment_trade_fee: { coin: 'ETH', amount: '0.02' as DecimalText, paid_from_trading_vol: false },
    });
    const held = maker({ payment: paid('0.013') }, { started }, TRAITS);
    expect(held.amounts.get('ETH')).toBe('0.013');
    expect(held.fees.get('DOC')).toEqual({ coin: 'ETH', amount: '0.013', ends: ['refund'] });
    expect(maker({ payment: SIGNED }, { started }, TRAITS).amounts.get('ETH')).toBe('0.02');
  });

  it.each<[string, Prepared, Partial<TakerSwapContext>, Partial<MakerSwapContext>]>([
    ['its refund is signed', { refund: SIGNED }, {}, {}],
    ['it is refunded', {}, { takerPaymentRefunded: true }, { makerPaymentRefunded: true }],
  ])('is no longer held once %s', (_, prepared, ofTakers, ofMakers) => {
    expect(
      taker({ payment: paid('0.0013'), ...prepared }, { ...fee, ...ofTakers }).amounts.get('MARTY'),
    ).toBeUndefined();
    expect(maker({ payment: paid('0.07'), ...prepared }, ofMakers).amounts.get('DOC')).toBeUndefined();
  });

  it('is no longer held once the payment is claimed, and is held again if the signed refund is gone for good', () => {
    const claimed = { ...fee, takerPaymentSpend: txOf('cc') };
    expect(taker({ payment: paid('0.0013') }, claimed).amounts.get('MARTY')).toBeUndefined();
    expect(maker({ payment: paid('0.07'), refund: DEAD }).amounts.get('DOC')).toBe('0.07');
  });

  it('is no longer held once the chain has settled the own payment, but still if it has settled only the other side’s', () => {
    const settled = (payment: Leg): JournalContext['settled'] => ({
      ...{ maker: null, taker: null },
      [payment]: { payment, how: 'refunded', by: 'counterparty', tx_hash: null, confirmations: 9, at: 5 as Millis },
    });
    const ofTakers = (ended: Leg) => {
      const journal = { ...given({ payment: paid('0.0013') }).journal, settled: settled(ended) };
      const side = takerSide({ started: takerStarted(), ...fee });
      return takerLocks(side, { ...given({}), journal, traits: ofAccounts }).amounts.get('MARTY');
    };
    const ofMakers = (ended: Leg) => {
      const journal = { ...given({ payment: paid('0.07') }).journal, settled: settled(ended) };
      return makerLocks(makerSide({ started: makerStarted() }), { ...given({}), journal, traits: ofAccounts }).amounts;
    };
    expect([ofTakers('taker'), ofMakers('maker').get('DOC')]).toEqual([undefined, undefined]);
    // Whose claim is lost has to take its own payment back, and needs the gas for that.
    expect([ofTakers('maker'), ofMakers('taker').get('DOC')]).toEqual(['0.0013', '0.07']);
  });

  it('is added to what the claim costs if one coin pays both', () => {
    const of = (amount: string) => ({ coin: 'ETH', amount: amount as DecimalText, paid_from_trading_vol: false });
    const started = makerStarted({
      maker_payment_trade_fee: of('0.02'),
      taker_payment_spend_trade_fee: of('0.005'),
    });
    expect(maker({ payment: paid('0.013') }, { started }).amounts).toEqual(new Map([['ETH', '0.018']]));
  });
});

it('the sum is computed again only when a part of it was sent, separately for each swap', () => {
  const context = makerSide({ started: makerStarted() });
  const first = makerLocks(context, given({}));
  expect(makerLocks({ ...context }, given({}))).toBe(first);
  const sent = makerLocks({ ...context, makerPayment: txOf('aa') }, given({}));
  expect([...sent.amounts.keys()]).toEqual(['MARTY']);
  // What turns out to be gone for good is to be sent again: the sum goes both ways.
  expect(makerLocks(context, given({}))).toEqual(first);
  expect(makerLocks(makerSide({ started: makerStarted() }), given({}))).not.toBe(first);
});
