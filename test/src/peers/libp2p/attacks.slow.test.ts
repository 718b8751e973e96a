import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { withLength } from '../../../../src/peers/libp2p/frame-splitter.ts';
import { USUAL_LIMITS } from '../../../../src/peers/libp2p/limits.ts';
import type { Libp2pOptions } from '../../../../src/peers/libp2p/network.ts';
import type { PeerEnvelope, SwapMessage, WatcherMessage } from '../../../../src/ports/peers.ts';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { eventually, libp2pNode, settled, type TestNode } from '../../../support/peers/libp2p-nodes.ts';
import {
  forgedBytes,
  type Stranger,
  type StrangerOptions,
  signedBytes,
  stranger,
} from '../../../support/peers/stranger.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
const YES: SwapMessage = { kind: 'negotiated', accepted: true };
const NO: SwapMessage = { kind: 'negotiated', accepted: false };

const WATCH: WatcherMessage = {
  ...{ uuid: '3447b727-fe93-4357-8e5a-8cf2699b7e86', secret_hash: 'ef'.repeat(20), lock_duration: 7800 },
  ...{ maker_payment_spend_preimage: 'aa', taker_payment_refund_preimage: 'bb', maker_payment_hash: '05'.repeat(32) },
  ...{ taker_coin: 'KMD', taker_amount: null, taker_fee_hash: '01'.repeat(32), taker_payment_hash: '02'.repeat(32) },
  ...{ taker_coin_start_block: 1000, taker_payment_confirmations: 1, taker_payment_requires_nota: null },
  ...{ maker_coin: 'DOC', maker_amount: null, maker_pub: `02${'03'.repeat(32)}`, taker_pub: null },
  ...{ maker_coin_start_block: 2000, swap_started_at: 1_700_000_000 as WatcherMessage['swap_started_at'] },
};

