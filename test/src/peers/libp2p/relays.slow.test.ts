import { base58 } from '@scure/base';
import { afterEach, describe, expect, it } from 'vitest';
import { peerPort } from '../../../../src/peers/libp2p/ports.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { FrameworkNode, FrameworkOptions } from '../../../support/peers/framework/node.ts';
import { openFramework } from '../../../support/peers/framework/open.ts';
import { eventually, libp2pNode, type TestNode } from '../../../support/peers/libp2p-nodes.ts';
import { freeNetid } from '../../../support/serving.ts';
import { type VirtualClock, virtualClock } from '../../../support/virtual-clock.ts';

// Relays that listen on the port of one network, each at another address of the loopback, which stands for the internet.

const isPublic = (host: string): boolean => host.startsWith('127.');

const opened: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close: () => Promise<void> }>(one: T): T {
  opened.push(one);
  return one;
}

type Network = { readonly clock: VirtualClock; readonly netid: number };

const network = async (): Promise<Network> => ({ clock: virtualClock(), netid: await freeNetid() });

const theirs = async ({ clock, netid }: Network, last: number, options: Partial<FrameworkOptions> = {}) =>
  keep(await openFramework({ role: 'relay', clock, listen: `127.0.0.${last}:${peerPort(netid)}`, ...options }));

const ours = async (net: Network, name: string, options: Parameters<typeof libp2pNode>[1]): Promise<TestNode> =>
  keep(await libp2pNode(name, { ...net, isPublic, ...options }));

const relaysOf = ({ links }: TestNode): readonly string[] =>
  links()
    .filter(({ relay }) => relay)
    .map(({ address }) => address)
    .toSorted();

const tellingOf = (
  { netid }: Network,
  relay: Pick<FrameworkNode, 'idBytes'>,
  last: number,
  port = peerPort(netid),
) => ({
  id: relay.idBytes,
  addresses: [`/ip4/127.0.0.${last}/tcp/${port}`],
});

