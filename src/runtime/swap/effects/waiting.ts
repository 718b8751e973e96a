import { type MessageWait, overFrom, waitedFor } from '../../../../machines/deadlines/message-wait.ts';
import type { Seconds } from '../../../primitives/time.ts';
import { latestClock, type Turn, wakeAt } from '../turn.ts';

/** How many seconds the wait for a message has lasted, once over the limit; null before, and then the turn wakes at the limit. */
export function waitedTooLong(turn: Pick<Turn, 'now' | 'facts' | 'wakeAt'>, wait: MessageWait): Seconds | null {
  const elapsed = waitedFor(wait, latestClock(turn));
  return elapsed > wait.limit ? elapsed : wakeAt(turn, overFrom(wait));
}
