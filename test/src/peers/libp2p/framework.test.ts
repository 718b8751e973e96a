import { base58 } from '@scure/base';
import { afterEach, describe, expect, it } from 'vitest';
import type { PeerEnvelope } from '../../../../src/ports/peers.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import type { FrameworkNode, FrameworkOptions } from '../../../support/peers/framework/node.ts';
import { openFramework } from '../../../support/peers/framework/open.ts';
import { messageOf } from '../../../support/peers/framework/protobuf.ts';
import { frameworkKey, openSigned } from '../../../support/peers/framework/signed.ts';
import { eventually, libp2pNode, settled, type TestNode } from '../../../support/peers/libp2p-nodes.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

// A second implementation of the framework's side, which shares no code with the one under test. The contracts of peers and orders over
// it: framework-contract.slow.test.ts.

const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
const YES = Buffer.from('8102c3', 'hex');
const NO = Buffer.from('8102c2', 'hex');
const signer = frameworkKey(Buffer.alloc(32, 1));

const opened: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close: () => Promise<void> }>(one: T): T {
  opened.push(one);
  return one;
}

const framework = async (options: Partial<FrameworkOptions> = {}): Promise<FrameworkNode> =>
  keep(await openFramework({ role: 'relay', clock: systemClock(), ...options }));

const ours = async (name: string, options: Parameters<typeof libp2pNode>[1]): Promise<TestNode> =>
  keep(await libp2pNode(name, options));

const hasRelay = ({ links }: TestNode): boolean => links().some(({ relay }) => relay);

describe('a node behind a relay of the framework', () => {
  it('says what it listens to, takes the relay into its mesh, and publishes to it on any topic', async () => {
    const relay = await framework();
    const alice = await ours('Alice', { seeds: [relay.address] });
    alice.peers.subscribe('swap/early', () => {});
    await eventually(() => hasRelay(alice) && relay.includedBy().includes(alice.id));
    const { close } = alice.peers.subscribe(TOPIC, () => {});
    close();
    await alice.peers.send('swap/00000000-0000-4000-8000-000000000001', { kind: 'negotiated', accepted: true });
    await eventually(() => relay.heard.length > 0);
    const said = relay.frames.map(({ rpc }) => rpc);
    expect(said.flatMap(({ subscriptions }) => subscriptions)).toEqual([
      { subscribe: true, topic: `hcheck/${alice.id}` },
      { subscribe: true, topic: 'swap/early' },
      { subscribe: true, topic: TOPIC },
      { subscribe: false, topic: TOPIC },
    ]);
    expect(said.flatMap(({ included }) => included ?? [])).toEqual([{ included: true, meshSize: 1 }]);
    expect(said.every(({ iAmRelay, grafts }) => iAmRelay === null && grafts.length === 0)).toBe(true);
    const [{ from, seqno, data }] = relay.heard as [FrameworkNode['heard'][number]];
    expect([peerIdText(from), seqno?.length]).toEqual([alice.id, 8]);
    const signed = openSigned(data);
    expect([signed?.payload, signed?.key.toString('hex').slice(2)]).toEqual([YES, alice.peers.self]);
  });

  it('hears a light node of the framework, is heard by it, and says each message once', async () => {
    const relay = await framework();
    const alice = await ours('Alice', { seeds: [relay.address] });
    const light = await framework({ role: 'light' });
    light.subscribe(TOPIC);
    await light.dial(relay.address);
    await eventually(() => relay.includedBy().length === 2);
    const heard: PeerEnvelope[] = [];
    alice.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
    await eventually(() =>
      relay.frames.some(({ from, rpc }) => from === alice.id && rpc.subscriptions.some(({ topic }) => topic === TOPIC)),
    );
    const again = { from: light.idBytes, seqno: Buffer.from('0102030405060708', 'hex') };
    const sealed = signer.seal(YES);
    for (let count = 0; count < 3; count++) light.publish(TOPIC, sealed, again);
    await eventually(() => heard.length === 1);
    const from = signer.key.toString('hex').slice(2);
    expect(heard).toEqual([{ topic: TOPIC, from, message: { kind: 'negotiated', accepted: true } }]);
    await alice.peers.send(TOPIC, { kind: 'negotiated', accepted: false });
    await eventually(() => light.heard.length === 1);
    expect(openSigned(light.heard[0]?.data ?? NO)?.payload).toEqual(NO);
    expect([relay.faults, light.faults]).toEqual([[], []]);
  });

  it('and one whose clock differs disconnect', async () => {
    const clock = virtualClock();
    const late = () => Math.floor(clock.now() / 1000) - 21;
    const relay = await framework({ clock, now: late });
    const alice = await ours('Alice', { clock, seeds: [relay.address] });
    await eventually(() => relay.faults.length > 0 || alice.lines.some((line) => line.includes('clock differs')));
    await eventually(() => alice.links().length === 0);
  });

  it('stays at a difference of 20 seconds, answers pings, and regularly says that the relay is wanted', async () => {
    const clock = virtualClock();
    const late = () => Math.floor(clock.now() / 1000) - 20;
    const relay = await framework({ clock, now: late });
    const alice = await ours('Alice', { clock, seeds: [relay.address] });
    await eventually(() => relay.includedBy().includes(alice.id));
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await clock.advance(5000);
      await settledLinks();
    }
    await eventually(() => relay.frames.filter(({ rpc }) => rpc.meshSize === 1).length >= 2);
    expect([relay.faults, relay.links(), hasRelay(alice)]).toEqual([[], [alice.id], true]);
  });
});

