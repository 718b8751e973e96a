import { describe, expect, it } from 'vitest';
import { drawMessage } from '../../../../src/peers/allowance.ts';
import { sourceOf } from '../../../../src/peers/libp2p/address.ts';
import { createBans } from '../../../../src/peers/libp2p/bans.ts';
import { createPurses, type PursePair } from '../../../../src/peers/libp2p/purses.ts';
import { millisOf } from '../../../../src/primitives/time.ts';

const AT = 1_800_000_000_000;
const at = (seconds: number) => millisOf(AT + seconds * 1000);
const each = { messages: { burst: 30, perSecond: 2 }, weight: { burst: 9000, perSecond: 1000 } };
const relay = { messages: { burst: 70, perSecond: 7 }, weight: { burst: 50_000, perSecond: 5000 } };

const perTopic = { allowance: each, most: 3 };
const LIMITS = { each, relay, perTopic };

/** Draws all that is left; how many messages that was. */
function drawAll({ usual: { account, allowance } }: PursePair, seconds: number): number {
  let count = 0;
  while (drawMessage(account, { allowance, now: at(seconds) })) count += 1;
  return count;
}

describe('O8: what an address may send', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7', '::ffff:198.51.100.7'],
    ['2001:db8:1:2::5', '2001:db8:1:2:ffff:eeee:dddd:cccc'],
  ])('does not come back with a new link: %s, then %s', (first, second) => {
    const purses = createPurses({ ...LIMITS, purses: 5 }, { sharesTopics: true });
    expect(drawAll(purses.take(first, at(0)), 0)).toBe(30);
    purses.giveBack(first, at(0));
    expect(drawAll(purses.take(second, at(3)), 3)).toBe(6);
  });

  it.each([
    ['198.51.100.7', '198.51.100.8'],
    ['2001:db8:1:2::5', '2001:db8:1:3::5'],
    // This host itself, over whose address any process comes.
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
  ])('is not that of another one: %s, then %s', (first, second) => {
    const purses = createPurses({ ...LIMITS, purses: 5 }, { sharesTopics: true });
    expect(drawAll(purses.take(first, at(0)), 0)).toBe(30);
    expect(drawAll(purses.take(second, at(0)), 0)).toBe(30);
  });

  it('is shared by all its links, and is kept as long as one of them exists', () => {
    const purses = createPurses({ ...LIMITS, purses: 0 }, { sharesTopics: true });
    const [first, second] = [purses.take('198.51.100.7', at(0)), purses.take('198.51.100.7', at(0))];
    drawAll(first, 0);
    expect(drawAll(second, 0)).toBe(0);
    purses.giveBack('198.51.100.7', at(0));
    expect([purses.size(), drawAll(purses.take('198.51.100.7', at(1)), 1)]).toEqual([1, 2]);
  });

  it('is forgotten once it would be whole again, and not before', () => {
    const purses = createPurses({ ...LIMITS, purses: 5 }, { sharesTopics: true });
    drawAll(purses.take('198.51.100.7', at(0)), 0);
    purses.giveBack('198.51.100.7', at(0));
    // The slowest of all is the message burst: 30 at 2 in a second.
    purses.take('198.51.100.8', at(14.999));
    expect(purses.size()).toBe(2);
    purses.take('198.51.100.9', at(15));
    expect(purses.size()).toBe(2);
  });

  it('takes bounded memory, whatever clients come', () => {
    const purses = createPurses({ ...LIMITS, purses: 5 }, { sharesTopics: true });
    for (let index = 0; index < 1000; index++) {
      purses.take(`203.0.${index >> 8}.${index & 255}`, at(0));
      purses.giveBack(`203.0.${index >> 8}.${index & 255}`, at(0));
    }
    expect(purses.size()).toBe(5);
  });
});

it('bans and places belong to the network of an IPv6 address', () => {
  const bans = createBans({ first: 600_000, longest: 86_400_000, identities: 3, most: 100 });
  for (const id of ['a', 'b', 'c']) bans.add({ id, host: `2001:db8:1:2::${id}` }, at(0));
  expect(bans.has({ id: null, host: '2001:db8:1:2::9' }, at(1))).toBe(true);
  expect(bans.has({ id: null, host: '2001:db8:1:3::9' }, at(1))).toBe(false);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['1:2:3:4:5::', '1:2:3:4::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['a.host', 'a.host'],
])('the source of %s is %s', (host, source) => {
  expect(sourceOf(host)).toBe(source);
});
