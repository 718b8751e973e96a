import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { blockTimeOf } from '../../../../src/sim/chains/block-time.ts';
import { blockList } from '../../../../src/sim/chains/blocks.ts';

const seconds = (value: number) => value as UnixSeconds;

describe('blocks of a simulated chain', () => {
  it('the median time past is the middle of the last eleven times, also after blocks were taken away', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5000), fc.nat(3)), { maxLength: 40 }), (list) => {
        const times = Array.from({ length: 11 }, (_, index) => 100_000 - (10 - index) * 60);
        const blocks = blockList<never>({ height: 50, time: seconds(100_000), blockTime: 60 });
        for (const [offset, gone] of list) {
          for (let left = gone; left > 0; left--) if (blocks.pop() !== undefined) times.pop();
          times.push(97_000 + offset);
          blocks.push({ time: seconds(97_000 + offset), arrived: seconds(100_000), entries: [] });
          const sorted = times.slice(-11).toSorted((left, right) => left - right);
          expect(blocks.truth.median).toBe(sorted[5]);
          expect(blocks.truth.height).toBe(50 + times.length - 11);
          expect(blocks.truth.time).toBe(times.at(-1));
        }
      }),
    );
  });

  it('a lagging view ends that many blocks below the tip, or where blocks arrived after its moment', () => {
    const blocks = blockList<never>({ height: 50, time: seconds(1000), blockTime: 60 });
    for (const time of [1060, 1120, 1180]) blocks.push({ time: seconds(time), arrived: seconds(time), entries: [] });
    const heightOf = (count: number, until: number) => blocks.lagging(count, until).height;
    expect([heightOf(0, 9999), heightOf(1, 9999), heightOf(3, 9999), heightOf(9, 9999)]).toEqual([53, 52, 50, 50]);
    expect([heightOf(0, 1179), heightOf(0, 1120), heightOf(2, 1179), heightOf(0, 0)]).toEqual([52, 52, 51, 50]);
    expect(blocks.lagging(1, 9999).arrived).toBe(1180);
    expect(blocks.lagging(0, 1150).arrived).toBe(1150);
  });

  it('a block is later than the bound and at most two hours ahead of the world', () => {
    const rule = { above: seconds(5000), now: seconds(6000) };
    expect(blockTimeOf(undefined, rule)).toBe(6000);
    expect(blockTimeOf(undefined, { above: seconds(7000), now: seconds(6000) })).toBe(7001);
    expect(blockTimeOf(seconds(5001), rule)).toBe(5001);
    expect(blockTimeOf(seconds(13_200), rule)).toBe(13_200);
    expect(() => blockTimeOf(seconds(5000), rule)).toThrow(RangeError);
    expect(() => blockTimeOf(seconds(13_201), rule)).toThrow(RangeError);
    expect(() => blockTimeOf(seconds(Number.NaN), rule)).toThrow(RangeError);
  });
});
