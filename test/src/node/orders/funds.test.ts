import { describe, expect, it } from 'vitest';
import { KDF_NETWORK } from '../../../../src/htlc/network-profile.ts';
import { mostFunds, type Purse, requireFunds } from '../../../../src/node/orders/funds.ts';
import type { Quote } from '../../../../src/ports/chain.ts';
import { decimalOf } from '../../../../src/primitives/decimal.ts';
import { fractionOf, fractionOfDecimal, fractionText } from '../../../../src/primitives/fraction.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';

const TAKER = { makerCoin: 'DOC', network: KDF_NETWORK, takerKey: `02${'11'.repeat(32)}` };
const volume = fractionOfDecimal(decimalOf('7.77'));

/** A wallet of MARTY with 6 digits, whose payment costs 0.0003 and whose trading fee costs 0.00002 to send. */
function purse(spendable: string, given: { readonly coming?: string; readonly locked?: string } = {}): Purse {
  const { coming, locked } = given;
  const value: Quote = {
    height: 9,
    clock: unixSecondsOf(1_800_000_000),
    spendable: decimalOf(spendable),
    ...(coming === undefined ? {} : { coming: decimalOf(coming) }),
    paymentFee: decimalOf('0.0003'),
    spendFee: decimalOf('0.05'),
    spendFeeFrom: 'claim',
    dexFeeFee: decimalOf('0.00002'),
  };
  return {
    chain: { traits: { coin: 'MARTY', decimals: 6, minTxAmount: 1000n }, quote: () => ({ ok: true, value }) },
    locked: new Map(locked === undefined ? [] : [['MARTY', decimalOf(locked)]]),
  };
}

const refusal = (asked: Promise<unknown>): Promise<string | null> =>
  asked.then(
    () => null,
    (error: Error) => error.message,
  );

describe('the funds of an order', () => {
  it('are a maker’s volume and the fee of its payment, to the last unit', async () => {
    expect(await refusal(requireFunds(purse('7.7703'), volume, null))).toBeNull();
    expect(await refusal(requireFunds(purse('7.770299'), volume, null))).toBe(
      'Not enough MARTY for swap: available 7.770299, required at least 7.7703, locked by swaps 0',
    );
  });

  it('are of a taker the trading fee and its sending too', async () => {
    // The trading fee is a 777th.
    expect(await refusal(requireFunds(purse('7.78032'), volume, TAKER))).toBeNull();
    expect(await refusal(requireFunds(purse('7.780319'), volume, TAKER))).toContain('required at least 7.78032,');
  });

  it('exclude what running swaps will still take, and include change that is coming', async () => {
    expect(await refusal(requireFunds(purse('8', { locked: '0.2297' }), volume, null))).toBeNull();
    expect(await refusal(requireFunds(purse('8', { locked: '0.229701' }), volume, null))).toBe(
      'Not enough MARTY for swap: available 7.770299, required at least 7.7703, locked by swaps 0.229701',
    );
    expect(await refusal(requireFunds(purse('7', { coming: '0.7703' }), volume, null))).toBeNull();
  });

  it('are at most the free funds less the fee of the payment', async () => {
    expect(fractionText(await mostFunds(purse('3', { locked: '1.25', coming: '0.5' })))).toBe('2.2497');
    expect(await refusal(mostFunds(purse('0.001299')))).toContain('required at least 0.0013,');
    expect(await mostFunds(purse('0.0013'))).toEqual(fractionOf(1n, 1000n));
  });
});
