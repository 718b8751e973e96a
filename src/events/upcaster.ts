import type { Role } from './catalog.ts';

/**
 * A step that reads a stored shape which the current schemas do not know.
 *
 * Ids are `<role>.<event>/<n>`, numbered from 1 for each event, never edited and never reused. A step is pure, gives
 * back a new payload, and applies only where the current shape is absent. The real node refuses such a log, which the
 * reader reports as an anomaly.
 */
export type Upcaster = {
  readonly id: string;
  readonly role: Role;
  readonly type: string;
  /** When the shape was written. */
  readonly written: string;
  readonly summary: string;
  readonly applies: (data: unknown) => boolean;
  readonly upcast: (data: unknown) => unknown;
};
