import { MESSAGE_LIMITS } from '../message-bounds.ts';

/** What travels on a topic (as in the real node). */
export type TopicKind = 'swap' | 'watchers' | 'helpers' | 'orders';

const PREFIXES: readonly (readonly [prefix: string, kind: TopicKind])[] = [
  ['swap/', 'swap'],
  ['swpwtchr/', 'watchers'],
  ['txhlp/', 'helpers'],
  ['orbk/', 'orders'],
];

/** Topics of swaps of the second version, which this package recognizes but does not speak. */
export const SECOND_VERSION = 'swapv2/';

/** Topics of nodes that ask one another whether they are there: behind it stands a peer id. */
export const HEALTH = 'hcheck/';

/** More characters than any topic has. */
export const LONGEST_TOPIC = 5 + 2 * MESSAGE_LIMITS.ticker + 1;

/** Null for a topic without use here: a relay does not forward its messages. */
export function topicKind(topic: string): TopicKind | null {
  if (topic.length > LONGEST_TOPIC) return null;
  return PREFIXES.find(([prefix]) => topic.startsWith(prefix))?.[1] ?? null;
}

/** Whether someone may listen to it here: topics of this node's use, and those whose messages a relay hands on without use for them. */
export function isListenable(topic: string): boolean {
  if (topicKind(topic) !== null) return true;
  return topic.length <= LONGEST_TOPIC && [SECOND_VERSION, HEALTH].some((prefix) => topic.startsWith(prefix));
}
