import type { Awaitable, EventLog } from '../../../ports/event-log.ts';

/** A log to try, and what can be done to it from outside. */
export type LogUnderTest = {
  readonly log: EventLog;
  /** Closes the log if it is open and opens it again. Absent where nothing outlives the log. */
  readonly reopen?: () => Awaitable<EventLog>;
  /** Alters a stored record behind the back of the closed log. */
  readonly damage?: (stream: string, seq: number) => Awaitable<void>;
  /** Called after each case, whether it passed or not. */
  readonly dispose?: () => Awaitable<void>;
};

export type LogContractOptions = {
  /** Name of the adapter, for titles. */
  readonly name: string;
  /** Opens a new, empty log for each case. */
  readonly open: () => Awaitable<LogUnderTest>;
  /** Runs of the property with random operations. @defaultValue 40 */
  readonly runs?: number;
};
