import { describe, expect, it } from 'vitest';
import type { PeerEnvelope, SwapMessage } from '../../../../src/ports/peers.ts';
import { createTopics } from '../../../../src/runtime/loop/hearing.ts';
import { createSlot, type Slot } from '../../../../src/runtime/loop/slot.ts';

const MESSAGE: SwapMessage = { kind: 'negotiated', accepted: true };

function setUp() {
  const open: { readonly topic: string; readonly hear: (envelope: PeerEnvelope) => void }[] = [];
  const closed: string[] = [];
  const delivered: [string, PeerEnvelope][] = [];
  const reaction = { run: () => {} };
  const topics = createTopics({
    peers: {
      self: 'me',
      send: () => {},
      subscribe(topic, hear) {
        open.push({ topic, hear });
        return { close: () => void closed.push(topic) };
      },
    },
    deliver: ({ stream }, envelope) => {
      delivered.push([stream, envelope]);
      reaction.run();
    },
  });
  const send = (topic: string, from: string) => {
    for (const { topic: own, hear } of open) if (own === topic) hear({ topic, from, message: MESSAGE });
    return delivered.splice(0).map(([stream]) => stream);
  };
  return { topics, open, closed, send, reaction };
}

function slotOf(stream: string, listens: { topic: string; from: string } | null): Slot {
  const slot = createSlot(0, stream, null as never);
  Object.assign(slot, { driven: { listens: () => listens } });
  return slot;
}

describe('a slot that listens', () => {
  it('hears its topic from the one whom it listens to, however the key is spelled', () => {
    const { topics, send } = setUp();
    topics.add(slotOf('a', { topic: 'swap/1', from: 'ab' }));
    expect(send('swap/1', 'AB')).toEqual(['a']);
    expect(send('swap/1', 'ab')).toEqual(['a']);
    expect(send('swap/1', 'cd')).toEqual([]);
    expect(send('swap/2', 'ab')).toEqual([]);
  });

  it('shares the subscription of its topic with the others', () => {
    const { topics, open, closed, send } = setUp();
    const slots = [slotOf('a', { topic: 'swap/1', from: 'ab' }), slotOf('b', { topic: 'swap/1', from: 'cd' })] as const;
    for (const slot of [...slots, slots[0]]) topics.add(slot);
    expect(open.map(({ topic }) => topic)).toEqual(['swap/1']);
    expect(send('swap/1', 'cd')).toEqual(['b']);
    topics.remove(slots[0]);
    expect(closed).toEqual([]);
    expect(send('swap/1', 'ab')).toEqual([]);
    expect(slots[0]?.ears).toMatchObject({ topic: null, from: null });
    topics.remove(slots[1]);
    expect(closed).toEqual(['swap/1']);
    expect(send('swap/1', 'cd')).toEqual([]);
  });

  it('is subscribed again when its topic was closed', () => {
    const { topics, open, closed } = setUp();
    const slot = slotOf('a', { topic: 'swap/1', from: 'ab' });
    topics.add(slot);
    topics.remove(slot);
    topics.remove(slot);
    expect(closed).toEqual(['swap/1']);
    topics.add(slot);
    expect(open).toHaveLength(2);
    expect(slot.ears).toMatchObject({ topic: 'swap/1', from: 'ab' });
  });

  it('leaves its topic when it listens elsewhere, or nowhere', () => {
    const { topics, open, closed, send } = setUp();
    const slot = slotOf('a', { topic: 'swap/1', from: 'ab' });
    topics.add(slot);
    Object.assign(slot, { driven: { listens: () => ({ topic: 'swap/2', from: 'cd' }) } });
    topics.add(slot);
    expect([open.map(({ topic }) => topic), closed]).toEqual([['swap/1', 'swap/2'], ['swap/1']]);
    expect(send('swap/2', 'cd')).toEqual(['a']);
    Object.assign(slot, { driven: { listens: () => null } });
    topics.add(slot);
    expect(closed).toEqual(['swap/1', 'swap/2']);
    expect(slot.ears).toMatchObject({ topic: null, from: null });
  });

  it('listens to another on the same topic without a new subscription', () => {
    const { topics, open, closed, send } = setUp();
    const slot = slotOf('a', { topic: 'swap/1', from: 'ab' });
    topics.add(slot);
    Object.assign(slot, { driven: { listens: () => ({ topic: 'swap/1', from: 'cd' }) } });
    topics.add(slot);
    expect([open.length, closed.length]).toEqual([1, 0]);
    expect([send('swap/1', 'ab'), send('swap/1', 'cd')]).toEqual([[], ['a']]);
  });
});

describe('a slot that does not listen', () => {
  it('has no topic, and leaving is nothing', () => {
    const { topics, open } = setUp();
    const none = createSlot(0, 'a', null as never);
    topics.add(none);
    topics.add(slotOf('b', null));
    topics.remove(none);
    expect(open).toEqual([]);
    expect(none.ears.topic).toBeNull();
  });

  it('that was in a closed topic is still released', () => {
    const { topics, closed } = setUp();
    const slot = slotOf('a', { topic: 'swap/1', from: 'ab' });
    topics.add(slot);
    topics.close();
    expect(closed).toEqual(['swap/1']);
    topics.remove(slot);
    expect(slot.ears.topic).toBeNull();
    expect(closed).toEqual(['swap/1']);
  });
});

it('a message reaches all slots that were there when it came, whichever leave because of it', () => {
  const { topics, send, reaction } = setUp();
  const slots = ['a', 'b', 'c'].map((stream) => slotOf(stream, { topic: 'swap/1', from: 'ab' }));
  for (const slot of slots) topics.add(slot);
  reaction.run = () => {
    for (const slot of slots.slice(0, 1)) topics.remove(slot);
  };
  expect(send('swap/1', 'ab')).toEqual(['a', 'b', 'c']);
});

it('all subscriptions are closed at the end, and none is closed twice', () => {
  const { topics, closed } = setUp();
  topics.add(slotOf('a', { topic: 'swap/1', from: 'ab' }));
  topics.add(slotOf('b', { topic: 'swap/2', from: 'ab' }));
  topics.close();
  topics.close();
  expect(closed).toEqual(['swap/1', 'swap/2']);
});
