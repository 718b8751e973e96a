import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAccount } from '../../../../src/peers/allowance.ts';
import { USUAL_LIMITS } from '../../../../src/peers/libp2p/limits.ts';
import { createTopicShares } from '../../../../src/peers/libp2p/topic-shares.ts';
import type { PeerEnvelope } from '../../../../src/ports/peers.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { eventually, libp2pNode } from '../../../support/peers/libp2p-nodes.ts';
import { signedBytes, stranger } from '../../../support/peers/stranger.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const AT = 1_800_000_000_000;
const allowance = { messages: { burst: 5, perSecond: 2 }, weight: { burst: 1000, perSecond: 100 } };

describe('O11: what one topic may take of what a node may send', () => {
  it('is messages and bytes, each with a rate', () => {
    const shares = createTopicShares({ allowance, most: 3 });
    const draw = (topic: string, weight: number, seconds: number): boolean =>
      shares.draw(topic, { weight, now: millisOf(AT + seconds * 1000) });
    expect([1, 2, 3, 4, 5, 6].map(() => draw('a', 10, 0))).toEqual([true, true, true, true, true, false]);
    expect([draw('b', 10, 0), draw('a', 10, 0.5), draw('a', 10, 0.5)]).toEqual([true, true, false]);
    expect([draw('c', 1001, 0.5), draw('c', 1000, 0.5), draw('c', 51, 1), draw('c', 50, 1)]).toEqual([
      ...[false, true],
      ...[false, true],
    ]);
  });

  it('holds for the topic that is flooded, whatever else is said, and few topics are remembered', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 }), (others) => {
        const shares = createTopicShares({ allowance, most: 8 });
        let flooded = 0;
        for (const other of others) {
          if (shares.draw('flooded', { weight: 1, now: millisOf(AT) })) flooded += 1;
          shares.draw(`topic ${other}`, { weight: 1, now: millisOf(AT) });
          expect(shares.size()).toBeLessThanOrEqual(8);
        }
        expect(flooded).toBe(Math.min(others.length, allowance.messages.burst));
      }),
    );
  });

  it.each(['each', 'relay'] as const)('leaves room beside, and lets every publication come: %s', (name) => {
    const { messages, weight } = USUAL_LIMITS.perTopic[name];
    const all = USUAL_LIMITS[name];
    for (const [part, whole] of [
      [messages, all.messages],
      [weight, all.weight],
    ] as const) {
      expect([part.burst <= 0.75 * whole.burst, part.perSecond <= 0.75 * whole.perSecond]).toEqual([true, true]);
    }
    const { weight: room } = openAccount(USUAL_LIMITS.perTopic[name], millisOf(AT));
    expect(room.tokens).toBeGreaterThanOrEqual(1_048_476);
  });
});

describe('a seed node', () => {
  const [flooded, other] = ['swap/3447b727-fe93-4357-8e5a-8cf2699b7e86', 'swap/00000000-0000-4000-8000-000000000002'];

  it('hears on other topics a node that floods one, as a relay that hands a flood on', async () => {
    for (const [isRelay, share] of [
      [false, USUAL_LIMITS.perTopic.each],
      [true, USUAL_LIMITS.perTopic.relay],
    ] as const) {
      const relay = await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'], clock: virtualClock() });
      const heard: PeerEnvelope[] = [];
      for (const topic of [flooded, other]) relay.peers.subscribe(topic, (envelope) => void heard.push(envelope));
      const flooder = await stranger(relay);
      if (isRelay) flooder.frame({ iAmRelay: true });
      const word = { kind: 'negotiated', accepted: false } as const;
      const [flood, beside] = [await signedBytes(flooded, word), await signedBytes(other, word)];
      const { burst } = share.messages;
      for (let left = 1.3 * burst; left > 0; left -= 100) {
        flooder.publish(...Array.from({ length: 100 }, () => ({ topic: flooded, data: flood })));
      }
      flooder.publish({ topic: other, data: beside });
      await eventually(() => heard.some(({ topic }) => topic === other));
      expect(heard.filter(({ topic }) => topic === flooded)).toHaveLength(burst);
      for (const node of [flooder, relay]) await node.close();
    }
  });
});
