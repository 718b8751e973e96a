import { describe, expect, it } from 'vitest';
import { onLeg, setOnLeg } from '../../../src/primitives/pair.ts';

describe('a pair', () => {
  it('has a member for each chain, which is read and changed by its name', () => {
    const pair = { maker: 1, taker: 2 };
    expect([onLeg(pair, 'maker'), onLeg(pair, 'taker')]).toEqual([1, 2]);
    setOnLeg(pair, 'taker', 3);
    expect(pair).toEqual({ maker: 1, taker: 3 });
    setOnLeg(pair, 'maker', 4);
    expect(pair).toEqual({ maker: 4, taker: 3 });
  });
});
