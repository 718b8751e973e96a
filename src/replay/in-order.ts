import { type JournalContext, NO_JOURNAL } from '../../machines/journal/context.ts';
import type { StoredEvent } from '../events/decode-event.ts';
import type { SwapLog } from '../events/saved-swap.ts';
import type { ReplaySession } from './session.ts';

/** The parts of a log that a session takes. */
type Records = Pick<SwapLog, 'events' | 'journal'>;

/**
 * Hands a session all records of a log in the order of the log: the public events, and between them the engine's own records.
 *
 * @param after called for each event once the session has taken everything before the next one.
 */
export function pushInOrder(
  session: Pick<ReplaySession<unknown, StoredEvent>, 'push' | 'pushOwn'>,
  { events, journal }: Records,
  after: (event: StoredEvent, seq: number) => void = () => {},
): void {
  const own = journal?.records ?? [];
  let next = 0;
  const pushOwn = (until: number): void => {
    for (let record = own[next]; record !== undefined && record.before <= until; record = own[next]) {
      session.pushOwn(record);
      next += 1;
    }
  };
  pushOwn(0);
  events.forEach((event, seq) => {
    session.push(event);
    // The rest follows the last event.
    pushOwn(seq + 1 === events.length ? Number.POSITIVE_INFINITY : seq + 1);
    after(event, seq);
  });
  if (events.length === 0) pushOwn(Number.POSITIVE_INFINITY);
}

/** Asks a machine's function about a log with its journal; if no engine could have written that journal, with the public events alone. */
export function judgedBy<T>(journal: JournalContext | null, judge: (journal: Readonly<JournalContext>) => T): T {
  if (journal === null) return judge(NO_JOURNAL);
  try {
    return judge(journal);
  } catch {
    return judge(NO_JOURNAL);
  }
}
