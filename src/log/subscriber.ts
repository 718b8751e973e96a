import type { LogEntry } from '../ports/event-log.ts';

/** What the log behind a subscriber can answer. */
export type EntrySource = {
  /** Position of the last durable entry. */
  readonly end: () => number;
  /**
   * The next entries after a position, in order, of one stream or of all. `upTo` lies behind `after`; up to it there are no
   * others.
   */
  readonly page: (
    after: number,
    stream: string | undefined,
  ) => { readonly entries: readonly LogEntry[]; readonly upTo: number };
  /** Calls back soon, after other due work of the process. */
  readonly later: (action: () => void) => void;
  /** Receives what a subscriber threw. */
  readonly onError: (error: unknown) => void;
};

export type Subscriber = {
  /** Hands over entries that have just become durable, in order. */
  readonly offer: (entries: readonly LogEntry[]) => void;
  readonly close: () => void;
};

export type SubscriberOptions = {
  readonly onEntry: (entry: LogEntry) => unknown;
  readonly stream: string | undefined;
  /** Position up to which everything has been delivered before. */
  readonly after: number;
  readonly onClose: () => void;
};

type State = {
  /** Position up to which everything due has been delivered. */
  cursor: number;
  /**
   * - `idle`: nothing is on its way to the subscriber.
   * - `due`: a page will be read.
   * - `called`: it is being called.
   * - `waiting`: it answered with a promise.
   * - `closed`
   */
  phase: 'idle' | 'due' | 'called' | 'waiting' | 'closed';
};

/**
 * Delivers the entries of a log to one subscriber.
 *
 * - B1: the log keeps only a cursor for a subscriber: one that is late or slow reads from the log, page by page.
 * - B2: one that has seen everything gets new entries as they become durable, without a read.
 * - B3: a subscriber gets one entry at a time; if it answers with a promise, the next entry waits for that.
 * - B4: a subscriber that throws is closed, so that it cannot miss the entry on which it failed. The error does not concern the appender.
 */
export function createSubscriber(source: EntrySource, options: SubscriberOptions): Subscriber {
  const { onEntry, stream, after, onClose } = options;
  const state: State = { cursor: after, phase: 'idle' };

  const close = (): void => {
    if (state.phase === 'closed') return;
    state.phase = 'closed';
    onClose();
  };
  const fail = (error: unknown): void => {
    close();
    source.onError(error);
  };
  const readSoon = (): void => {
    if (state.phase !== 'idle' || state.cursor >= source.end()) return;
    state.phase = 'due';
    source.later(() => {
      if (state.phase === 'due') readPage();
    });
  };
  const resume = (): void => {
    if (state.phase !== 'waiting') return;
    state.phase = 'idle';
    readSoon();
  };
  const deliver = (entries: readonly LogEntry[], upTo: number): void => {
    const answer = callInOrder(state, onEntry, entries);
    if (answer !== undefined) answer.then(resume, fail);
    else if (!isClosed(state)) state.cursor = Math.max(state.cursor, upTo);
  };
  const readPage = (): void => {
    try {
      const { entries, upTo } = source.page(state.cursor, stream);
      deliver(entries, upTo);
      readSoon();
    } catch (error) {
      fail(error);
    }
  };

  readSoon();
  return {
    offer(entries) {
      const first = entries[0];
      if (state.phase !== 'idle' || first === undefined) return;
      if (state.cursor < first.position - 1) {
        readSoon();
        return;
      }
      const wanted = stream === undefined ? entries : entries.filter(({ envelope }) => envelope.stream === stream);
      try {
        deliver(wanted, (entries.at(-1) as LogEntry).position);
      } catch (error) {
        fail(error);
      }
    },
    close,
  };
}

/**
 * Calls a subscriber with entries that it has not seen until it closes its subscription or answers with a promise, which is
 * given back; the cursor then stays there.
 */
function callInOrder(
  state: State,
  onEntry: (entry: LogEntry) => unknown,
  entries: readonly LogEntry[],
): PromiseLike<unknown> | undefined {
  for (const entry of entries) {
    if (entry.position <= state.cursor) continue;
    state.cursor = entry.position;
    state.phase = 'called';
    const answer = onEntry(entry);
    const closed = isClosed(state);
    if (isPromise(answer)) {
      if (!closed) state.phase = 'waiting';
      return answer;
    }
    if (closed) return undefined;
  }
  state.phase = 'idle';
  return undefined;
}

/** The subscriber may have closed its subscription during the call, which the compiler cannot see. */
function isClosed({ phase }: State): boolean {
  return phase === 'closed';
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
