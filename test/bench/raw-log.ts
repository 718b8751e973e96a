import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers';
import { GENESIS_HASH } from '../../src/primitives/envelope.ts';
import { logTables, type TableRow } from './log-tables.ts';

/** A record of a stream that another follows when it is durable. */
export type RawRecord = {
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: unknown;
};

export type RawLog = {
  readonly append: (record: RawRecord) => Promise<void>;
  /** Of each transaction so far the count of its records. */
  readonly commits: readonly number[];
  readonly close: () => void;
};

type Waiting = RawRecord & { readonly resolve: () => void };
type End = { readonly id: number; readonly seal: string };

/**
 * The least program that makes the same promise: what its writers append in one turn becomes one transaction of as many bytes in the same tables,
 * and each is answered when that is durable. It makes the text and the seal of a record, and checks nothing: neither what it is given, nor that it
 * follows, nor what it wrote last, nor whose file it is.
 */
export function rawLog(paths: { readonly log: string; readonly path: string }): RawLog {
  const { write, close } = logTables(paths);
  const ends = new Map<string, End>();
  let position = 0;
  const commits: number[] = [];
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    const records: TableRow[] = [];
    const tips: TableRow[] = [];
    const streams: TableRow[] = [];
    for (const { stream, seq, at, type, data } of group) {
      position++;
      const text = JSON.stringify(data ?? null);
      const { id, seal: before } = ends.get(stream) ?? { id: position, seal: GENESIS_HASH };
      const seal = hash('sha256', `${before}\n${stream}\n${seq}\n${at}\n${type}\n1\n${text}`);
      ends.set(stream, { id, seal });
      const bytes = Buffer.from(seal, 'hex');
      const sum = bytes.readUInt32BE();
      records.push([position, id, seq, at, type, 1, text, null, seq === 0 ? stream : null, bytes, sum]);
      tips.push([id, seq + 1, bytes, at, sum]);
      if (seq === 0) streams.push([id, stream, 'taker-swap', at, null, null, null, null, null, sum]);
    }
    write({ records, tips, streams });
    commits.push(group.length);
    for (const { resolve } of group) resolve();
  };
  return {
    append: (record) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ ...record, resolve });
      }),
    commits,
    close,
  };
}
