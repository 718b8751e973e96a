import { describe, expect, it } from 'vitest';
import { initialJournalContext, type JournalContext } from '../../../../machines/journal/context.ts';
import { initialMakerSwapContext, type MakerSwapContext } from '../../../../machines/maker-swap/context.ts';
import { initialTakerSwapContext, type TakerSwapContext } from '../../../../machines/taker-swap/context.ts';
import { BURN_KEY } from '../../../../src/htlc/dex-fee.ts';
import { makerLocks, takerLocks } from '../../../../src/runtime/sides/locks.ts';
import { makerSide, makerStarted, TRAITS, takerSide, takerStarted, txOf } from '../../../support/side-contexts.ts';
import { preparedOf } from '../../../support/turns.ts';

type Prepared = Partial<JournalContext['prepared']>;

const given = (prepared: Prepared, state = 'any') => {
  const journal = initialJournalContext();
  return { state, journal: { ...journal, prepared: { ...journal.prepared, ...prepared } }, traits: TRAITS };
};
const ofTaker = (changes: Partial<TakerSwapContext> = {}, prepared: Prepared = {}, state?: string) =>
  Object.fromEntries(takerLocks(takerSide({ started: takerStarted(), ...changes }), given(prepared, state)));
const ofMaker = (changes: Partial<MakerSwapContext> = {}, prepared: Prepared = {}, state?: string) =>
  Object.fromEntries(makerLocks(makerSide({ started: makerStarted(), ...changes }), given(prepared, state)));

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
    expect(takerLocks(initialTakerSwapContext(), given({})).size).toBe(0);
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
    expect(makerLocks(initialMakerSwapContext(), given({})).size).toBe(0);
  });
});

it('the sum is made anew only when something of it was sent, and for each swap apart', () => {
  const context = makerSide({ started: makerStarted() });
  const first = makerLocks(context, given({}));
  expect(makerLocks({ ...context }, given({}))).toBe(first);
  const sent = makerLocks({ ...context, makerPayment: txOf('aa') }, given({}));
  expect([...sent.keys()]).toEqual(['MARTY']);
  // What turns out to be gone for good is to be sent again: the sum goes both ways.
  expect(Object.fromEntries(makerLocks(context, given({})))).toEqual(Object.fromEntries(first));
  expect(makerLocks(makerSide({ started: makerStarted() }), given({}))).not.toBe(first);
});
