/** A fault in a log that does not prevent reading the rest. */
export type Anomaly = {
  /** Position of the event in its log, from 0; null where it concerns the whole log. */
  readonly seq: number | null;
  /** Stable code, documented in docs/reference/anomalies.md. */
  readonly code: string;
  readonly message: string;
  /** A notice is worth a look; a fault means that the log was changed, damaged, or written by something else. */
  readonly severity: 'notice' | 'fault';
  readonly expected?: readonly string[];
  readonly found?: string;
  /** The smallest change that would make the log legal again. */
  readonly repair?: string;
};
