import { setImmediate as pause } from 'node:timers/promises';
import type { StreamLabels } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import { checkLabels } from '../check-batch.ts';
import { definedOf, sameLabels } from '../labels.ts';
import type { Connection } from './connection.ts';
import type { HeadChange } from './inserts.ts';
import { headsById } from './rows.ts';

/** Gives the labels of a stream from its records. */
export type LabelsOf = (stream: string, records: readonly Envelope[]) => StreamLabels;

export type ReindexOptions = {
  readonly connection: Connection;
  readonly labelsOf: LabelsOf;
  readonly read: (stream: string) => readonly Envelope[];
  /** Writes labels at once. */
  readonly relabel: (changes: readonly HeadChange[]) => void;
  readonly isOpen: () => boolean;
  readonly isApart: (stream: string) => boolean;
};

/** Records that are read at once: some milliseconds. */
const RECORDS_AT_ONCE = 1000;

/**
 * Rebuilds the labels of all streams. Appends continue meanwhile: a stream's records are read and its labels written
 * with nothing in between.
 *
 * @returns the count of streams whose labels changed.
 */
export async function reindexStreams(options: ReindexOptions): Promise<number> {
  const { connection, labelsOf, read, relabel, isOpen, isApart } = options;
  const heads = headsById(connection);
  let changed = 0;
  let after = 0;
  while (isOpen()) {
    const changes: HeadChange[] = [];
    let records = 0;
    const page = heads(after);
    for (const { head } of page) {
      after = head.id;
      if (isApart(head.name)) continue;
      const labels = definedOf(labelsOf(head.name, read(head.name)));
      checkLabels(head.name, labels);
      if (!sameLabels(labels, head.labels)) changes.push({ before: head, after: { ...head, labels } });
      records += head.length;
      if (records >= RECORDS_AT_ONCE) break;
    }
    if (page.length === 0) return changed;
    relabel(changes);
    changed += changes.length;
    await pause();
  }
  return changed;
}
