import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../../src/events/encode.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { xorshift32 } from '../../../../src/sim/xorshift.ts';
import { mutateBytes, mutateText } from '../../../../src/testing/drawn/text-fuzz.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../../support/draws.ts';

const text = savedSwapText(buildSwapPair({ watchers: true }).taker);

describe('a generator of numbers', () => {
  it('gives whole numbers below the limit, the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 0xffff_ffff }), (seed, limit) => {
        const [one, two] = [xorshift32(seed), xorshift32(seed)];
        for (let round = 0; round < 20; round++) {
          const number = one.below(limit);
          expect(number).toBe(two.below(limit));
          expect(Number.isInteger(number) && number >= 0 && number < limit).toBe(true);
        }
      }),
    );
  });

  it('gives other numbers for every seed, also for zero', () => {
    const firsts = Array.from({ length: 10_000 }, (_, seed) => xorshift32(seed).next());
    expect(new Set(firsts).size).toBe(firsts.length);
    expect(firsts).not.toContain(0);
  });

  it('spreads evenly', () => {
    const rng = xorshift32(7);
    const counts = new Array<number>(16).fill(0);
    for (let round = 0; round < 16_000; round++) counts[rng.below(16)] = (counts[rng.below(16)] ?? 0) + 1;
    expect(Math.max(...counts)).toBeLessThan(1300);
    expect(Math.min(...counts)).toBeGreaterThan(700);
  });
});

describe('damage to text', () => {
  const damaged = Array.from({ length: draws({ sample: 800, change: 2000, release: 4000 }) }, (_, seed) =>
    mutateText(text, xorshift32(seed)),
  );

  it('is the same for the same seed, and nearly always another text', () => {
    for (let seed = 0; seed < 200; seed++) expect(mutateText(text, xorshift32(seed))).toBe(damaged[seed]);
    expect(damaged.filter((one) => one === text).length).toBeLessThan(damaged.length / 20);
    expect(new Set(damaged).size).toBeGreaterThan(damaged.length * 0.7);
  });

  it('cuts, nests, repeats members, and puts in prototypes, huge numbers and odd characters', () => {
    const isJson = (one: string) => {
      try {
        JSON.parse(one);
        return true;
      } catch {
        return false;
      }
    };
    const share = (holds: (one: string) => boolean) => damaged.filter(holds).length / damaged.length;
    expect(share((one) => text.startsWith(one) && one !== text)).toBeGreaterThan(0.03);
    expect(share((one) => one.includes('['.repeat(3000)))).toBeGreaterThan(0.02);
    expect(share((one) => one.includes('__proto__'))).toBeGreaterThan(0.005);
    expect(share((one) => /1e999|18446744073709551616|0{400}/.test(one))).toBeGreaterThan(0.005);
    expect(share((one) => one.includes('\ud800') || one.includes('\u0000'))).toBeGreaterThan(0.005);
    expect(share(isJson)).toBeGreaterThan(0.2);
    expect(share(isJson)).toBeLessThan(0.9);
  });

  it('is met by the reader with a swap or a typed error', () => {
    for (const one of damaged.slice(0, draws({ sample: 250, change: 750, release: 1500 }))) {
      const read = decodeSwapsText(one);
      expect(read.length).toBeGreaterThan(0);
      expect(read.every((swap) => swap.ok || swap.error instanceof SwapfoldError)).toBe(true);
    }
  });

  it('leaves the empty text empty', () => {
    for (let seed = 0; seed < 50; seed++) expect(mutateText('', xorshift32(seed))).toBe('');
  });
});

describe('damage to bytes', () => {
  const bytes = new TextEncoder().encode(text);

  it('is made in a copy, and is often no UTF-8', () => {
    const before = bytes.slice();
    const strict = new TextDecoder('utf-8', { fatal: true });
    const invalid = Array.from({ length: 400 }, (_, seed) => mutateBytes(bytes, xorshift32(seed))).filter((one) => {
      try {
        strict.decode(one);
        return false;
      } catch {
        return true;
      }
    });
    expect(bytes).toEqual(before);
    expect(invalid.length).toBeGreaterThan(80);
    expect(mutateBytes(new Uint8Array(), xorshift32(1))).toHaveLength(0);
  });
});
