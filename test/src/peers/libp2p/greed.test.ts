import { afterEach, expect, it } from 'vitest';
import { encodeClockRequest } from '../../../../src/peers/kdf-wire/clock-request.ts';
import { encodeFrame, type GossipFrame } from '../../../../src/peers/kdf-wire/gossip-frame.ts';
import { answerRequests } from '../../../../src/peers/libp2p/clock-check.ts';
import { withLength } from '../../../../src/peers/libp2p/frame-splitter.ts';
import { Gossip } from '../../../../src/peers/libp2p/gossip.ts';
import { USUAL_LIMITS } from '../../../../src/peers/libp2p/limits.ts';
import type { Link, WireStream } from '../../../../src/peers/libp2p/link.ts';
import type { PeerEnvelope } from '../../../../src/ports/peers.ts';
import { eventually, libp2pNode } from '../../../support/peers/libp2p-nodes.ts';
import { signedBytes, stranger } from '../../../support/peers/stranger.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
/** As many as a flood needs that is not stopped by what one of them may take. */
const TOPICS = [TOPIC, TOPIC.replace('swap/3', 'swap/4'), TOPIC.replace('swap/3', 'swap/5')] as const;
const topicOf = (times: number): string => TOPICS[times % TOPICS.length] ?? TOPIC;
const opened: { readonly close: () => Promise<void> }[] = [];
const kept = <T extends { readonly close: () => Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A stream of which the other side does what a test says. */
function oneSided() {
  const done: string[] = [];
  let bytes: (chunk: Uint8Array) => void = () => {};
  const stream: WireStream = {
    protocol: '/request-response/2',
    send: () => done.push('send') > 0,
    waiting: () => 0,
    onIdle: () => {},
    read: (on) => {
      bytes = on.bytes;
    },
    pause: () => {},
    resume: () => {},
    close: () => void done.push('close'),
    abort: () => void done.push('abort'),
  };
  return { stream, done, push: (chunk: Uint8Array) => bytes(chunk) };
}

it('a peer that continues after the answer to its question is cut off, and nothing of it is kept', async () => {
  const { stream, done, push } = oneSided();
  answerRequests(stream, virtualClock());
  push(withLength(encodeClockRequest()));
  await Promise.resolve();
  expect(done).toEqual(['send', 'close']);
  push(new Uint8Array(2000).fill(0xff));
  expect(done).toEqual(['send', 'close', 'abort']);
});

it('a peer that opens a stream and does not ask is cut off after twenty seconds', async () => {
  const clock = virtualClock();
  const { stream, done } = oneSided();
  answerRequests(stream, clock);
  await clock.advance(19_999);
  expect(done).toEqual([]);
  await clock.advance(1);
  expect(done).toEqual(['abort']);
});

it('a peer that says that it is a relay gets no larger allowance, unless it is chosen as one', async () => {
  const clock = virtualClock();
  const limits = { ...USUAL_LIMITS, relays: 1 };
  const relay = kept(
    await libp2pNode('the relay', {
      relay: true,
      listen: ['127.0.0.1:0'],
      clock,
      limits,
    }),
  );
  const heard: PeerEnvelope[] = [];
  for (const topic of TOPICS) relay.peers.subscribe(topic, (envelope) => void heard.push(envelope));
  const first = kept(await stranger(relay));
  first.frame({ iAmRelay: true });
  await eventually(() => relay.links().filter((link) => link.relay).length === 1);
  const second = kept(await stranger(relay));
  second.frame({ iAmRelay: true });
  const data = await signedBytes(TOPIC, { kind: 'negotiated', accepted: false });
  for (let times = 0; times < 30; times++)
    second.publish(...Array.from({ length: 50 }, () => ({ topic: topicOf(times), data })));
  const { burst } = USUAL_LIMITS.each.messages;
  await eventually(() => heard.length > burst - 20);
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(heard.length).toBeLessThanOrEqual(burst);
});

/** A link from an address that is not this host's, which opens a stream and says what a test does. */
function linkFrom(host: string, id: string) {
  const streams: ReturnType<typeof oneSided>[] = [];
  const opened = (): WireStream => {
    const one = oneSided();
    streams.push(one);
    return one.stream;
  };
  const link: Link = {
    ...{ id, idBytes: new TextEncoder().encode(id), host, port: 40_000, dialed: false },
    open: async () => opened(),
    drop: () => {},
    onEnd: () => {},
  };
  return { link, opened, say: (frame: Partial<GossipFrame>) => streams.at(-1)?.push(withLength(encodeFrame(frame))) };
}

it('two relays from one address are taken at the most, of an IPv6 network too, and those of others beside', async () => {
  const clock = virtualClock();
  const gossip = new Gossip({
    ...{
      clock,
      limits: USUAL_LIMITS,
      relay: true,
      health: { topic: '', take: () => false },
      random: { bytes: (count) => new Uint8Array(count) },
    },
    self: () => new Uint8Array(34),
    ...{ topics: () => [], onMessage: () => {}, onFault: () => {} },
  });
  const hosts = ['198.51.100.7', '198.51.100.7', '::ffff:198.51.100.7', '198.51.100.8'];
  hosts.push('2001:db8:1:2::5', '2001:db8:1:2::6', '2001:db8:1:2:3::', '2001:db8:1:3::5', '127.0.0.1', '127.0.0.1');
  hosts.push('127.0.0.1');
  for (const [index, host] of hosts.entries()) {
    const { link, opened, say } = linkFrom(host, `node ${index}`);
    await gossip.attach(link);
    gossip.read(opened(), link);
    say({ iAmRelay: true });
  }
  const taken = gossip.peers().filter(({ isIncluded }) => isIncluded);
  expect(taken.map(({ link }) => Number(link.id.slice(5)))).toEqual([0, 1, 3, 4, 5, 7, 8, 9, 10]);
});

it('O8: a peer that has used up its allowance is not read on another link either', async () => {
  const clock = virtualClock();
  const heard: string[] = [];
  const gossip = new Gossip({
    ...{
      clock,
      limits: USUAL_LIMITS,
      relay: true,
      health: { topic: '', take: () => false },
      random: { bytes: (count) => new Uint8Array(count) },
    },
    self: () => new Uint8Array(34),
    ...{ topics: () => [], onMessage: (topic) => void heard.push(topic), onFault: () => {} },
  });
  const data = await signedBytes(TOPIC, { kind: 'negotiated', accepted: false });
  let drawn = 0;
  const flood = async (host: string, id: string): Promise<void> => {
    const { link, opened, say } = linkFrom(host, id);
    await gossip.attach(link);
    gossip.read(opened(), link);
    for (let times = 0; times < 10; times++) {
      const publications = Array.from({ length: 50 }, () => {
        const seqno = new Uint8Array(8);
        new DataView(seqno.buffer).setUint32(0, ++drawn);
        return { from: link.idBytes, data, seqno, topic: topicOf(times) };
      });
      say({ publications });
    }
    const before = heard.length;
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    await eventually(() => heard.length >= before);
  };
  await flood('198.51.100.7', 'first');
  const { burst } = USUAL_LIMITS.each.messages;
  expect(heard.length).toBeGreaterThan(burst - 20);
  const before = heard.length;
  await flood('198.51.100.7', 'second');
  expect(heard.length - before).toBeLessThanOrEqual(burst - before);
  await flood('198.51.100.8', 'third');
  expect(heard.length - before).toBeGreaterThan(burst - 20);
});
