import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { type FinalityPolicy, finalDepth, withFinality } from '../../../src/runtime/finality.ts';
import { agreedForOther, isConfirmed } from '../../../src/runtime/is-confirmed.ts';

const text = (amount: string) => amount as DecimalText;
const DOC = { coin: 'DOC', finality: 3, kept: 'a' };
const MARTY = { coin: 'MARTY', finality: 5, kept: 'b' };
const step = (from: string, depth: number) => ({ from: text(from), depth });

describe('the depth of an amount', () => {
  const depth = (amount: string, ...steps: ReturnType<typeof step>[]) => finalDepth({ DOC: steps }, DOC, text(amount));

  it('begins exactly at the amount of its step', () => {
    expect([depth('1.99999999', step('2', 9)), depth('2', step('2', 9))]).toEqual([3, 9]);
  });

  it('is the later of two steps with the same amount', () => {
    expect(depth('5', step('2', 9), step('2.0', 4))).toBe(4);
    expect(depth('5', step('2.0', 4), step('2', 9))).toBe(9);
  });

  it('is never below one block, and never a depth that no chain can report', () => {
    expect([depth('5', step('1', 0)), depth('5', step('1', -7)), depth('5', step('1', 1))]).toEqual([1, 1, 1]);
    const far = (finality: number) => finalDepth({ DOC: [step('0', 9)] }, { coin: 'DOC', finality }, text('5'));
    expect(far(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(far(Number.MAX_SAFE_INTEGER - 1)).toBe(9);
  });
});

describe('the depths of both chains', () => {
  const traits = { maker: DOC, taker: MARTY };
  const amounts = { maker: text('1'), taker: text('2') };
  const given = (policy: FinalityPolicy) => withFinality(traits, policy, amounts);

  it('has the depth of each side’s own amount, and all else as it was', () => {
    expect(given({ DOC: [step('1', 7), step('2', 8)], MARTY: [step('1', 7), step('2', 8)] })).toEqual({
      maker: { ...DOC, finality: 7 },
      taker: { ...MARTY, finality: 8 },
    });
    expect(given({ DOC: [step('1', 7)] })).toEqual({ maker: { ...DOC, finality: 7 }, taker: MARTY });
    expect(given({ MARTY: [step('1', 7)] })).toEqual({ maker: DOC, taker: { ...MARTY, finality: 7 } });
  });

  it('is not rebuilt if nothing differs from what the chains say', () => {
    expect(given({})).toBe(traits);
    expect(given({ DOC: [step('1', 3)], MARTY: [step('2', 5)] })).toBe(traits);
  });
});

describe('a payment with the agreed confirmations', () => {
  const funding = (confirmations: number, notarised?: boolean) => ({
    tx: { tx_hex: '', tx_hash: '' },
    confirmations,
    ...(notarised === undefined ? {} : { notarised }),
  });
  const agreed = (confirmations: number, requiresNota = false) => ({ confirmations, requiresNota });

  it('is confirmed from exactly the requested depth on, and from one if none was requested', () => {
    expect([0, 1, 2, 3].map((count) => isConfirmed(funding(count), agreed(2)))).toEqual([false, false, true, true]);
    expect([0, 1].map((count) => isConfirmed(funding(count), agreed(0)))).toEqual([false, true]);
  });

  it('must be known to be notarized if that was asked for', () => {
    expect([undefined, false, true].map((is) => isConfirmed(funding(2, is), agreed(2, true)))).toEqual([
      false,
      false,
      true,
    ]);
    expect(isConfirmed(funding(1, true), agreed(2, true))).toBe(false);
    expect(isConfirmed(funding(2, false), agreed(2))).toBe(true);
  });

  it('is judged by what was agreed for the other side’s payment', () => {
    expect(agreedForOther({ otherConfirmations: 4, otherRequiresNota: true })).toEqual(agreed(4, true));
  });
});
