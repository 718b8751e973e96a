import { envelopeLine } from '../../events/jsonl.ts';
import { type LogDamagedError, type LogError, logCut, streamDamaged } from '../log-error.ts';

const MAGIC = 'SQLite format 3\0';

/** Whether the first bytes of a file are those of an event log in SQLite. */
export function isLogFile(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, MAGIC.length)).toString('latin1') === MAGIC;
}

/** Bytes that tell a log from a text. */
export const LOG_HEAD_BYTES = MAGIC.length;

/** A stream of a log that does not verify, with the reason. */
export type DamagedStream = { readonly stream: string; readonly error: LogDamagedError };

export type LogRecords = {
  readonly file: string;
  readonly form: 'records';
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The swaps belong to a node of this package, which continues them. */
  readonly own: true;
  /** What is missing in the bytes, once they were read. */
  readonly damaged: () => readonly DamagedStream[];
  /** Why records may be missing at the end of the log, once the first bytes were read; undefined where none are. */
  readonly cut: () => LogError | undefined;
};

/** An event log as the records that an export of it would hold, stream by stream. */
export function openLogFile(file: string): LogRecords {
  const found: Found = { damaged: [], cut: undefined };
  const bytes = recordsOf(file, found);
  return { file, form: 'records', bytes, own: true, damaged: () => found.damaged, cut: () => found.cut };
}

type Found = { readonly damaged: DamagedStream[]; cut: LogError | undefined };

async function* recordsOf(file: string, found: Found): AsyncGenerator<Uint8Array> {
  // Loaded only where there is such a file: the adapter brings a library of its own.
  const { openSqliteLog } = await import('../sqlite/index.ts');
  const log = await openSqliteLog({ path: file, readOnly: true });
  try {
    const { tail } = log.opening;
    if (tail !== 'whole') found.cut = logCut(file, tail);
    for (const apart of log.quarantined()) found.damaged.push({ stream: apart.stream, error: streamDamaged(apart) });
    for (const { stream } of await log.find({})) {
      const lines = (await log.read(stream)).map((envelope) => `${envelopeLine(envelope)}\n`);
      yield Buffer.from(lines.join(''));
    }
  } finally {
    await log.close();
  }
}
