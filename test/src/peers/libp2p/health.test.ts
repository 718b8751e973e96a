import { afterEach, describe, expect, it } from 'vitest';
import { decodeHealthCheck, encodeHealthCheck, type HealthWord } from '../../../../src/peers/kdf-wire/health-check.ts';
import { createHealth } from '../../../../src/peers/libp2p/health.ts';
import { USUAL_LIMITS } from '../../../../src/peers/libp2p/limits.ts';
import type { Libp2pNetwork } from '../../../../src/peers/libp2p/network.ts';
import type { PeerEnvelope } from '../../../../src/ports/peers.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { writeHealth } from '../../../support/peers/framework/health.ts';
import { openFramework } from '../../../support/peers/framework/open.ts';
import { frameworkKey } from '../../../support/peers/framework/signed.ts';
import { eventually, libp2pNode, settled } from '../../../support/peers/libp2p-nodes.ts';
import { stranger } from '../../../support/peers/stranger.ts';
import { type VirtualClock, virtualClock } from '../../../support/virtual-clock.ts';

/** Of the vector of the framework's peer ids. */
const IDENTITY = sha256(new Uint8Array(32).fill(1));
const OWN = 'hcheck/12D3KooWDMw3TJ2jeLRxeWtVrUkBw5FzKE8T1bMZK9wYsgmKxsTh';

const opened: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close: () => Promise<void> }>(one: T): T {
  opened.push(one);
  return one;
}

async function another() {
  const { generateKeyPair } = await import('@libp2p/crypto/keys');
  const key = await generateKeyPair('Ed25519');
  return { key, topic: `hcheck/${key.publicKey.toString()}` };
}

function checking(identity = IDENTITY) {
  const clock: VirtualClock = virtualClock();
  const said: (readonly [topic: string, hex: string])[] = [];
  const say = (topic: string, data: Uint8Array): void => void said.push([topic, bytesToHex(data)]);
  const health = createHealth({ clock, identity, answers: USUAL_LIMITS.health, say });
  const until = (seconds: number): number => Math.floor(clock.now() / 1000) + seconds;
  return { clock, health, said, until };
}

describe('a node that receives a health check', () => {
  it('answers the one that asks, in bytes that the second implementation writes too', async () => {
    const { health, said, until } = checking();
    expect(health.topic).toBe(OWN);
    const { key, topic } = await another();
    expect(health.take(OWN, await writeHealth(key, { until: until(10), isReply: false }))).toBe(true);
    const { generateKeyPairFromSeed } = await import('@libp2p/crypto/keys');
    const own = await generateKeyPairFromSeed('Ed25519', IDENTITY);
    const answer = await writeHealth(own, { until: until(10), isReply: true });
    expect(said).toEqual([[topic, answer.toString('hex')]]);
  });

  it('answers nothing to an answer, and nothing that was asked of another', async () => {
    const { health, said, until } = checking();
    const { key, topic } = await another();
    expect(health.take(OWN, await writeHealth(key, { until: until(10), isReply: true }))).toBe(true);
    expect(health.take(topic, await writeHealth(key, { until: until(10), isReply: false }))).toBe(true);
    expect(said).toEqual([]);
  });

  it.each([
    [11, false],
    [10, true],
    [1, true],
    [0, false],
    [-5, false],
  ])('accepts a question that is valid for %d more seconds: %s', async (seconds, isTaken) => {
    const { health, said, until } = checking();
    const { key } = await another();
    expect(health.take(OWN, await writeHealth(key, { until: until(seconds), isReply: false }))).toBe(isTaken);
    expect(said).toHaveLength(isTaken ? 1 : 0);
  });

  it('accepts none that somebody has changed', async () => {
    const { health, said, until } = checking();
    const [{ key }, other] = [await another(), await another()];
    const sound = await writeHealth(key, { until: until(9), isReply: false });
    const read = decodeHealthCheck(sound);
    const foreign = decodeHealthCheck(await writeHealth(other.key, { until: until(9), isReply: false }));
    if (!read.ok || !foreign.ok) throw new Error('a check that cannot be read');
    const { value } = read;
    const changes: readonly Partial<HealthWord & { signature: Uint8Array }>[] = [
      { expiresAt: (value.expiresAt + 1) as UnixSeconds },
      { isReply: true },
      { key: foreign.value.key },
      { key: Uint8Array.of(...value.key, 0) },
      { key: value.key.subarray(4) },
      { signature: foreign.value.signature },
      { signature: value.signature.subarray(1) },
    ];
    for (const change of changes) {
      expect(health.take(OWN, encodeHealthCheck({ ...value, ...change }))).toBe(false);
    }
    for (let index = 0; index < sound.length; index++) expect(health.take(OWN, sound.subarray(0, index))).toBe(false);
    expect(said).toEqual([]);
    expect(health.take(OWN, sound)).toBe(true);
  });

  it.each([
    ['an empty signature', '92909391010ac2'],
    ['an empty key', '9291019390ce6553f10ac2'],
    ['a member too few', '9291019291010a'],
    ['bytes in the place of an array', '92c401019391010ac2'],
  ])('accepts none with %s', (_, hex) => {
    expect(decodeHealthCheck(hexToBytes(hex)).ok).toBe(false);
  });

  it('gives a hundred answers at once and ten a second, and signs one for all who ask within five seconds', async () => {
    const { clock, health, said, until } = checking();
    const ask = async (times: number): Promise<void> => {
      for (let count = 0; count < times; count++) {
        const { key } = await another();
        expect(health.take(OWN, await writeHealth(key, { until: until(10), isReply: false }))).toBe(true);
      }
    };
    await ask(110);
    expect([said.length, new Set(said.map(([, hex]) => hex)).size]).toEqual([100, 1]);
    await clock.advance(4000);
    await ask(50);
    expect([said.length, new Set(said.map(([, hex]) => hex)).size]).toEqual([140, 1]);
    await clock.advance(1000);
    await ask(50);
    expect([said.length, new Set(said.map(([, hex]) => hex)).size]).toEqual([150, 2]);
    clock.jump(-60_000);
    await ask(1);
    await clock.advance(1000);
    await ask(1);
    expect(new Set(said.map(([, hex]) => hex)).size).toBe(3);
  });
});

