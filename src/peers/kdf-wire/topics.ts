import { MESSAGE_LIMITS } from '../message-bounds.ts';

/** What travels on a topic (as in the real node). */
export type TopicKind = 'swap' | 'watchers' | 'helpers' | 'orders';

const PREFIXES: readonly (readonly [prefix: string, kind: TopicKind])[] = [
  ['swap/', 'swap'],
  ['swpwtchr/', 'watchers'],
  ['txhlp/', 'helpers'],
  ['orbk/', 'orders'],
];

/** Topics of swaps of the second version, which is recognised and not spoken. */
export const SECOND_VERSION = 'swapv2/';

/** More characters than any topic has. */
export const LONGEST_TOPIC = 5 + 2 * MESSAGE_LIMITS.ticker + 1;

/** Null for a topic that nobody here has use for: a relay hands no such message on. */
export function topicKind(topic: string): TopicKind | null {
  if (topic.length > LONGEST_TOPIC) return null;
  return PREFIXES.find(([prefix]) => topic.startsWith(prefix))?.[1] ?? null;
}

/** Whether somebody may listen to it here: topics of this node's use, and those that a relay hands on unread. */
export function isListenable(topic: string): boolean {
  return topicKind(topic) !== null || (topic.startsWith(SECOND_VERSION) && topic.length <= LONGEST_TOPIC);
}
