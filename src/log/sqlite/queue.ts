// Not the global one: if a host's tests fake their timers, an append would never be answered.
import { setImmediate } from 'node:timers';
import type { LogEntry } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import type { EncodedBatch } from './encode.ts';
import type { GroupCommit, Pending } from './group-commit.ts';

/** Maximum number of records in one transaction, so that the process stays responsive under any load. */
const RECORDS_AT_ONCE = 1024;

export type AppendQueue = {
  readonly append: (batch: EncodedBatch) => Promise<readonly Envelope[]>;
  /** Fulfilled when all earlier appends have been answered. */
  readonly idle: () => Promise<void>;
};

/**
 * Collects what callers append in one turn of the event loop and commits it together: one disk wait serves all.
 */
export function createQueue(log: GroupCommit, publish: (entries: readonly LogEntry[]) => void): AppendQueue {
  let waiting: Pending[] = [];
  let scheduled = false;
  let idle: (() => void)[] = [];

  const flush = (): void => {
    scheduled = false;
    const count = countFor(waiting);
    const group = waiting.slice(0, count);
    waiting = waiting.slice(count);
    if (waiting.length > 0) schedule();
    const entries = log.commit(group);
    if (entries.length > 0) publish(entries);
    if (waiting.length > 0) return;
    const told = idle;
    idle = [];
    for (const tell of told) tell();
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  return {
    append: (batch) =>
      new Promise((resolve, reject) => {
        waiting.push({ batch, resolve, reject });
        schedule();
      }),
    idle: () => (scheduled ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

function countFor(waiting: readonly Pending[]): number {
  let records = 0;
  const over = waiting.findIndex(({ batch }) => {
    records += batch.records.length;
    return records > RECORDS_AT_ONCE;
  });
  return over < 0 ? waiting.length : Math.max(1, over);
}
