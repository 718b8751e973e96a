import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeeRule, feeAt, feeWithin, rateAt, rateOf } from '../../../../src/chains/utxo/coin.ts';

const RULE: FeeRule = { rate: 3000n, floor: 1000n, ceiling: 50_000n };
const rates = fc.bigInt({ min: 1n, max: 10_000_000n });
const sizes = fc.integer({ min: 60, max: 100_000 });

describe('the fee for a number of virtual bytes', () => {
  it('is rounded up', () => {
    expect(feeAt(1000n, 191)).toBe(191n);
    expect(feeAt(1001n, 191)).toBe(192n);
    expect(feeAt(1n, 1)).toBe(1n);
    expect(feeAt(0n, 1000)).toBe(0n);
  });

  it('pays at least its own rate for its size', () => {
    fc.assert(
      fc.property(rates, sizes, (rate, size) => {
        const fee = feeAt(rate, size);
        expect(fee * 1000n).toBeGreaterThanOrEqual(rate * BigInt(size));
        expect((fee - 1n) * 1000n).toBeLessThan(rate * BigInt(size));
        expect(rateOf(fee, size)).toBeGreaterThanOrEqual(rate);
      }),
    );
  });
});

describe('urgency', () => {
  it('raises the rate by half at each step, up to the ceiling', () => {
    const at = (urgency: number) => rateAt(RULE, { rate: 3000n, urgency });
    expect([0, 1, 2, 3].map(at)).toEqual([3000n, 4500n, 6750n, 10_125n]);
    expect(at(1000)).toBe(50_000n);
  });

  it('never offers less than nodes relay', () => {
    expect(rateAt(RULE, { rate: 10n, urgency: 0 })).toBe(1000n);
    expect(rateAt(RULE, { rate: 3000n, urgency: -5 })).toBe(3000n);
  });

  it('never offers less for more of it', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 60 }), (rate, urgency) => {
        const [calm, pressed] = [urgency, urgency + 1].map((each) => rateAt(RULE, { rate, urgency: each }));
        expect(pressed).toBeGreaterThanOrEqual(calm as bigint);
      }),
    );
  });
});

describe('a bound', () => {
  it('is paid if more was wanted, unless it is below the least sufficient fee', () => {
    expect(feeWithin(500n, { least: 200n, maxFee: null })).toBe(500n);
    expect(feeWithin(500n, { least: 200n, maxFee: 300n })).toBe(300n);
    expect(feeWithin(500n, { least: 300n, maxFee: 300n })).toBe(300n);
    expect(feeWithin(500n, { least: 301n, maxFee: 300n })).toBeNull();
    expect(feeWithin(100n, { least: 301n, maxFee: null })).toBe(301n);
  });
});
