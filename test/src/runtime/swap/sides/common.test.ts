import { describe, expect, it } from 'vitest';
import { BURN_KEY } from '../../../../../src/htlc/dex-fee.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import {
  addContracts,
  agreedTerms,
  feeBook,
  keyOf,
  negotiationTermsOf,
  noTerms,
  termsOf,
  tradeFee,
  withRoles,
} from '../../../../../src/runtime/swap/side-inputs.ts';
import { inputsOf, keyFrom, TRAITS } from '../../../../support/side-contexts.ts';
import { quoteOf } from '../../../../support/turns.ts';

const ZEROS = '0'.repeat(66);

describe('the key of a party for a coin', () => {
  it('is the key of its hash time locks, else the persistent one, else none', () => {
    const [own, persistent] = [keyFrom('11'), keyFrom('10')];
    expect(keyOf(own, persistent)).toBe(own);
    for (const absent of [null, undefined, ZEROS]) {
      expect(keyOf(absent, persistent)).toBe(persistent);
      expect(keyOf(own, absent)).toBe(own);
      for (const other of [null, undefined, ZEROS]) expect(keyOf(absent, other)).toBe('');
    }
  });
});

describe('the terms of a payment', () => {
  const input = {
    lock: 7 as UnixSeconds,
    secretHash: 'cc'.repeat(20),
    sender: keyFrom('11'),
    receiver: keyFrom('12'),
    amount: '3' as DecimalText,
    contract: '0a',
  };

  it('are known only as a whole; a contract may be missing', () => {
    expect(termsOf(input)).toStrictEqual(input);
    for (const contract of [null, undefined])
      expect(termsOf({ ...input, contract })).toStrictEqual({ ...input, contract: null });
    for (const unknown of [{ secretHash: null }, { secretHash: undefined }, { sender: '' }, { receiver: '' }]) {
      expect(termsOf({ ...input, ...unknown })).toBeNull();
    }
  });
});

describe('the terms of payments whose chain refunds automatically', () => {
  const terms = termsOf({
    ...{ lock: 7 as UnixSeconds, secretHash: 'cc'.repeat(20), sender: keyFrom('11'), receiver: keyFrom('12') },
    ...{ amount: '3' as DecimalText, contract: null },
  });
  const both = { own: terms, other: null };
  const automatic = (leg: 'maker' | 'taker') => ({
    ...TRAITS,
    [leg]: { ...TRAITS[leg], refund: 'automatic' as const, blockTime: leg === 'maker' ? 6 : 5 },
  });

  it('say which lock duration counts their blocks, and who owns them; no other terms do', () => {
    const make = () => both;
    for (const own of ['maker', 'taker'] as const) {
      expect(withRoles(make, { own, traits: TRAITS })({ lock_duration: 7800 }, {})).toBe(both);
      const counted = withRoles(make, { own, traits: automatic(own) })({ lock_duration: 7800 }, {});
      expect(counted).toStrictEqual({ own: { ...terms, counted: { duration: 7800, leg: own } }, other: null });
      const { [own]: timed, ...rest } = automatic(own);
      const { blockTime: _, ...timeless } = timed as typeof timed & { readonly blockTime: number };
      const traits = { ...rest, [own]: timeless } as typeof TRAITS;
      expect(withRoles(make, { own, traits })({ lock_duration: 7800 }, {})).toStrictEqual(both);
      const other = own === 'maker' ? 'taker' : 'maker';
      expect(withRoles(make, { own, traits: automatic(other) })({ lock_duration: 7800 }, {})).toStrictEqual(both);
      const theirs = withRoles(() => ({ own: null, other: terms }), { own, traits: automatic(other) });
      expect(theirs({ lock_duration: 31_200 }, {}).other?.counted).toEqual({ duration: 31_200, leg: other });
    }
  });
});

describe('the terms that both sides agreed on', () => {
  const terms = (amount: string) =>
    termsOf({
      lock: 7 as UnixSeconds,
      secretHash: 'cc'.repeat(20),
      sender: keyFrom('11'),
      receiver: keyFrom('12'),
      amount: amount as never,
      contract: null,
    });
  type Part = { readonly amount: string };
  const counting = () => {
    const asked: string[] = [];
    const make = (started: Part, negotiated: Part) => {
      asked.push(`${started.amount} ${negotiated.amount}`);
      return { own: terms(started.amount), other: terms(negotiated.amount) };
    };
    return { asked, make };
  };

  it('are computed once for what the log says, and again when it says something else', () => {
    const { asked, make } = counting();
    const book = noTerms();
    const [one, two, three] = [{ amount: '1' }, { amount: '2' }, { amount: '3' }];
    const first = agreedTerms(book, { started: one, negotiated: two }, make);
    expect(first).toMatchObject({ own: terms('1'), other: terms('2') });
    const kept = first.own;
    expect(agreedTerms(book, { started: one, negotiated: two }, make).own).toBe(kept);
    expect(agreedTerms(book, { started: one, negotiated: three }, make).other).toEqual(terms('3'));
    expect(agreedTerms(book, { started: two, negotiated: three }, make).own).toEqual(terms('2'));
    expect(asked).toEqual(['1 2', '1 3', '2 3']);
    agreedTerms(undefined, { started: two, negotiated: three }, make);
    expect(asked).toHaveLength(4);
  });

  it('do not exist before both parts do, whatever a book holds', () => {
    const { asked, make } = counting();
    const book = noTerms();
    agreedTerms(book, { started: { amount: '1' }, negotiated: { amount: '2' } }, make);
    for (const part of [
      { started: null, negotiated: { amount: '2' } },
      { started: { amount: '1' }, negotiated: null },
    ]) {
      expect(agreedTerms(book, part, make)).toMatchObject({ own: null, other: null });
    }
    expect(asked).toHaveLength(1);
  });
});

