import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PeerAddress } from '../../../../src/peers/libp2p/address.ts';
import { USUAL_LIMITS } from '../../../../src/peers/libp2p/limits.ts';
import type { Link } from '../../../../src/peers/libp2p/link.ts';
import { isPublicIpv4, relayAddressOf } from '../../../../src/peers/libp2p/relay-addresses.ts';
import { createRelayBook, type ToldRelay } from '../../../../src/peers/libp2p/relay-book.ts';
import { keepSearching } from '../../../../src/peers/libp2p/relay-search.ts';
import type { Random } from '../../../../src/ports/clock.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const PORT = 42_845;
const RULES = { port: PORT, isPublic: isPublicIpv4 };
const limits = USUAL_LIMITS.search;

/** Numbers that are the same in each run. */
function counting(start = 1): Random {
  let state = start;
  return {
    bytes: (count) =>
      Uint8Array.from({ length: count }, () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return state >>> 24;
      }),
  };
}

const relay = (host: string, id = `id of ${host}`): ToldRelay => ({ id, address: { host, port: PORT } });

describe('the address of a relay that another node names', () => {
  it.each([
    '/ip4/8.8.4.4/tcp/42845',
    '/ip4/8.8.4.4/tcp/42845/p2p/12D3KooWDMw3TJ2jeLRxeWtVrUkBw5FzKE8T1bMZK9wYsgmKxsTh',
  ])('%s may be looked at', (text) => {
    expect(relayAddressOf(text, RULES)).toEqual({ host: '8.8.4.4', port: PORT });
  });

  it.each([
    ['another port', '/ip4/8.8.4.4/tcp/22'],
    ['the port of another network', '/ip4/8.8.4.4/tcp/42846'],
    ['WebSocket', '/ip4/8.8.4.4/tcp/42845/wss'],
    ['a name, which anybody can point anywhere', '/dns/seed.example.org/tcp/42845'],
    ['a name of an IPv4 address', '/dns4/seed.example.org/tcp/42845'],
    ['a name with an id', '/dns4/seed.example.org/tcp/42845/p2p/12D3KooWDMw3TJ2jeLRxeWtVrUkBw5FzKE8T1bMZK9wYsgmKxsTh'],
    ['a name of an IPv6 address', '/dns6/seed.example.org/tcp/42845'],
    ['a name whose records hold addresses', '/dnsaddr/seed.example.org'],
    ['a name in the place of an address', '/ip4/seed.example.org/tcp/42845'],
    ['IPv6, which the framework does not tell of', '/ip6/2600::1/tcp/42845'],
    ['this host', '/ip4/127.0.0.1/tcp/42845'],
    ['a network at home', '/ip4/192.168.1.1/tcp/42845'],
    ['a network of a provider', '/ip4/100.127.255.255/tcp/42845'],
    ['where clouds keep their secrets', '/ip4/169.254.169.254/tcp/42845'],
    ['everybody', '/ip4/255.255.255.255/tcp/42845'],
    ['a number that is none', '/ip4/08.8.4.4/tcp/42845'],
    ['nothing', ''],
    ['no TCP', '/ip4/8.8.4.4/udp/42845'],
  ])('%s is passed over', (_, text) => {
    expect(relayAddressOf(text, RULES)).toBeNull();
  });
});