const opened: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A relay with two honest nodes, one of which listens, and strangers. */
async function scene(options: Partial<Libp2pOptions> = {}) {
  const keep = <T extends { close: () => Promise<void> }>(one: T): T => {
    opened.push(one);
    return one;
  };
  const relay = keep(await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'], ...options }));
  const shared = { ...(options.clock === undefined ? {} : { clock: options.clock }), seeds: [...relay.addresses] };
  const alice = keep(await libp2pNode('Alice', shared));
  const bob = keep(await libp2pNode('Bob', shared));
  await eventually(() => [alice, bob].every(({ links }) => links().some((link) => link.relay)));
  const heard: PeerEnvelope[] = [];
  bob.peers.subscribe(TOPIC, (envelope) => void heard.push(envelope));
  await settled([alice, bob]);
  const come = async (how?: StrangerOptions): Promise<Stranger> => keep(await stranger(relay, how));
  const honest = async (): Promise<void> => {
    heard.length = 0;
    await alice.peers.send(TOPIC, YES);
    await settled([alice, bob]);
    expect(heard).toEqual([{ topic: TOPIC, from: alice.peers.self, message: YES }]);
  };
  return { relay, alice, bob, heard, come, honest };
}

function banned({ lines }: TestNode): readonly string[] {
  return lines.filter((line) => line.includes('banned'));
}

describe('a sender that breaks the protocol', () => {
  it('O5: and forges a signature is banned, and the rest continue', async () => {
    const { relay, heard, come, honest } = await scene();
    const forger = await come();
    forger.publish({ topic: TOPIC, data: await forgedBytes(TOPIC, NO) });
    await eventually(() => !forger.isLinked());
    expect(banned(relay)).toEqual([
      `warn a node was banned {"peer":"${forger.id.slice(-8)}","address":"127.0.0.1","fault":"a message whose signature is not good"}`,
    ]);
    await expect(forger.redial().then(({ open }) => open(['/meshsub/1.1.0']))).rejects.toThrow();
    expect(heard).toEqual([]);
    await honest();
  });

  it.each([
    ['a frame that is none', withLength(Uint8Array.of(0x0f, 1, 2)), 'a frame that is none'],
    ['a frame of 10 MB', Uint8Array.of(0x80, 0x80, 0x80, 0x05, 1, 2, 3), 'a frame that is too long'],
    ['a length without end', new Uint8Array(16).fill(0xff), 'a frame that is too long'],
  ])('and sends %s is banned', async (_, bytes, fault) => {
    const { relay, come, honest } = await scene();
    const sender = await come();
    sender.out.send(bytes);
    await eventually(() => !sender.isLinked());
    expect(banned(relay).join()).toContain(`"fault":"${fault}`);
    await honest();
  });

  it.each([
    [64 * 1024, true],
    [128 * 1024, false],
  ])('and sends %d bytes on the stream on which it receives stays: %s', async (talksBack, stays) => {
    const { relay, honest } = await scene();
    const sender = await stranger(relay, { talksBack });
    if (!stays) await eventually(() => !sender.isLinked());
    await honest();
    expect(sender.isLinked()).toBe(stays);
    await sender.close();
  });

  it('but sends what only another release may know is ignored, and nobody receives it', async () => {
    const { relay, bob, heard, come, honest } = await scene();
    const watch: PeerEnvelope[] = [];
    bob.peers.subscribe('swpwtchr/KMD', (envelope) => void watch.push(envelope));
    const sender = await come();
    const status = new TextEncoder().encode('{"method":"swapstatus","data":{}}');
    sender.publish({ topic: TOPIC, data: status }, { topic: 'swapv2/x', data: Uint8Array.of(8, 1) });
    sender.publish({ topic: 'hcheck/x', data: status }, { topic: 'x'.repeat(5000), data: status }, { topic: '' });
    // Relays of the framework that watch nothing hand on what is for watchers without a look.
    sender.publish({
      topic: 'swpwtchr/KMD',
      data: await forgedBytes('swpwtchr/KMD', { kind: 'watcher', watch: WATCH }),
    });
    sender.publish({ topic: 'swpwtchr/KMD', data: await signedBytes(TOPIC, YES) });
    sender.publish({
      topic: 'swpwtchr/KMD',
      data: await signedBytes('swpwtchr/KMD', { kind: 'watcher', watch: WATCH }),
    });
    sender.publish({ topic: TOPIC, data: await signedBytes(TOPIC, NO) });
    await eventually(() => heard.length > 0);
    expect(heard.map(({ message }) => message)).toEqual([NO]);
    expect([sender.isLinked(), banned(relay)]).toEqual([true, []]);
    const [told, ...more] = watch;
    expect(told?.message).toEqual({ kind: 'watcher', watch: { ...WATCH, taker_pub: expect.stringMatching(/^0[23]/) } });
    expect([told?.message.kind === 'watcher' && told.message.watch.taker_pub?.slice(2), more]).toEqual([
      told?.from,
      [],
    ]);
    await honest();
  });

  it('O4: but repeats the same bytes is heard once on each topic', async () => {
    const { bob, heard, come } = await scene();
    const other = `${TOPIC}0`;
    bob.peers.subscribe(other, (envelope) => void heard.push(envelope));
    const sender = await come();
    const repeated = { data: await signedBytes(TOPIC, YES), seqno: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) };
    for (const topic of [TOPIC, TOPIC, other, TOPIC, other]) sender.publish({ ...repeated, topic });
    sender.publish({ data: await signedBytes(TOPIC, NO), topic: TOPIC });
    await eventually(() => heard.some(({ message }) => message.kind === 'negotiated' && !message.accepted));
    expect(heard.map(({ topic, message }) => [topic, message])).toEqual([
      [TOPIC, YES],
      [other, YES],
      [TOPIC, NO],
    ]);
  });

  it('O2, O3: but floods is read no further than allowed, and takes nobody’s turn', async () => {
    const clock = virtualClock();
    const { relay, bob, alice, heard, come } = await scene({ clock });
    const flooder = await come();
    const data = await signedBytes(TOPIC, NO);
    for (let index = 0; index < 3000; index++) flooder.publish({ topic: TOPIC, data });
    await eventually(() => heard.length >= 100);
    // The flood goes on, and the clock stands: what is left of its allowance is less than what it has sent.
    await alice.peers.send(TOPIC, YES);
    await settled([alice, bob]);
    const at = heard.findIndex(({ from }) => from === alice.peers.self);
    expect(at).toBeGreaterThan(0);
    expect(heard.length).toBeLessThanOrEqual(201);
    expect([flooder.isLinked(), banned(relay)]).toEqual([true, []]);
    // Each message is a frame and a publication; forty of either a second come back.
    const before = heard.length;
    await clock.advance(5000);
    await eventually(() => heard.length > before);
    expect(heard.length).toBeLessThanOrEqual(before + 101);
  });

  it('but never reads gets a bounded amount, and is disconnected', async () => {
    const clock = virtualClock();
    const weight = { burst: 2 ** 30, perSecond: 1 };
    const each = { messages: { burst: 1000, perSecond: 1 }, weight };
    const perTopic = { ...USUAL_LIMITS.perTopic, allowance: each };
    const { relay, alice, bob, heard, come } = await scene({
      clock,
      limits: { each, perTopic, waitingBytes: 600_000 },
    });
    const deaf = await come({ reads: false });
    deaf.frame({ subscriptions: [{ subscribe: true, topic: TOPIC }], included: { included: true, meshSize: 1 } });
    const tx = { tx_hex: 'ab'.repeat(60_000), tx_hash: '' };
    for (let index = 0; index < 10; index++) {
      await alice.peers.send(TOPIC, { kind: 'takerFee', tx: { ...tx, tx_hex: `${index + 10}${tx.tx_hex}` } });
      await settled([alice, bob]);
    }
    expect(heard).toHaveLength(10);
    expect(deaf.isLinked()).toBe(true);
    // Its pings come back, but not what waits for it.
    for (let ping = 0; ping < 5 && deaf.isLinked(); ping++) {
      await clock.advance(15_000);
      await settled([alice, bob]);
    }
    await eventually(() => !deaf.isLinked());
    expect(relay.links()).toHaveLength(2);
  });

  it('but answers no ping, or never speaks, is disconnected', async () => {
    const clock = virtualClock();
    const { relay, come } = await scene({ clock });
    const dumb = await come({ answersPings: false });
    const silent = await come({ speaks: false });
    await eventually(() => relay.links().length === 4);
    await clock.advance(15_000);
    await clock.advance(20_000);
    await eventually(() => !dumb.isLinked());
    await clock.advance(15_000);
    await eventually(() => !silent.isLinked());
    expect(relay.links()).toHaveLength(2);
  });

  it('but asks for what nobody has is refused only that', async () => {
    const { come, honest } = await scene();
    const asking = await come();
    await expect(asking.link.open(['/nonsense/1.0.0'])).rejects.toThrow();
    asking.frame({ grafts: [TOPIC, 'swap/other'] });
    await eventually(() => asking.heard.some(({ prunes }) => prunes.length > 0));
    expect(asking.heard.find(({ prunes }) => prunes.length > 0)?.prunes).toEqual([TOPIC, 'swap/other']);
    expect(asking.heard[0]).toMatchObject({ iAmRelay: true, subscriptions: [] });
    expect(asking.isLinked()).toBe(true);
    await honest();
  });
});

