import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnixSeconds } from '../../../../../src/primitives/time.ts';
import { NEVER } from '../../../../../src/runtime/command.ts';
import { waitedTooLong } from '../../../../../src/runtime/swap/effects/waiting.ts';
import { isWatched } from '../../../../../src/runtime/swap/effects/watched.ts';
import { inMillis, looked, requested } from '../../../../support/effect-turns.ts';
import { NOW, turnOf } from '../../../../support/turns.ts';

describe('the wait for a message', () => {
  const limit = 90;

  it('is over in the first whole second after its limit, at which the turn wakes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999, max: 0 }), fc.integer({ min: 0, max: 200_000 }), (started, now) => {
        const turn = turnOf({ now: inMillis(now) });
        const start = Math.floor((NOW + started) / 1000);
        const elapsed = Math.floor((NOW + now) / 1000) - start;
        const since = inMillis(started);
        expect(waitedTooLong(turn, { since, limit })).toBe(elapsed > limit ? elapsed : null);
        expect(turn.wakeAt).toBe(elapsed > limit ? NEVER : (start + limit + 1) * 1000);
      }),
    );
  });

  it('is over by the clock of a chain that is ahead', () => {
    const clock = (NOW / 1000 + 91) as UnixSeconds;
    const turn = turnOf({ facts: { payments: { taker: looked({ clock }) } } });
    expect(waitedTooLong(turn, { since: NOW, limit })).toBe(91);
  });
});

it('a spend in a taker’s name may be a watcher’s if the swap began here, or its log records watchers', () => {
  const maker = { role: 'maker', own: 'maker', other: 'taker' } as const;
  const begun = { request: requested() };
  expect(isWatched(turnOf())).toBe(false);
  expect(isWatched(turnOf({ journal: begun }))).toBe(true);
  expect(isWatched(turnOf({ swap: { watched: true } }))).toBe(true);
  expect(isWatched(turnOf({ journal: begun, swap: { ...maker, watched: true } }))).toBe(false);
});
