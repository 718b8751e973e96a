import type { Millis } from '../../primitives/time.ts';

/** A publication that was passed on, framed, with its receivers. */
type Kept<Peer extends object> = {
  readonly topic: string;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly told: WeakSet<Peer>;
};

export type RecentLimits = {
  /** Milliseconds. */
  readonly keep: number;
  readonly mostBytes: number;
  /** Messages, and their bytes, of one topic: what is said on it takes no room from others. */
  readonly perTopic: number;
  readonly mostBytesPerTopic: number;
};

/** Recently relayed messages, for nodes that subscribe a moment too late. */
export type Recent<Peer extends object> = {
  readonly add: (given: { readonly topic: string; readonly bytes: Uint8Array }, now: Millis) => WeakSet<Peer>;
  /** The messages of a topic that a node has not had; marks them as sent. */
  readonly missed: (peer: Peer, given: { readonly topic: string; readonly now: Millis }) => readonly Uint8Array[];
  /** Bytes that are kept. */
  readonly held: () => number;
};

/**
 * Two nodes that begin a swap listen to its topic and speak on it at the same moment: what one says before the other's subscription
 * has arrived would be lost until it is repeated, a quarter of a minute later.
 */
export function createRecent<Peer extends object>(limits: RecentLimits): Recent<Peer> {
  const { keep, mostBytes, perTopic, mostBytesPerTopic } = limits;
  const all = new Set<Kept<Peer>>();
  const topics = new Map<string, Kept<Peer>[]>();
  let held = 0;

  const drop = (kept: Kept<Peer>): void => {
    all.delete(kept);
    held -= kept.bytes.length;
    const left = (topics.get(kept.topic) ?? []).filter((one) => one !== kept);
    if (left.length === 0) topics.delete(kept.topic);
    else topics.set(kept.topic, left);
  };
  const forget = (now: number): void => {
    for (const kept of all) {
      if (held <= mostBytes && kept.at <= now && now - kept.at < keep) return;
      drop(kept);
    }
  };
  const shorten = (topic: string): void => {
    const before = topics.get(topic) ?? [];
    let count = before.length;
    let bytes = before.reduce((sum, one) => sum + one.bytes.length, 0);
    for (const oldest of before) {
      if (count <= perTopic && bytes <= mostBytesPerTopic) return;
      count -= 1;
      bytes -= oldest.bytes.length;
      drop(oldest);
    }
  };
  return {
    add({ topic, bytes }, now) {
      const kept: Kept<Peer> = { topic, bytes, at: now, told: new WeakSet() };
      all.add(kept);
      held += bytes.length;
      topics.set(topic, [...(topics.get(topic) ?? []), kept]);
      shorten(topic);
      forget(now);
      return kept.told;
    },
    missed(peer, { topic, now }) {
      forget(now);
      const found = (topics.get(topic) ?? []).filter(({ told }) => !told.has(peer));
      for (const { told } of found) told.add(peer);
      return found.map(({ bytes }) => bytes);
    },
    held: () => held,
  };
}