describe('a question that others repeat', () => {
  it('is answered once in five seconds, so that nobody can make a node flood another', async () => {
    const { clock, health, said, until } = checking();
    const { key } = await another();
    const ask = async () => health.take(OWN, await writeHealth(key, { until: until(10), isReply: false }));
    for (let count = 0; count < 20; count++) expect(await ask()).toBe(true);
    expect(said.length).toBe(1);
    await clock.advance(5000);
    await ask();
    expect(said.length).toBe(2);
  });

  it('is not passed on if somebody has padded it with unsigned bytes', async () => {
    const { health, until } = checking();
    const { key } = await another();
    const check = await writeHealth(key, { until: until(10), isReply: false });
    expect(check.length).toBeLessThan(512);
    expect(health.take(OWN, new Uint8Array([...check, ...new Uint8Array(1024 - check.length + 1)]))).toBe(false);
  });
});

const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
const WORD = frameworkKey(Buffer.alloc(32, 1)).seal(Buffer.from('8102c3', 'hex'));

/** What a node hears on the topic. Who is heard is known by all that it said before: what it listens to, and that it wants to be told. */
function hearingOf(node: Libp2pNetwork): readonly PeerEnvelope[] {
  const heard: PeerEnvelope[] = [];
  node.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
  return heard;
}

describe('over relays', () => {
  it('a node of the framework learns that this one is there, and this one’s seed node passes on questions to others', async () => {
    const clock = virtualClock();
    const seed = keep(await libp2pNode('the seed', { clock, relay: true, listen: ['127.0.0.1:0'] }));
    const [address = ''] = seed.addresses;
    const alice = keep(await libp2pNode('Alice', { clock, seeds: [address] }));
    const [asking, other] = [
      keep(await openFramework({ role: 'light', clock })),
      keep(await openFramework({ role: 'light', clock })),
    ];
    for (const node of [asking, other]) await node.dial(address);
    await eventually(() => [asking, other].every((node) => node.mesh().length === 1));
    await eventually(() => alice.links().some(({ relay }) => relay));
    await settled([alice, seed]);
    const heard = hearingOf(seed);
    for (const node of [asking, other]) node.publish(TOPIC, WORD);
    await eventually(() => heard.length === 2);
    for (const { id } of [seed, alice, other]) {
      await asking.askForHealth(id);
      await eventually(() => asking.healthy.includes(id));
    }
    expect([asking, other].flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('a node is asked through a relay of the framework', async () => {
    const clock = systemClock();
    const relay = keep(await openFramework({ role: 'relay', clock }));
    const alice = keep(await libp2pNode('Alice', { seeds: [relay.address] }));
    const asking = keep(await openFramework({ role: 'light', clock }));
    await asking.dial(relay.address);
    await eventually(() => relay.includedBy().length === 2);
    await eventually(() =>
      relay.frames.some(
        ({ from, rpc }) => from === alice.id && rpc.subscriptions.some(({ topic }) => topic.endsWith(alice.id)),
      ),
    );
    await asking.askForHealth(alice.id);
    await eventually(() => asking.healthy.includes(alice.id));
    expect(asking.healthy.toSorted()).toEqual([alice.id, relay.id].toSorted());
  });

  it('nobody hears what is not signed, and nobody is disconnected for it', async () => {
    const clock = virtualClock();
    const seed = keep(await libp2pNode('the seed', { clock, relay: true, listen: ['127.0.0.1:0'] }));
    const heard = hearingOf(seed);
    const [listening, liar] = [keep(await stranger(seed)), keep(await stranger(seed))];
    const { key, topic } = await another();
    const until = Math.floor(clock.now() / 1000) + 9;
    const data = await writeHealth(key, { until, isReply: true });
    const bad = Buffer.from(data);
    bad[bad.length - 1] = 0xc2;
    listening.frame({ subscriptions: [{ subscribe: true, topic }], included: { included: true, meshSize: 1 } });
    listening.publish({ topic: TOPIC, data: WORD });
    await eventually(() => heard.length === 1);
    liar.publish({ topic, data: bad });
    liar.publish({ topic, data });
    const publications = () => listening.heard.flatMap(({ publications: list }) => list);
    await eventually(() => publications().length > 0);
    expect(publications().map((one) => Buffer.from(one.data).equals(data))).toEqual([true]);
    expect([liar.isLinked(), seed.lines]).toEqual([true, []]);
  });
});