describe('the book of relays', () => {
  it('O9: remembers a limited number, and the latest of each teller', () => {
    const list = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), list)), (told) => {
        const book = createRelayBook(limits.known);
        for (const [teller, hosts] of told) {
          book.tell(
            `teller ${teller}`,
            hosts.map((host) => relay(`8.8.${teller}.${host}`)),
          );
          expect(book.size()).toBeLessThanOrEqual(limits.known);
        }
        const [last] = told.slice(-1);
        const drawn = new Set(book.drawn(counting()).map(({ address: { host } }) => host));
        for (const host of last?.[1] ?? []) expect(drawn.has(`8.8.${last?.[0]}.${host}`)).toBe(true);
      }),
    );
  });

  it('O9: lets tellers take turns, so that one with many relays has no more weight than one with few', () => {
    const many = Array.from({ length: 20 }, (_, index) => relay(`9.9.9.${index}`));
    for (let seed = 1; seed < 50; seed++) {
      const book = createRelayBook(limits.known);
      book.tell('greedy', many);
      book.tell('modest', [relay('8.8.8.8')]);
      const first = book.drawn(counting(seed)).slice(0, 2);
      expect(first.some(({ address: { host } }) => host === '8.8.8.8')).toBe(true);
    }
  });

  it('has each address once, however many name it', () => {
    const book = createRelayBook(limits.known);
    book.tell('one', [relay('8.8.8.8', 'an id')]);
    book.tell('other', [relay('8.8.8.8', 'another id'), relay('8.8.4.4')]);
    expect(book.drawn(counting()).map(({ address: { host } }) => host)).toHaveLength(2);
    book.forget('other');
    expect(book.drawn(counting())).toEqual([relay('8.8.8.8', 'an id')]);
  });

  it('hides no address behind an unwanted id, whoever names it so', () => {
    for (let seed = 1; seed < 50; seed++) {
      const book = createRelayBook(limits.known);
      for (let liar = 0; liar < 3; liar++) book.tell(`liar ${liar}`, [relay('8.8.8.8', 'a banned id')]);
      book.tell('honest', [relay('8.8.8.8', 'an id')]);
      expect(book.drawn(counting(seed), ({ id }) => id !== 'a banned id')).toEqual([relay('8.8.8.8', 'an id')]);
    }
  });
});

type World = { readonly answers?: Readonly<Record<string, readonly ToldRelay[] | null>>; readonly mute?: boolean };

/** Relays that are where they are said to be, each behind an address of its own. */
function searching({ answers = {}, mute = false }: World, spare: readonly PeerAddress[] = []) {
  const clock = virtualClock();
  const links = new Map<Link, () => void>();
  const relays = new Set<Link>();
  const dialed: string[] = [];
  const banned = new Set<string>();
  const open = (host: string): Link => {
    const ends: (() => void)[] = [];
    const drop = (): void => {
      links.delete(link);
      relays.delete(link);
      for (const end of ends.splice(0)) end();
    };
    const link: Link = {
      ...{ id: `id of ${host}`, idBytes: new Uint8Array(0), host, port: PORT, dialed: true, drop },
      open: () => Promise.reject(new Error('no protocol')),
      onEnd: (ended) => void ends.push(ended),
    };
    links.set(link, drop);
    if (!mute || host === 'the seed') relays.add(link);
    return link;
  };
  const search = keepSearching({
    ...{ clock, limits, spare, random: counting() },
    relays: () => [...relays],
    ask: async ({ host }) => answers[host] ?? null,
    async dial({ host }) {
      dialed.push(host);
      if (host.startsWith('1.')) throw new Error('nobody is there');
      return open(host);
    },
    admits: ({ id }) => !banned.has(id),
    onFound() {},
  });
  const hosts = (): readonly string[] => [...links.keys()].map(({ host }) => host).toSorted();
  return { clock, search, open, hosts, dialed, banned, end: (host: string) => endOf(links, host) };
}

function endOf(links: ReadonlyMap<Link, () => void>, host: string): void {
  for (const [link, drop] of links) if (link.host === host) drop();
}

const SIX = [1, 2, 3, 4, 5, 6].map((last) => relay(`8.8.8.${last}`));

