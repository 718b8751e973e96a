import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hex2, hex8, hexAmount, hexNumber, mixHex, simulatedKey } from '../../../../src/sim/chains/mix.ts';

describe('cheap hashes', () => {
  it('differ for a hundred thousand texts that are nearly equal, in each half', () => {
    const [whole, left, right] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (let index = 0; index < 100_000; index++) {
      const mixed = mixHex(`${'0'.repeat(80)}${index.toString(16)}`);
      whole.add(mixed);
      left.add(mixed.slice(0, 8));
      right.add(mixed.slice(8));
    }
    expect(whole.size).toBe(100_000);
    // By chance about one pair in 2^32 agrees in a half.
    expect(left.size).toBeGreaterThan(99_980);
    expect(right.size).toBeGreaterThan(99_980);
  });

  it('change about half of their bits when one bit of the text changes', () => {
    let changed = 0;
    const trials = 2000;
    for (let index = 0; index < trials; index++) {
      const text = `${index} ${'ab'.repeat(20)}`;
      const other = String.fromCharCode(text.charCodeAt(0) ^ 1) + text.slice(1);
      const difference = BigInt(`0x${mixHex(text)}`) ^ BigInt(`0x${mixHex(other)}`);
      changed += difference.toString(2).replaceAll('0', '').length;
    }
    expect(changed / trials).toBeGreaterThan(28);
    expect(changed / trials).toBeLessThan(36);
  });

  it('numbers are written with all their digits', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.bigInt({ min: 0n, max: 1n << 64n }), (number, amount) => {
        expect(hex8(number)).toBe(number.toString(16).padStart(8, '0'));
        expect(hex2(number & 255)).toBe((number & 255).toString(16).padStart(2, '0'));
        expect(hexAmount(amount, 20)).toBe(amount.toString(16).padStart(20, '0'));
        expect(hexAmount(amount & 0xffffn, 2)).toBe((amount & 0xffffn).toString(16).padStart(2, '0'));
      }),
    );
  });

  it('safe numbers are written as amounts are, in any width that holds them', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 14, max: 40 }), (number, width) => {
        expect(hexNumber(number, width)).toBe(number.toString(16).padStart(width, '0'));
      }),
    );
    expect(() => hexAmount(-1n, 16)).toThrow(RangeError);
    for (const edge of [0, 0xffff_ffff, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(hexNumber(edge, 16)).toBe(edge.toString(16).padStart(16, '0'));
      expect(hexAmount(BigInt(edge) + 1n, 16)).toBe((BigInt(edge) + 1n).toString(16).padStart(16, '0'));
    }
  });

  it('keys have the form of a compressed key and depend on the label', () => {
    const keys = new Set(Array.from({ length: 5000 }, (_, index) => simulatedKey(`label ${index}`)));
    expect(keys.size).toBe(5000);
    for (const key of keys) expect(key).toMatch(/^0[23][0-9a-f]{64}$/);
    expect(simulatedKey('label 1')).toBe(simulatedKey('label 1'));
  });
});
