import type { Millis } from '../src/primitives/time.ts';

/** A failure that a swap's log reports, as it was stored. */
export type RecordedFailure = { readonly event: string; readonly at: Millis; readonly error: string };