/** What an envelope holds, as swaps of the second version have it. */
function secondVersion(envelope: Buffer): Buffer {
  const [from, signature, payload] = [envelope.subarray(5, 38), envelope.subarray(40, 104), envelope.subarray(106)];
  return messageOf([
    { no: 1, value: from },
    { no: 2, value: signature },
    { no: 3, value: payload },
  ]);
}

/** A peer id as text: the bytes in base58. */
function peerIdText(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** Lets what is on its way over the loopback arrive. */
async function settledLinks(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a seed node', () => {
  const seedOptions = { relay: true, listen: ['127.0.0.1:0'] } as const;

  it('passes to a light node of the framework what it listens to, once it is in its mesh', async () => {
    const seed = await ours('the seed', seedOptions);
    const alice = await ours('Alice', { seeds: [...seed.addresses] });
    await eventually(() => hasRelay(alice));
    const light = await framework({ role: 'light' });
    light.subscribe(TOPIC);
    await light.dial(seed.addresses[0] ?? '');
    await eventually(() => light.mesh().length === 1);
    expect(light.frames[0]?.rpc).toMatchObject({ iAmRelay: true, subscriptions: [], published: [] });
    const heard: PeerEnvelope[] = [];
    alice.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
    await settled([alice, seed]);
    light.publish(TOPIC, signer.seal(NO));
    await eventually(() => heard.length === 1);
    await alice.peers.send(TOPIC, { kind: 'negotiated', accepted: true });
    await eventually(() => light.heard.length === 1);
    light.say(seed.id, { included: { included: false, meshSize: 0 } });
    light.publish(TOPIC, signer.seal(YES));
    await eventually(() => heard.length === 2);
    await alice.peers.send(TOPIC, { kind: 'negotiated', accepted: false });
    await settled([alice, seed]);
    expect([light.heard.length, light.faults]).toEqual([1, []]);
  });

  it('tells nodes that want it in a mesh of topics that it is in none', async () => {
    const seed = await ours('the seed', seedOptions);
    const light = await framework({ role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    await eventually(() => light.mesh().length === 1);
    light.say(seed.id, { grafts: [TOPIC] });
    light.publish(TOPIC, signer.seal(YES), { seqno: null });
    const before = light.frames.length;
    await eventually(() => light.frames.length > before);
    expect(light.links()).toEqual([seed.id]);
  });

  it('drops a message with an invalid number, and keeps its sender', async () => {
    const seed = await ours('the seed', seedOptions);
    const light = await framework({ role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    await eventually(() => light.mesh().length === 1);
    const heard: PeerEnvelope[] = [];
    seed.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
    light.publish(TOPIC, signer.seal(NO), { seqno: Buffer.from('010203', 'hex') });
    light.publish(TOPIC, signer.seal(YES), { seqno: Buffer.alloc(0) });
    await eventually(() => heard.length === 1);
    expect(heard[0]?.message).toEqual({ kind: 'negotiated', accepted: true });
    expect([light.links(), seed.lines]).toEqual([[seed.id], []]);
  });

  it('passes on transactions for everyone with a node of their coin, and signed swaps of the second version', async () => {
    const seed = await ours('the seed', seedOptions);
    const alice = await ours('Alice', { seeds: [...seed.addresses] });
    const [light, other] = [await framework({ role: 'light' }), await framework({ role: 'light' })];
    const second = TOPIC.replace('swap/', 'swapv2/');
    for (const topic of ['txhlp/KMD', second, 'hcheck/x']) light.subscribe(topic);
    for (const node of [light, other]) await node.dial(seed.addresses[0] ?? '');
    await eventually(() => hasRelay(alice) && [light, other].every((node) => node.mesh().length === 1));
    const heard: PeerEnvelope[] = [];
    seed.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
    // What a node has said before is heard before.
    light.publish(TOPIC, signer.seal(YES));
    await eventually(() => heard.length === 1);
    const envelope = signer.seal(Buffer.from('0a00', 'hex'));
    const good = secondVersion(envelope);
    const bad = Buffer.from(good);
    bad[bad.length - 1] = 1;
    other.publish(second, bad);
    other.publish(second, Buffer.concat([good, messageOf([{ no: 9, value: Buffer.alloc(1000) }])]));
    other.publish('hcheck/x', good);
    other.publish(second, envelope);
    other.publish(second, good);
    await eventually(() => light.heard.length === 1);
    await alice.peers.send('txhlp/KMD', { kind: 'transaction', tx: { tx_hex: 'ab'.repeat(60), tx_hash: '' } });
    await eventually(() => light.heard.length === 2);
    expect(light.heard.map(({ topic, data }) => [topic, data.toString('hex')])).toEqual([
      [second, good.toString('hex')],
      ['txhlp/KMD', 'ab'.repeat(60)],
    ]);
    expect(seed.links().length).toBe(3);
  });

  it('says nothing more to a relay that has removed it from its mesh, about others or itself', async () => {
    const seed = await ours('the seed', seedOptions);
    const [out, other] = [await framework(), await framework()];
    for (const relay of [out, other]) await relay.dial(seed.addresses[0] ?? '');
    const light = await framework({ role: 'light' });
    await light.dial(seed.addresses[0] ?? '');
    const settle = async (): Promise<void> => {
      const told = other.heard.length;
      light.publish(TOPIC, signer.seal(YES));
      await seed.peers.send(TOPIC, { kind: 'negotiated', accepted: true });
      await eventually(() => other.heard.length === told + 2);
    };
    await eventually(() => [out, other].every((relay) => relay.mesh().includes(seed.id)));
    await eventually(() => light.mesh().length === 1);
    await settle();
    await eventually(() => out.heard.length === 2);
    // What this one says from now on proves that the seed has read all of it.
    out.say(seed.id, { included: { included: false, meshSize: 0 } });
    out.publish(TOPIC, signer.seal(NO));
    await eventually(() => other.heard.length === 3);
    await settle();
    await settle();
    expect([out.heard.length, other.heard.length, seed.links().length]).toEqual([2, 7, 3]);
    expect([out, other, light].flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('and a seed node of the framework carry messages of each other’s nodes', async () => {
    const theirs = await framework();
    const seed = await ours('the seed', { ...seedOptions, seeds: [theirs.address] });
    const alice = await ours('Alice', { seeds: [...seed.addresses] });
    const light = await framework({ role: 'light' });
    light.subscribe(TOPIC);
    await light.dial(theirs.address);
    await eventually(() => hasRelay(alice) && theirs.mesh().includes(seed.id) && theirs.includedBy().length === 1);
    const heard: PeerEnvelope[] = [];
    alice.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
    await settled([alice, seed]);
    await alice.peers.send(TOPIC, { kind: 'negotiated', accepted: true });
    await eventually(() => light.heard.length === 1);
    light.publish(TOPIC, signer.seal(NO));
    await eventually(() => heard.length === 1);
    expect([theirs.faults, light.faults]).toEqual([[], []]);
    expect(seed.lines.every((line) => line.startsWith('info '))).toBe(true);
  });
});
