import { describe, expect, it } from 'vitest';
import type { Quote } from '../../../../../src/ports/chain.ts';
import { type DecimalText, toBigNumber } from '../../../../../src/primitives/decimal.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import type { HeldSince } from '../../../../../src/runtime/held.ts';
import {
  affordsClaim,
  claimShortage,
  promisedAtStart,
  type Quotes,
  shortageAtStart,
} from '../../../../../src/runtime/swap/effects/funds.ts';
import { asked, decided, requested, SAID, seen } from '../../../../support/effect-turns.ts';
import { NOW, quoteOf, type TurnChanges, turnOf } from '../../../../support/turns.ts';

const dec = (text: string) => text as DecimalText;
const MAKER = { role: 'maker', own: 'maker', other: 'taker' } as const;
const REQUEST = requested({ maker_amount: dec('1.5'), taker_amount: dec('3') });

/** A quote of fees that no sum hides. */
const quote = (changes: Partial<Quote> = {}, ago = 0) => ({
  ...seen(quoteOf({ paymentFee: dec('0.01'), dexFeeFee: dec('0.002'), spendFee: dec('0.0003'), ...changes }), ago),
  since: null as HeldSince | null,
});

const weighed =
  <T>(weigh: (turn: ReturnType<typeof turnOf>, quotes: Quotes) => T) =>
  (quotes: Partial<Quotes>, { events, ...changes }: TurnChanges = {}) =>
    weigh(
      turnOf({
        journal: { request: REQUEST },
        ...changes,
        events: { ...SAID, feeBefore: () => ({ kind: 'standard', feeSat: 40_000_000n, burnSat: 0n }), ...events },
      }),
      { maker: null, taker: null, ...quotes },
    );
const short = weighed(shortageAtStart);
const promised = weighed(promisedAtStart);

const text = (role: string, coin: string, figures: readonly [available: string, required: string, held?: string]) =>
  `!check_balance_for_${role}_swap Not enough ${coin} for swap: available ${figures[0]}, required at least ${figures[1]}, locked by swaps Some(BigDecimal("${figures[2] ?? '0'}"))`;

describe('what a taker needs before the start', () => {
  it('is its payment, its fee and what both cost, to the last unit', () => {
    expect(short({ taker: quote({ spendable: dec('3.412') }) })).toBeNull();
    expect(short({ taker: quote({ spendable: dec('3.41199999') }) })).toBe(
      text('taker', 'MARTY', ['3.41199999', '3.412']),
    );
  });

  it('is the payment alone if it pays no fee', () => {
    const events = { feeBefore: () => ({ kind: 'none', feeSat: 0n, burnSat: 0n }) as const };
    expect(short({ taker: quote({ spendable: dec('3.01') }) }, { events })).toBeNull();
    expect(short({ taker: quote({ spendable: dec('3') }) }, { events })).toBe(text('taker', 'MARTY', ['3', '3.01']));
  });

  it('also includes the cost of its claim if the claim does not pay for itself', () => {
    const maker = quote({ spendable: dec('0.0002'), spendFeeFrom: 'wallet' });
    expect(short({ maker })).toBe(text('taker', 'DOC', ['0.0002', '0.0003']));
    expect(short({ maker: quote({ spendable: dec('0.0003'), spendFeeFrom: 'wallet' }) })).toBeNull();
    expect(short({ maker: quote({ spendable: dec('0') }) })).toBeNull();
  });

  it('is unknown if a chain has not answered', () => {
    expect(short({})).toBeNull();
  });
});

describe('what a maker needs before the start', () => {
  it('is its payment and what that costs', () => {
    const events = {
      feeBefore: () => {
        throw new Error('a maker pays no fee');
      },
    };
    expect(short({ maker: quote({ spendable: dec('1.51') }) }, { swap: MAKER, events })).toBeNull();
    expect(short({ maker: quote({ spendable: dec('1.509') }) }, { swap: MAKER, events })).toBe(
      text('maker', 'DOC', ['1.509', '1.51']),
    );
  });
});

describe('an amount that is too small', () => {
  const low = (role: string, coin: string, figures: readonly [volume: string, least: string]) =>
    `!check_balance_for_${role}_swap The volume ${figures[0]} of the ${coin} coin less than minimum transaction amount ${figures[1]}`;

  it('is refused before any chain has answered; the least one is not', () => {
    const least = (minTxAmount: bigint) => ({ traits: { taker: { minTxAmount } } });
    expect(short({}, least(300_000_000n))).toBeNull();
    expect(short({}, least(300_000_001n))).toBe(low('taker', 'MARTY', ['3', '3.00000001']));
    expect(short({}, { swap: MAKER, traits: { maker: { minTxAmount: 15_000_000_001n } } })).toBe(
      low('maker', 'DOC', ['1.5', '1.5000000001']),
    );
    expect(short({}, { journal: {} })).toBe(low('taker', 'MARTY', ['0', '0.00001']));
  });

  it('is one from which the fee of the claim leaves less than the minimum', () => {
    const traits = { maker: { minTxAmount: 1000n } };
    const eaten = (spendFee: string, spendFeeFrom: Quote['spendFeeFrom'] = 'claim') =>
      short({ maker: quote({ spendFee: dec(spendFee), spendFeeFrom }) }, { traits });
    expect(eaten('1.4999999')).toBeNull();
    expect(eaten('1.4999999001')).toBe(low('taker', 'DOC', ['1.5', '1.5000000001']));
    expect(eaten('9', 'wallet')).toBeNull();
  });
});

