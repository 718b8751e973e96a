import type { StreamSummary } from '../../ports/event-log.ts';
import type { NamedThing } from '../../replay/audit/sharing.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import type { Looked } from '../looked.ts';

/** What is told of a stream that could be read; it follows from its records alone, at whatever moment it is told. */
export type Standing = Pick<
  SwapStatus,
  'stream' | 'uuid' | 'role' | 'coins' | 'state' | 'outcome' | 'funds' | 'next' | 'recoverSince'
> & { readonly looked: Looked };

/** A stream of a log: how it stands, what the log's index says of it, and what it names that serves one swap alone. */
export type SummaryRow = {
  readonly standing: Standing;
  readonly indexed: StreamSummary;
  /** Of its last record: the row was made from the records of which this is the end. */
  readonly hash: string;
  readonly things: readonly NamedThing[];
};
