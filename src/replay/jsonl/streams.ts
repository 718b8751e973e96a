import type { Anomaly } from '../../events/anomaly.ts';
import type { Role } from '../../events/catalog.ts';
import type { Uuid } from '../../primitives/ids.ts';

/** A stream of which lines have been read and more may come. */
export type OpenStream<T> = {
  /** `taker-swap/<uuid>` or `maker-swap/<uuid>`. */
  readonly key: string;
  readonly role: Role;
  readonly uuid: Uuid;
  readonly body: T;
  /** Sequence number of the first line read. */
  readonly first: number;
  /** Sequence number that the next line should have. */
  due: number;
  /** Count of events so far; journal records are none. */
  events: number;
  /** The log holds the event that ends a swap. */
  finished: boolean;
  /** The log holds records of the engine, which may follow even the event that ends a swap. */
  journal: boolean;
  readonly anomalies: Anomaly[];
};

/** How many unfinished streams are kept for lines that may follow, before the one touched longest ago is given up. */
export const MAX_OPEN_STREAMS = 10_000;

export type StreamTableOptions<T> = {
  readonly maxOpenStreams: number;
  readonly open: (role: Role, uuid: Uuid) => T;
  /** The stream is complete, or given up: no more of its lines are expected. */
  readonly close: (stream: OpenStream<T>) => void;
  /** The stream is unfinished, and a line of another one came. */
  readonly setAside: (stream: OpenStream<T>) => void;
};

export type StreamTable<T> = {
  /** The stream of the latest line. */
  readonly active: () => OpenStream<T> | undefined;
  /** Makes the stream of a line the active one. What was active is closed when finished, else set aside. */
  readonly enter: (line: {
    readonly key: string;
    readonly role: Role;
    readonly uuid: Uuid;
    readonly seq: number;
  }) => OpenStream<T>;
  /** Closes all, those set aside in the order in which they were last touched. */
  readonly end: () => void;
};

/**
 * The streams of a file under reading. Files are mostly written one stream after the other, or interleaved by a node
 * that drives many swaps; both are read in one pass.
 */
export function createStreamTable<T>({ maxOpenStreams, open, close, setAside }: StreamTableOptions<T>): StreamTable<T> {
  // A Map keeps the order of insertion, so its first member is the one touched longest ago.
  const aside = new Map<string, OpenStream<T>>();
  let active: OpenStream<T> | undefined;

  const leave = (): void => {
    const stream = active;
    active = undefined;
    if (stream === undefined) return;
    if (isComplete(stream)) {
      close(stream);
      return;
    }
    setAside(stream);
    aside.set(stream.key, stream);
    if (aside.size <= maxOpenStreams) return;
    for (const [key, oldest] of aside) {
      aside.delete(key);
      close(oldest);
      break;
    }
  };

  return {
    active: () => active,
    enter({ key, role, uuid, seq }) {
      if (active?.key === key) return active;
      const known = aside.get(key);
      if (known !== undefined) aside.delete(key);
      leave();
      const body = known?.body ?? open(role, uuid);
      active = known ?? {
        key,
        role,
        uuid,
        body,
        first: seq,
        due: 0,
        events: 0,
        finished: false,
        journal: false,
        anomalies: [],
      };
      return active;
    },
    end() {
      leave();
      for (const stream of aside.values()) close(stream);
      aside.clear();
    },
  };
}

/** Whether no more lines of the stream are expected. */
export function isComplete({ finished, journal }: OpenStream<unknown>): boolean {
  return finished && !journal;
}

/** Checks the sequence number of a stream's next line. */
export function noteSeq(stream: OpenStream<unknown>, seq: number): void {
  if (seq === stream.due) {
    stream.due = seq + 1;
    return;
  }
  stream.anomalies.push(seq > stream.due ? gap(stream, seq) : repeated(stream, seq));
  if (seq > stream.due) stream.due = seq + 1;
}

function gap({ due, events }: OpenStream<unknown>, seq: number): Anomaly {
  const missing = due === seq - 1 ? `record ${due} is` : `records ${due} to ${seq - 1} are`;
  return {
    seq: events,
    code: 'SEQ_GAP',
    severity: 'fault',
    message: `The stream is not complete: ${missing} missing before record ${seq}.`,
    expected: [String(due)],
    found: String(seq),
    repair: `restore the missing record${due === seq - 1 ? '' : 's'} from a copy of the log`,
  };
}

function repeated({ due, events }: OpenStream<unknown>, seq: number): Anomaly {
  return {
    seq: events,
    code: 'SEQ_REPEATED',
    severity: 'fault',
    message: `Record ${seq} is repeated in the place of record ${due}.`,
    expected: [String(due)],
    found: String(seq),
    repair: `remove the second record ${seq}`,
  };
}

/** Takes the count of an event into account. */
export function noteEvent(stream: OpenStream<unknown>, type: string, data: unknown): void {
  if (stream.events === 0 && type === 'Started') noteUuid(stream, (data as { readonly uuid?: Uuid }).uuid);
  stream.events++;
  if (type === 'Finished') stream.finished = true;
}

function noteUuid({ uuid, anomalies }: OpenStream<unknown>, own: Uuid | undefined): void {
  if (own === undefined || own === uuid) return;
  anomalies.push({
    seq: 0,
    code: 'UUID_MISMATCH',
    severity: 'fault',
    message: `Started belongs to swap ${own}, but the stream says ${uuid}.`,
    expected: [uuid],
    found: own,
    repair: 'set the uuid of the stream and of Started to the same value',
  });
}

/** A line of the stream could not be read: its record is left out, and counts as the one that was due. */
export function noteUnreadable(stream: OpenStream<unknown>, { seq, why }: { seq: number | null; why: string }): void {
  stream.anomalies.push({
    seq: stream.events,
    code: 'RECORD_UNREADABLE',
    severity: 'fault',
    message: `Record ${seq ?? stream.due} cannot be read and was left out: ${why}`,
    repair: 'restore the record from a copy of the log',
  });
  if (seq === null) stream.due++;
}