describe('what other swaps hold', () => {
  const since = new Map() as HeldSince;
  const others = (coin: string, amount: string) => ({
    since: () => since,
    held: (asked: string, at: HeldSince | null) => toBigNumber(dec(asked === coin && at === since ? amount : '0')),
  });

  it('is not available, counted from when the quote was asked for', () => {
    const taker = { ...quote({ spendable: dec('10') }), since };
    expect(short({ taker }, { others: others('MARTY', '6.588') })).toBeNull();
    expect(short({ taker }, { others: others('MARTY', '6.6') })).toBe(text('taker', 'MARTY', ['3.4', '3.412', '6.6']));
    expect(short({ taker: { ...taker, since: null } }, { others: others('MARTY', '6.6') })).toBeNull();
  });

  it('is all that is missing, or only a part: only the first is worth waiting for', () => {
    const taker = { ...quote({ spendable: dec('3.412') }), since };
    expect(promised({ taker }, { others: others('MARTY', '0') })).toEqual([]);
    expect(promised({ taker }, { others: others('MARTY', '0.00000001') })).toEqual(['MARTY']);
    const less = { ...taker, value: { ...taker.value, spendable: dec('3.41199999') } };
    expect(promised({ taker: less }, { others: others('MARTY', '2') })).toEqual([]);
    // Of two coins both must suffice.
    const maker = { ...quote({ spendable: dec('0.0002'), spendFeeFrom: 'wallet' }), since };
    expect(promised({ taker, maker }, { others: others('MARTY', '2') })).toEqual([]);
    const tiny = { others: others('MARTY', '2'), traits: { taker: { minTxAmount: 300_000_001n } } };
    expect(promised({ taker }, tiny)).toEqual([]);
    expect(promised({})).toEqual([]);
  });

  it('of the coin that pays the fees of a token is counted as well', () => {
    const feeCoin = { coin: 'ETH', spendable: dec('0.02') };
    const taker = { ...quote({ feeCoin }), since };
    expect(short({ taker }, { others: others('ETH', '0.008') })).toBeNull();
    expect(short({ taker }, { others: others('ETH', '0.009') })).toBe(
      '!check_balance_for_taker_swap Not enough base coin ETH balance for swap: available 0.011, required at least 0.012, locked by swaps Some(BigDecimal("0.009"))',
    );
  });
});

describe('a coin that pays the fees on both chains', () => {
  const gas = (spendable: string) => ({ coin: 'ETH', spendable: dec(spendable) });
  const both = (maker: string, taker: string) =>
    short({
      maker: quote({ feeCoin: gas(maker), spendFeeFrom: 'wallet' }),
      taker: quote({ feeCoin: gas(taker) }),
    });
  const base = (available: string) =>
    `!check_balance_for_taker_swap Not enough base coin ETH balance for swap: available ${available}, required at least 0.0123, locked by swaps Some(BigDecimal("0"))`;

  it('must suffice for all of them, by the lower of both figures', () => {
    expect(both('0.0123', '0.0123')).toBeNull();
    expect(both('0.0122', '9')).toBe(base('0.0122'));
    expect(both('9', '0.0121')).toBe(base('0.0121'));
    expect(both('0.0122', '0.0122')).toBe(base('0.0122'));
  });

  it('is called by its own name if it is traded itself', () => {
    const feeCoin = { coin: 'DOC', spendable: dec('0.001') };
    expect(short({ taker: quote({ feeCoin }) })).toBe(text('taker', 'DOC', ['0.001', '0.012']));
  });
});

describe('before the own payment', () => {
  const POLICY = { freshness: 7, confirmationPoll: 40 };
  const claimFee = { coin: 'DOC', amount: dec('0.0003'), paid_from_trading_vol: false };
  const affords = (changes: TurnChanges = {}) =>
    decided(affordsClaim, turnOf({ policy: POLICY, ...changes, swap: { claimFee, ...changes.swap } }));
  const poor = (ago = 0) => ({ quotes: { maker: quote({ spendable: dec('0'), spendFeeFrom: 'wallet' }, ago) } });

  it('a claim that pays for itself needs nothing, nor does one of which nothing is known', () => {
    expect(affords({ swap: { claimFee: null } })[0]).toBe('enough');
    expect(affords({ swap: { claimFee: { ...claimFee, paid_from_trading_vol: true } } })[0]).toBe('enough');
  });

  it('the wallet is asked again, for a balance of this moment', () => {
    expect(affords()[0]).toStrictEqual({ pending: asked('maker', { op: 'quote' }) });
    const rich = (ago: number) => ({ quotes: { maker: quote({ spendFeeFrom: 'wallet' }, ago) } });
    expect(affords({ facts: rich(7001) })[0]).toMatchObject({ pending: { kind: 'ask' } });
    expect(affords({ facts: rich(7000) })).toEqual(['enough', NEVER - NOW]);
  });

  it('a wallet with too little is asked once more when the answer is too old', () => {
    expect(affords({ facts: poor() })).toEqual([{ pending: null }, 40_000]);
    expect(affords({ facts: poor(), policy: { freshness: 70, confirmationPoll: 40 } })[1]).toBe(71_000);
  });

  it('the missing amount may be reported for twice as long', () => {
    const said = (ago: number, leg: 'maker' | 'taker' = 'maker') =>
      claimShortage(turnOf({ policy: POLICY, facts: { quotes: { [leg]: poor(ago).quotes.maker } } }));
    expect(said(94_000)).toBe(text('taker', 'DOC', ['0', '0.0003']));
    expect(said(94_001)).toBeNull();
    expect(said(0, 'taker')).toBeNull();
    expect(claimShortage(turnOf())).toBeNull();
  });
});
