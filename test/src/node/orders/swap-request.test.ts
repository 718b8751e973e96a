import { describe, expect, it } from 'vitest';
import { roundsAway, sendableOf } from '../../../../src/node/orders/swap-request.ts';
import { addFractions, fractionOf } from '../../../../src/primitives/fraction.ts';

/** Rounded to 2 digits, it loses exactly one thousandth of itself. */
const BOUND = fractionOf(5000n, 999n);
const A_HAIR = fractionOf(1n, 10n ** 30n);

describe('an amount that a coin cannot send whole', () => {
  it('is rounded down to the last digit of the coin', () => {
    expect(sendableOf(BOUND, { decimals: 2 })).toEqual(fractionOf(5n));
    expect(sendableOf(BOUND, { decimals: 6 })).toEqual(fractionOf(5_005_005n, 1_000_000n));
    expect(sendableOf(BOUND, { decimals: 0 })).toEqual(fractionOf(5n));
  });

  it('may lose one thousandth and no more', () => {
    expect(roundsAway(BOUND, { decimals: 2 })).toBe(false);
    expect(roundsAway(addFractions(BOUND, A_HAIR), { decimals: 2 })).toBe(true);
    expect(roundsAway(addFractions(BOUND, A_HAIR), { decimals: 3 })).toBe(false);
  });
});
