import type { Envelope } from '../primitives/envelope.ts';
import type { Millis } from '../primitives/time.ts';

/** A record that is not yet in the log: the log assigns its position and its seal. */
export type NewRecord = {
  readonly at: Millis;
  readonly type: string;
  readonly version: number;
  /** A JSON value. A number that no float holds is a `LosslessNumber` of `lossless-json`, which a log returns with all its digits. */
  readonly data: unknown;
  readonly extra?: unknown;
};

/** What the writer knows about a stream besides its records; an index for queries, which can be rebuilt from the records at any time. */
export type StreamLabels = {
  /** Tickers. */
  readonly makerCoin?: string;
  readonly takerCoin?: string;
  /** One of the closed set of outcomes. */
  readonly outcome?: string;
  readonly state?: string;
  /** A stream that no longer needs a runner. */
  readonly finished?: boolean;
};

export type AppendBatch = {
  /** `<machine id>/<key>`. */
  readonly stream: string;
  /** Number of records that the writer knows the stream to hold, which is the `seq` of the first new one. */
  readonly expected: number;
  /** At least one. All of them become durable, or none. */
  readonly records: readonly NewRecord[];
  readonly labels?: StreamLabels;
};

export type StreamQuery = {
  /** Machine id, the part of the stream's name before the slash. */
  readonly machine?: string;
  /** Ticker on either side. */
  readonly coin?: string;
  readonly outcome?: string;
  readonly finished?: boolean;
  /** Streams that hold an event of this type. */
  readonly eventType?: string;
  /** Streams whose first record is at or after this moment. */
  readonly from?: Millis;
  /** Streams whose first record is before this moment. */
  readonly to?: Millis;
  /** @defaultValue no limit */
  readonly limit?: number;
};

export type StreamSummary = {
  readonly stream: string;
  /** Count of records. */
  readonly length: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly labels: StreamLabels;
};

/** A stream whose records do not verify. It is kept unchanged, never read, and does not prevent others from loading. */
export type QuarantinedStream = {
  readonly stream: string;
  /** Position of the first record that does not verify. */
  readonly seq: number;
  /** One plain sentence. */
  readonly why: string;
};

/** A record that was found by its type. */
export type ScannedRecord = Pick<Envelope, 'stream' | 'at' | 'type' | 'data'>;

/** A durable record with its place among all records of the log. */
export type LogEntry = { readonly position: number; readonly envelope: Envelope };

export type Subscription = { readonly close: () => void };

export type SubscribeOptions = {
  /** Position of the last entry that the subscriber has seen; 0 for all. Later entries are delivered in order, without gaps. */
  readonly after: number;
  /** Only entries of this stream. @defaultValue all streams */
  readonly stream?: string;
};

/** A value now, or a promise of it: an adapter in memory answers immediately, so a simulation runs without waiting. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The append-only log: the only truth of the engine.
 *
 * - L1: `append` returns only when the records are durable; a batch is in the log whole or not at all.
 * - L2: `append` with a wrong `expected` changes nothing. @throws LogConflictError
 * - L3: records of a stream are numbered from 0 without gaps, and each hash chains to the one before.
 * - L4: subscribers get only durable entries, each once, in order of position, from where they left off.
 * - L5: a stream that does not verify is quarantined and named; every other stream loads.
 * - L6: what no log can hold or answer (no records, a member of the wrong form, a position that is not a count) is refused as a whole, with
 *   `LOG_RECORD_INVALID`.
 */
export interface EventLog {
  append(batch: AppendBatch): Awaitable<readonly Envelope[]>;
  /** Records of a stream from `from` on (0 unless given), verified; empty for an unknown one. @throws LogDamagedError if it is quarantined. */
  read(stream: string, from?: number): Awaitable<readonly Envelope[]>;
  /** In order of the first record. */
  find(query: StreamQuery): Awaitable<readonly StreamSummary[]>;
  /**
   * Gives every record of these types, stream by stream within a type, without those of quarantined streams; it may include what is appended
   * meanwhile. A log in a file lets others proceed in between. @defaultValue callers read every stream instead
   */
  scan?(types: readonly string[], onRecord: (record: ScannedRecord) => void): Awaitable<void>;
  /**
   * Never calls back inside the call. A subscriber that answers with a promise gets the next entry once it has settled.
   * @throws LogError LOG_CURSOR_AHEAD for a position that the log has not reached; `Infinity` is for what comes from now on.
   */
  subscribe(options: SubscribeOptions, onEntry: (entry: LogEntry) => void): Subscription;
  /** Streams that do not verify; the whole log is checked when it is opened. */
  quarantined(): readonly QuarantinedStream[];
  /** Position of the last durable entry; 0 while there is none. @defaultValue unknown until the next entry */
  end?(): number;
  /** Waits for what is in progress, then closes the file. Later appends are refused. */
  close(): Awaitable<void>;
}
