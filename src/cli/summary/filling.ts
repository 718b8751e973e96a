import { restingLog, sessionsOf } from '../../log/sqlite/at-rest.ts';
import type { SqliteLog } from '../../log/sqlite/index.ts';
import { type NamedThing, namedThings } from '../../replay/audit/sharing.ts';
import type { KeptSwap } from '../../runtime/operate/keep-swaps.ts';
import type { CliIo } from '../io.ts';
import { lookAt, roleOfStream, tellingRecords } from '../stream-log.ts';
import { hasMoreToTell, type KeptOptions, LEAST_BYTES, standingOf } from './listed.ts';
import { summaryFile } from './summary-file.ts';
import type { SummaryRow } from './summary-row.ts';
import type { SummaryWriter } from './summary-writer.ts';

/** Keeps how the swaps stand that a command takes into a log, so that the next `status` need not read what has just been written. */
export type Filling = {
  /** The log was opened, to be written to by this command alone until it closes it. */
  readonly begin: (log: SqliteLog) => void;
  readonly add: (kept: KeptSwap) => void;
  /** The log was closed. */
  readonly end: () => void;
  /** Keeps nothing, and leaves what was kept before as it is. */
  readonly drop: () => void;
};

type Open = {
  readonly writer: SummaryWriter;
  readonly session: string;
  /** Whether all that the log held when it was opened is among the rows. */
  readonly whole: boolean;
};

/** Begins before the log is opened, since each opening changes it. */
export function createFilling(path: string, { io, least = LEAST_BYTES }: KeptOptions): Filling {
  const before = restingLog(path, { least });
  let open: Open | undefined;
  const drop = (): void => {
    open?.writer.drop();
    open = undefined;
  };
  // Whatever fails here is no reason for the command to fail.
  const attempt = (action: () => unknown): void => {
    try {
      action();
    } catch {
      drop();
    }
  };
  return {
    begin: (log) => attempt(() => (open = hasMoreToTell(log) ? undefined : opened(log, { io, before }))),
    add: (kept) => attempt(() => open?.writer.add(rowOf(kept))),
    end: () => {
      if (open === undefined) return;
      const after = restingLog(path, { least });
      // A later opening may have written what is not among the rows; what of them fits is still believed then.
      const isOurs = after?.session === open.session;
      if (after === undefined) drop();
      else open.writer.end(open.whole && isOurs ? after.digest : null);
    },
    drop,
  };
}

type Found = { readonly io: CliIo; readonly before: ReturnType<typeof restingLog> };

function opened(log: SqliteLog, { io, before }: Found): Open | undefined {
  const sessions = sessionsOf(log.file);
  const file = summaryFile(log.file, io.env);
  if (sessions === undefined || file === undefined) return undefined;
  const { session } = sessions;
  const writer = file.write();
  if (log.end() === 0) return { writer, session, whole: true };
  const taken = writer.takeOver();
  // Nobody has opened the log since it was looked at.
  const isSame = before !== undefined && before.file === log.file && before.session === sessions.before;
  return { writer, session, whole: isSame && taken === before.digest };
}

function rowOf({ status, records, labels }: KeptSwap): SummaryRow {
  const told = status();
  const { stream } = told;
  const [first, last] = [records[0], records.at(-1)];
  if (first === undefined || last === undefined || told.error !== null) throw new RangeError('no swap to be kept');
  const role = roleOfStream(stream);
  const things: readonly NamedThing[] = role === null ? [] : namedThings({ role, events: records });
  return {
    standing: standingOf({ ...told, looked: lookAt(told, tellingRecords(records)) }),
    indexed: { stream, length: records.length, firstAt: first.at, lastAt: last.at, labels },
    hash: last.hash,
    things,
  };
}