describe('the fee of a swap', () => {
  it('is that of the coins and the key in the question, also after questions about others', () => {
    const fee = feeBook({ traits: TRAITS });
    const swap = { taker_coin: 'MARTY', maker_coin: 'DOC', taker_amount: '777' as never };
    const dearer = { ...swap, taker_amount: '1554' as never };
    expect(fee(swap, keyFrom('11')).feeSat).toBe(100_000_000n);
    expect(fee(swap, keyFrom('11'))).toBe(fee(swap, keyFrom('11')));
    expect(fee(dearer, keyFrom('11')).feeSat).toBe(200_000_000n);
    expect(fee(dearer, BURN_KEY)).toMatchObject({ kind: 'none', feeSat: 0n });
    expect(fee(swap, BURN_KEY).feeSat).toBe(0n);
    expect(fee(swap, keyFrom('11')).feeSat).toBe(100_000_000n);
  });
});

describe('a network fee as the start stores it', () => {
  it('is in the coin that pays it, and comes from the traded amount only if a claim pays for itself', () => {
    const quote = quoteOf({ paymentFee: '1' as never, spendFee: '2' as never, dexFeeFee: '3' as never });
    const stored = (amount: string, paid_from_trading_vol: boolean, coin = 'DOC') => ({
      coin,
      amount,
      paid_from_trading_vol,
    });
    expect(tradeFee('DOC', quote, 'paymentFee')).toEqual(stored('1', false));
    expect(tradeFee('DOC', quote, 'dexFeeFee')).toEqual(stored('3', false));
    expect(tradeFee('DOC', quote, 'spendFee')).toEqual(stored('2', true));
    expect(tradeFee('DOC', { ...quote, spendFeeFrom: 'wallet' }, 'spendFee')).toEqual(stored('2', false));
    const token = { ...quote, feeCoin: { coin: 'ETH', spendable: '1' as never } };
    expect(tradeFee('DOC', token, 'paymentFee')).toEqual(stored('1', false, 'ETH'));
  });
});

describe('the swap contracts of a side', () => {
  const contracts = {
    maker: { ...TRAITS.maker, contract: '0a' },
    taker: { ...TRAITS.taker, contract: '0b', fallbackContract: '0c' },
  };

  it('are stored if there are any', () => {
    const added = (traits: typeof TRAITS) => {
      const into = { uuid: 'u' };
      addContracts(traits, into);
      return into;
    };
    expect(added(TRAITS)).toEqual({ uuid: 'u' });
    expect(added(contracts)).toEqual({
      uuid: 'u',
      maker_coin_swap_contract_address: '0a',
      taker_coin_swap_contract_address: '0b',
    });
    expect(added({ ...TRAITS, taker: contracts.taker })).toEqual({
      uuid: 'u',
      taker_coin_swap_contract_address: '0b',
    });
  });

  it('are what a negotiation is checked against, with the alternative that is accepted', () => {
    const started = { started_at: 7 as never, lock_duration: 8, taker_coin: 'MARTY' };
    const keyRule = () => 'no key';
    expect(negotiationTermsOf(started, { ...inputsOf('taker'), traits: contracts, keyRule })).toStrictEqual({
      startedAt: 7,
      lockDuration: 8,
      takerCoin: 'MARTY',
      contracts: {
        makerCoin: { kind: 'contract', address: '0a', fallback: null },
        takerCoin: { kind: 'contract', address: '0b', fallback: '0c' },
      },
      keys: { makerCoin: keyRule, takerCoin: keyRule },
    });
    const { keys, contracts: none } = negotiationTermsOf(started, inputsOf('taker'));
    expect(none).toStrictEqual({ makerCoin: { kind: 'none' }, takerCoin: { kind: 'none' } });
    expect(keys.makerCoin('zz')).not.toBeNull();
  });
});