/** Time passes, and what goes over the loopback arrives. */
async function pass({ clock }: Network, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left--) {
    await clock.advance(1000);
    for (let turns = 0; turns < 40; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a light node', () => {
  it('learns other relays from a relay of the framework, and continues with them when that one is gone', async () => {
    const net = await network();
    const [second, third] = [await theirs(net, 2), await theirs(net, 3)];
    const first = await openFramework({
      ...{ role: 'relay', clock: net.clock, listen: `127.0.0.1:${peerPort(net.netid)}` },
      known: [tellingOf(net, second, 2), tellingOf(net, third, 3)],
    });
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.1'] });
    await eventually(() => relaysOf(alice).length === 1);
    await pass(net, 29);
    expect(relaysOf(alice)).toEqual(['127.0.0.1']);
    await pass(net, 1);
    await eventually(() => relaysOf(alice).length === 3);
    await eventually(() => [first, second, third].every((relay) => relay.includedBy().includes(alice.id)));
    await first.close();
    await eventually(() => relaysOf(alice).length === 2);
    await alice.peers.send('swap/00000000-0000-4000-8000-000000000001', { kind: 'negotiated', accepted: true });
    await eventually(() => second.heard.length === 1 && third.heard.length === 1);
    expect([first, second, third].flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('dials nobody at another port, which others want it to dial, and asks the next relay', async () => {
    const net = await network();
    const victim = await theirs(net, 4, { listen: '127.0.0.4:0' });
    const [, port = ''] = victim.address.split(':');
    const good = await theirs(net, 2);
    const liar = await theirs(net, 1, { known: [tellingOf(net, victim, 4, Number(port))] });
    const honest = await theirs(net, 3, { known: [tellingOf(net, good, 2)] });
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.1', '127.0.0.3'] });
    await eventually(() => relaysOf(alice).length === 2);
    await pass(net, 25);
    await liar.close();
    await eventually(() => relaysOf(alice).length === 1);
    await pass(net, 6);
    await eventually(() => relaysOf(alice).length === 2);
    expect([relaysOf(alice), victim.links()]).toEqual([['127.0.0.2', '127.0.0.3'], []]);
    expect(honest.faults).toEqual([]);
  });

  it('does not look for a node that it has banned', async () => {
    const net = await network();
    const bad = await theirs(net, 2);
    await theirs(net, 1, { known: [tellingOf(net, bad, 2)] });
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.1'] });
    await eventually(() => relaysOf(alice).length === 1);
    await pass(net, 30);
    await eventually(() => relaysOf(alice).length === 2);
    bad.say(alice.id, Buffer.alloc(100, 0xff));
    await eventually(() => relaysOf(alice).length === 1);
    const frames = bad.frames.length;
    await pass(net, 400);
    expect([relaysOf(alice), bad.links(), bad.frames.length]).toEqual([['127.0.0.1'], [], frames]);
    expect(alice.lines.filter((line) => line.includes('banned'))).toHaveLength(1);
  });
});

/** Names of relays, each with an address of IPv6 before that of IPv4. */
const resolve = async (name: string): Promise<readonly string[]> => {
  const last = /^seed(\d)\.example\.org$/.exec(name)?.[1];
  if (last === undefined) throw new Error(`no such name: ${name}`);
  return ['::1', `127.0.0.${last}`];
};

describe('a relay that has a name', () => {
  it('is announced at its IPv4 address, since the framework discards every answer with a name', async () => {
    const net = await network();
    const named = await theirs(net, 2);
    const seed = await ours(net, 'the seed', {
      ...{ relay: true, listen: ['127.0.0.1'], seeds: ['seed2.example.org'], resolve },
    });
    await eventually(() => relaysOf(seed).length === 1);
    const light = await theirs(net, 0, { role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    await eventually(() => light.mesh().length === 1);
    const answer = await light.askForPeers(seed.id);
    expect(answer?.map(({ id, addresses }) => [base58.encode(id), addresses])).toEqual([
      [named.id, [`/ip4/127.0.0.2/tcp/${peerPort(net.netid)}`]],
    ]);
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.1'] });
    await eventually(() => relaysOf(alice).length === 1);
    await pass(net, 30);
    await eventually(() => relaysOf(alice).length === 2);
    expect(relaysOf(alice)).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  it('is banned at its address', async () => {
    const net = await network();
    const named = await theirs(net, 1);
    const alice = await ours(net, 'Alice', { seeds: ['seed1.example.org'], resolve });
    await eventually(() => relaysOf(alice).length === 1);
    expect(relaysOf(alice)).toEqual(['127.0.0.1']);
    named.say(alice.id, Buffer.alloc(100, 0xff));
    await eventually(() => alice.links().length === 0);
    expect(alice.lines.some((line) => line.includes('banned') && line.includes('127.0.0.1'))).toBe(true);
  });

  it('that nobody knows is tried again, like one that is away', async () => {
    const net = await network();
    const alice = await ours(net, 'Alice', { seeds: ['seed.example.org'], resolve });
    const failures = () => alice.lines.filter((line) => line.includes('no such name'));
    await eventually(() => failures().length === 1);
    await pass(net, 10);
    expect(failures().length).toBeGreaterThan(1);
  });
});

describe('a light node whose relay is banned', () => {
  it('does not look for those that the banned relay named', async () => {
    const net = await network();
    const told = await theirs(net, 2);
    const bad = await theirs(net, 1, { known: [tellingOf(net, told, 2)] });
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.1'] });
    await eventually(() => relaysOf(alice).length === 1);
    await pass(net, 25);
    bad.say(alice.id, Buffer.alloc(100, 0xff));
    await eventually(() => alice.links().length === 0);
    await pass(net, 100);
    expect([alice.links(), told.frames]).toEqual([[], []]);
  });
});

describe('a node whose clock is wrong', () => {
  it('is disconnected by relays of either kind, and comes back once its clock is right', async () => {
    const net = await network();
    await theirs(net, 1);
    await ours(net, 'the seed', { relay: true, listen: ['127.0.0.2'] });
    let ahead = 21_000;
    const clock: Clock = {
      now: () => (net.clock.now() + ahead) as Millis,
      wakeAt: (at, wake) => net.clock.wakeAt((at - ahead) as Millis, wake),
    };
    const alice = await ours(net, 'Alice', { clock, seeds: ['127.0.0.1', '127.0.0.2'] });
    await eventually(() => alice.lines.filter((line) => line.includes('the link ended')).length >= 2);
    await eventually(() => alice.links().length === 0);
    await pass(net, 10);
    expect(alice.links()).toEqual([]);
    ahead = 19_000;
    await pass(net, 120);
    await eventually(() => relaysOf(alice).length === 2);
  });
});

describe('a seed node', () => {
  it('tells a node of the framework which relays it has a link to, at the port of the network', async () => {
    const net = await network();
    const other = await theirs(net, 2);
    const apart = await theirs(net, 3, { listen: '127.0.0.3:0' });
    const seed = await ours(net, 'the seed', {
      ...{ relay: true, listen: ['127.0.0.1'], seeds: ['127.0.0.2', apart.address] },
    });
    await eventually(() => relaysOf(seed).length === 2);
    const light = await theirs(net, 0, { role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    await eventually(() => light.mesh().length === 1);
    const answer = await light.askForPeers(seed.id);
    expect(answer?.map(({ id, addresses }) => [base58.encode(id), addresses])).toEqual([
      [other.id, [`/ip4/127.0.0.2/tcp/${peerPort(net.netid)}`]],
    ]);
    expect([other.faults, light.faults]).toEqual([[], []]);
  });

  it('names relays that connected by themselves, and no light node', async () => {
    const net = await network();
    const seed = await ours(net, 'the seed', { relay: true, listen: ['127.0.0.2'] });
    const came = await theirs(net, 1);
    await came.dial(seed.addresses[0] ?? '');
    const light = await theirs(net, 0, { role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    await eventually(() => light.mesh().length === 1 && relaysOf(seed).length === 1);
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.2'] });
    await eventually(() => relaysOf(alice).length === 1);
    const answer = await light.askForPeers(seed.id);
    expect(answer?.map(({ id }) => base58.encode(id))).toEqual([came.id]);
    await pass(net, 30);
    await eventually(() => relaysOf(alice).length === 2);
  });

  it('names no relay that connected when all places in its mesh were taken', async () => {
    const net = await network();
    const seed = await ours(net, 'the seed', { relay: true, listen: ['127.0.0.2'], limits: { relays: 1 } });
    const [first, second] = [await theirs(net, 1), await theirs(net, 3)];
    for (const came of [first, second]) {
      await came.dial(seed.addresses[0] ?? '');
      await eventually(() => seed.links().some(({ id, relay }) => id === came.id && relay));
    }
    const answer = await second.askForPeers(seed.id);
    expect(answer?.map(({ id }) => base58.encode(id))).toEqual([first.id]);
  });

  it('answers ten questions of a link at once, and one in ten seconds', async () => {
    const net = await network();
    const seed = await ours(net, 'the seed', { relay: true, listen: ['127.0.0.1'] });
    const light = await theirs(net, 0, { role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    const answered = async (times: number): Promise<number> => {
      let count = 0;
      for (let left = times; left > 0; left--) count += (await light.askForPeers(seed.id)) === null ? 0 : 1;
      return count;
    };
    const first = await answered(15);
    expect(first).toBeGreaterThanOrEqual(9);
    expect(first).toBeLessThanOrEqual(10);
    await net.clock.advance(20_000);
    expect(await answered(5)).toBe(2);
  });

  it('names no relays if it knows none, and light nodes name nothing', async () => {
    const net = await network();
    const seed = await ours(net, 'the seed', { relay: true, listen: ['127.0.0.1'] });
    const light = await theirs(net, 0, { role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    expect(await light.askForPeers(seed.id)).toEqual([]);
    const relay = await theirs(net, 2);
    const alice = await ours(net, 'Alice', { seeds: ['127.0.0.2'] });
    await eventually(() => relay.links().includes(alice.id));
    expect(await relay.askForPeers(alice.id)).toBeNull();
  });
});
