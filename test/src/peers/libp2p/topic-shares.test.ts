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

describe('O11: the share of one topic in what a node may send', () => {
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

  it('holds for the flooded topic, whatever else is said, and few topics are remembered', () => {
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

  it('leaves half to others, and lets every publication come', () => {
    const { allowance: share } = USUAL_LIMITS.perTopic;
    const all = USUAL_LIMITS.each;
    for (const [part, whole] of [
      [share.messages, all.messages],
      [share.weight, all.weight],
    ] as const) {
      expect([part.burst <= whole.burst / 2, part.perSecond <= whole.perSecond / 2]).toEqual([true, true]);
    }
    expect(openAccount(share, millisOf(AT)).weight.tokens).toBeGreaterThanOrEqual(1_048_476);
  });
});

describe('a seed node', () => {
  const [flooded, other] = ['swap/3447b727-fe93-4357-8e5a-8cf2699b7e86', 'swap/00000000-0000-4000-8000-000000000002'];

  /** A node that says much on one topic and then a word on another, and what a seed node hears of it. */
  async function flooding(isRelay: boolean, count: number) {
    const relay = await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'], clock: virtualClock() });
    const heard: PeerEnvelope[] = [];
    for (const topic of [flooded, other]) relay.peers.subscribe(topic, (envelope) => void heard.push(envelope));
    const flooder = await stranger(relay);
    if (isRelay) flooder.frame({ iAmRelay: true });
    const word = { kind: 'negotiated', accepted: false } as const;
    const [flood, beside] = [await signedBytes(flooded, word), await signedBytes(other, word)];
    for (let left = count; left > 0; left -= 50) {
      flooder.publish(...Array.from({ length: 50 }, () => ({ topic: flooded, data: flood })));
    }
    flooder.publish({ topic: other, data: beside });
    await eventually(() => heard.some(({ topic }) => topic === other));
    const found = heard.filter(({ topic }) => topic === flooded).length;
    for (const node of [flooder, relay]) await node.close();
    return found;
  }

  it('hears on other topics a node that floods one', async () => {
    const { burst } = USUAL_LIMITS.perTopic.allowance.messages;
    expect(await flooding(false, burst + 250)).toBe(burst);
  });

  it('loses nothing of what a relay passes on, so that nobody uses up the share of a swap behind it', async () => {
    expect(await flooding(true, 600)).toBe(600);
  });
});
