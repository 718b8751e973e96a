import { describe, expect, it } from 'vitest';
import { likelyClock } from '../../../src/runtime/latest-clock.ts';
import { after, NOW, turnOf } from '../../support/turns.ts';

const clockOf = (host: number, maker: number | null, taker: number | null) => {
  const at = (seconds: number | null) =>
    seconds === null ? null : ({ value: { clock: NOW / 1000 + seconds } } as never);
  const turn = turnOf({ now: after(host), facts: { payments: { maker: at(maker), taker: at(taker) } } });
  return (likelyClock(turn) - NOW) / 1000;
};

describe('the moment that decides what may be spent', () => {
  it('is the middle one of three clocks, whichever is wrong', () => {
    const three = [-7000, 3, 9000] as const;
    for (const [first, second, third] of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ] as const)
      expect(clockOf(three[first] as number, three[second] as number, three[third] as number)).toBe(3);
    expect(clockOf(5, 5, 9000)).toBe(5);
  });

  it('is the earliest of fewer', () => {
    expect([clockOf(4, null, null), clockOf(4, 9, null), clockOf(4, null, -9)]).toEqual([4, 4, -9]);
  });
});
