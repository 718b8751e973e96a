import type { SalvageReport } from './salvage/salvage.ts';

/** A damaged file was replaced by what could be read of it. */
export type LogRecovery = SalvageReport & {
  /** What was wrong with the file, in one sentence. */
  readonly damage: string;
  /** Name under which the damaged file is kept. */
  readonly kept: string;
};

/**
 * How the log ends.
 *
 * - `whole`: with its last append.
 * - `incomplete`: an append at the end was cut off and is dropped. After a crash or a power loss it was never
 *   acknowledged; without either, the write-ahead log was damaged.
 * - `lost`: acknowledged appends are missing at the end, or nothing proves that they are not, as when the write-ahead log was
 *   removed. What the streams say is true and may be out of date: check the chains before you send anything.
 */
export type TailState = 'whole' | 'incomplete' | 'lost';

/** The state of the log at its opening. */
export type OpeningReport = {
  readonly recovery: LogRecovery | undefined;
  readonly tail: TailState;
};
