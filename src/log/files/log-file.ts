import { envelopeLine } from '../../events/jsonl.ts';

const MAGIC = 'SQLite format 3\0';

/** Whether the first bytes of a file are those of an event log in SQLite. */
export function isLogFile(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, MAGIC.length)).toString('latin1') === MAGIC;
}

/** Bytes that tell a log from a text. */
export const LOG_HEAD_BYTES = MAGIC.length;

export type LogRecords = {
  readonly file: string;
  readonly form: 'records';
  readonly bytes: AsyncIterable<Uint8Array>;
};

/** An event log as the records that an export of it would hold, stream by stream. */
export function openLogFile(file: string): LogRecords {
  return { file, form: 'records', bytes: recordsOf(file) };
}

async function* recordsOf(file: string): AsyncGenerator<Uint8Array> {
  // Loaded only where there is such a file: the adapter brings a library of its own.
  const { openSqliteLog } = await import('../sqlite/index.ts');
  const log = await openSqliteLog({ path: file, readOnly: true });
  try {
    for (const { stream } of await log.find({})) {
      const lines = (await log.read(stream)).map((envelope) => `${envelopeLine(envelope)}\n`);
      yield Buffer.from(lines.join(''));
    }
  } finally {
    await log.close();
  }
}
