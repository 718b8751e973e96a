import { describe, expect, it } from 'vitest';
import { createBans } from '../../../../src/peers/libp2p/bans.ts';
import { createSeen } from '../../../../src/peers/libp2p/seen.ts';
import { millisOf } from '../../../../src/primitives/time.ts';

const at = (seconds: number) => millisOf(1_700_000_000_000 + seconds * 1000);
const RULES = { first: 60_000, longest: 200_000, identities: 3, most: 5 };
const HOST = '198.51.100.7';

describe('a ban', () => {
  it('ends, and lasts twice as long each time, up to the longest', () => {
    const bans = createBans(RULES);
    const who = { id: 'one', host: HOST };
    const lasts: number[] = [];
    for (let now = 0, round = 0; round < 4; round++) {
      bans.add(who, at(now));
      let seconds = 0;
      while (bans.has(who, at(now + seconds))) seconds += 1;
      lasts.push(seconds);
      now += seconds;
    }
    expect(lasts).toEqual([60, 120, 200, 200]);
  });

  it('is for the identity, and for the address once three of its identities have one', () => {
    const bans = createBans(RULES);
    const others = { id: 'somebody', host: HOST };
    for (const [index, id] of ['one', 'two', 'three'].entries()) {
      expect(bans.has(others, at(index))).toBe(false);
      bans.add({ id, host: HOST }, at(index));
    }
    expect(bans.has(others, at(3))).toBe(true);
    expect(bans.has({ id: null, host: HOST }, at(3))).toBe(true);
    expect(bans.has({ id: null, host: '198.51.100.8' }, at(3))).toBe(false);
  });

  it('is never for this host itself, whose address any process may use', () => {
    const bans = createBans(RULES);
    for (const id of ['one', 'two', 'three', 'four']) bans.add({ id, host: '127.0.0.1' }, at(0));
    expect(bans.has({ id: 'five', host: '127.0.0.1' }, at(1))).toBe(false);
    expect(bans.has({ id: 'four', host: '127.0.0.1' }, at(1))).toBe(true);
  });

  it('is no longer for a clock that was set back', () => {
    const bans = createBans(RULES);
    bans.add({ id: 'one', host: HOST }, at(100_000));
    expect(bans.has({ id: 'one', host: HOST }, at(0))).toBe(false);
  });

  it('limits its memory, whatever nodes come', () => {
    const bans = createBans(RULES);
    for (let index = 0; index < 1000; index++)
      bans.add({ id: `id ${index}`, host: `10.0.0.${index}` }, at(index / 1000));
    expect(bans.size()).toBeLessThanOrEqual(2 * RULES.most);
  });
});

describe('what a node has seen', () => {
  it('is known again until its time is over', () => {
    const seen = createSeen({ keep: 60_000, most: 10 });
    expect([seen.isNew('a', at(0)), seen.isNew('a', at(59)), seen.isNew('b', at(59))]).toEqual([true, false, true]);
    expect([seen.isNew('a', at(60)), seen.isNew('b', at(60))]).toEqual([true, false]);
  });

  it('is forgotten oldest first if there is too much of it', () => {
    const seen = createSeen({ keep: 60_000, most: 3 });
    for (const id of ['a', 'b', 'c', 'd']) seen.isNew(id, at(0));
    expect(seen.size()).toBe(3);
    expect([seen.isNew('d', at(0)), seen.isNew('b', at(0)), seen.isNew('a', at(0))]).toEqual([false, false, true]);
  });

  it('does not last forever if the clock was set back', () => {
    const seen = createSeen({ keep: 60_000, most: 100 });
    seen.isNew('a', at(1000));
    seen.isNew('b', at(0));
    expect(seen.size()).toBe(1);
  });
});