describe('a light node that has too few relays', () => {
  it('asks after 20 seconds, looks every 30, and has four then', async () => {
    const { clock, open, hosts, dialed } = searching({ answers: { 'the seed': SIX } });
    open('the seed');
    await clock.advance(29_999);
    expect(dialed).toEqual([]);
    await clock.advance(1);
    expect([hosts().length, dialed.length]).toEqual([4, 3]);
    await clock.advance(600_000);
    expect([hosts().length, dialed.length]).toEqual([4, 3]);
  });

  it('stays with two, and looks for others once it has fewer', async () => {
    const { clock, open, hosts, dialed, end } = searching({ answers: { 'the seed': SIX } });
    for (const host of ['the seed', 'another seed']) open(host);
    await clock.advance(300_000);
    expect(dialed).toEqual([]);
    for (const host of ['the seed', 'another seed']) end(host);
    await clock.advance(30_000);
    expect(hosts()).toHaveLength(4);
  });

  it('dials an address once in five minutes, and none that nobody vouches for', async () => {
    const dead = [1, 2, 3].map((last) => relay(`1.1.1.${last}`));
    const { clock, open, dialed, banned } = searching({ answers: { 'the seed': [...dead, relay('9.9.9.9')] } });
    banned.add('id of 9.9.9.9');
    open('the seed');
    await clock.advance(329_999);
    expect(dialed.toSorted()).toEqual(['1.1.1.1', '1.1.1.2', '1.1.1.3']);
    await clock.advance(1);
    expect(dialed).toHaveLength(6);
  });

  it('O10: drops by the next look a node that does not say that it is a relay', async () => {
    const many = Array.from({ length: 20 }, (_, index) => relay(`8.8.8.${index}`));
    const { clock, open, hosts } = searching({ answers: { 'the seed': many }, mute: true });
    open('the seed');
    for (let looks = 0; looks < 40; looks++) {
      await clock.advance(30_000);
      expect(hosts().length).toBeLessThanOrEqual(1 + limits.usual);
    }
    expect(hosts()).toContain('the seed');
  });

  it('O10: has at most twelve: those that others named leave first', async () => {
    const { clock, open, hosts } = searching({ answers: { 'seed 0': SIX } });
    open('seed 0');
    await clock.advance(30_000);
    for (let index = 1; index <= 11; index++) open(`seed ${index}`);
    expect(hosts()).toHaveLength(15);
    await clock.advance(30_000);
    expect(hosts()).toHaveLength(12);
    expect(hosts().every((host) => host.startsWith('seed '))).toBe(true);
  });

  it('asks the next if one gives no answer, and dials nobody to whom it has a link', async () => {
    const answers = { first: null, second: [], third: [relay('third'), relay('8.8.8.8', 'id of first')] };
    const { clock, open, dialed, end } = searching({ answers });
    for (const host of ['first', 'second', 'third']) open(host);
    await clock.advance(20_000);
    for (const host of ['second']) end(host);
    end('third');
    await clock.advance(30_000);
    expect(dialed).toEqual(['third']);
  });

  it('forgets what a banned node has reported', async () => {
    const { clock, open, dialed, search } = searching({ answers: { 'the seed': SIX } });
    const seed = open('the seed');
    await clock.advance(25_000);
    search.distrust({ ...seed, id: 'another id at the same address' });
    await clock.advance(200_000);
    expect(dialed).toEqual([]);
  });

  it('accepts nothing from a node that is banned before its answer is read', async () => {
    const answers = {
      get 'the seed'() {
        world.search.distrust(seed);
        world.end('the seed');
        return SIX;
      },
    };
    const world = searching({ answers });
    const seed = world.open('the seed');
    await world.clock.advance(300_000);
    expect(world.dialed).toEqual([]);
  });

  it('tries the seed nodes that were too many, and nobody once it is over', async () => {
    const spare = Array.from({ length: 5 }, (_, index) => ({ host: `spare ${index}`, port: 9 }));
    const { clock, search, hosts, dialed } = searching({}, spare);
    await clock.advance(30_000);
    expect(hosts()).toHaveLength(4);
    search.stop();
    await clock.advance(3_600_000);
    expect([dialed.length, clock.armed()]).toEqual([4, 0]);
  });
});