describe('many connections at once', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  it('that say nothing are closed, and existing ones notice nothing', async () => {
    const { relay, honest } = await scene({ limits: { handshake: 300, pending: 100, perSecond: 1000 } });
    const port = Number(relay.addresses[0]?.split(':')[1]);
    const closed = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      return new Promise<void>((resolve) => socket.once('close', () => resolve()));
    });
    await honest();
    await Promise.all(closed);
    expect(relay.links()).toHaveLength(2);
    await honest();
  });

  it('find as much room as there is', async () => {
    const { relay, come, honest } = await scene({ limits: { links: 6, perSecond: 1000 } });
    const came = await Promise.allSettled(Array.from({ length: 12 }, () => come()));
    const linked = came.flatMap((one) => (one.status === 'fulfilled' && one.value.isLinked() ? [one.value] : []));
    expect(relay.links().length).toBeLessThanOrEqual(6);
    expect(linked.length).toBeGreaterThan(0);
    await honest();
  });
});

it('a node whose clock is hours off is left, and reported', async () => {
  const relay = await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'] });
  opened.push(relay);
  const real = systemClock();
  const clock = { ...real, now: () => (real.now() + 3 * 3_600_000) as ReturnType<typeof real.now> };
  const late = await libp2pNode('somebody in another zone', { clock, seeds: [...relay.addresses] });
  opened.push(late);
  await eventually(() => [relay, late].some(({ lines }) => lines.some((line) => line.includes('clock differs'))));
  const told = [...relay.lines, ...late.lines].find((line) => line.includes('clock differs')) ?? '';
  const { seconds_ahead } = JSON.parse(/\{.*\}/.exec(told)?.[0] ?? '{}') as { readonly seconds_ahead: number };
  expect(Math.abs(Math.abs(seconds_ahead) - 3 * 3600)).toBeLessThan(5);
  await eventually(() => relay.links().length === 0);
});
