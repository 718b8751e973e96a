import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { RestingLog } from '../../log/sqlite/at-rest.ts';
import type { StreamSummary } from '../../ports/event-log.ts';
import type { NamedThing } from '../../replay/audit/sharing.ts';
import type { SwapStatus } from '../../runtime/operate/status.ts';
import type { CliIo } from '../io.ts';
import type { Looked } from '../looked.ts';
import { buildStamp } from './build-stamp.ts';

/** What is told of a stream that could be read; it follows from its records alone, at whatever moment it is told. */
export type Standing = Pick<
  SwapStatus,
  'stream' | 'uuid' | 'role' | 'coins' | 'state' | 'outcome' | 'funds' | 'next' | 'recoverSince'
> & { readonly looked: Looked };

/** A stream of a log: how it stands, what the log's index says of it, and what of its own another swap of the log names too. */
export type SummaryRow = {
  readonly standing: Standing;
  readonly indexed: StreamSummary;
  readonly things: readonly NamedThing[];
};

/**
 * How the swaps of one log stand, kept in the user's folder for what can be made anew, so that a log that has not changed need not be
 * read again.
 *
 * - It is believed only for the very bytes of the log from which it was made, all of which were verified then: a change of a single one,
 *   by a writer or by damage, gives another digest.
 * - It is believed only by the build that made it, only whole, and only where nobody but its owner could have written it.
 * - It holds nothing that depends on the time, and nothing that `status` does not print. It may be removed at any time.
 */
export type SummaryFile = {
  readonly path: string;
  /** The rows that were kept for this log; undefined where there are none to be believed. */
  readonly read: (log: RestingLog) => readonly SummaryRow[] | undefined;
  /** Keeps rows; where that fails there are none next time. */
  readonly write: (log: RestingLog, rows: readonly SummaryRow[]) => void;
};

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const OTHERS_WRITE = 0o022;

/** The place for what is kept of the log with this name; undefined where the environment names no folder for such files. */
export function summaryFile(log: string, env: CliIo['env']): SummaryFile | undefined {
  const folder = cacheFolder(env);
  if (folder === undefined) return undefined;
  const path = join(folder, `${digestOf(log).slice(0, 32)}.summary`);
  return {
    path,
    read: (resting) => {
      try {
        return isOwn(path) ? rowsIn(readFileSync(path, 'utf8'), resting) : undefined;
      } catch {
        return undefined;
      }
    },
    write: (resting, rows) => {
      const made = `${path}.${process.pid}.new`;
      try {
        mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
        writeFileSync(made, textOf(resting, rows), { mode: OWNER_ONLY });
        renameSync(made, path);
      } catch {
        rmSync(made, { force: true });
      }
    },
  };
}

/** By the XDG Base Directory Specification, and where Windows keeps such files. */
function cacheFolder({ XDG_CACHE_HOME, HOME, LOCALAPPDATA }: CliIo['env']): string | undefined {
  const own = XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined;
  const usual = HOME === undefined || HOME === '' ? LOCALAPPDATA : join(HOME, '.cache');
  const base = own ?? usual;
  return base === undefined || base === '' ? undefined : join(base, 'swapfold');
}

/** Windows has neither owner nor mode; there the folder is the user's. */
function isOwn(path: string): boolean {
  const { uid, mode } = statSync(path);
  return process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_WRITE) === 0);
}

function textOf({ digest }: RestingLog, rows: readonly SummaryRow[]): string {
  const body = `${buildStamp()} ${digest}\n${JSON.stringify(rows)}`;
  return `${digestOf(body)} ${body}`;
}

function rowsIn(text: string, { digest }: RestingLog): readonly SummaryRow[] | undefined {
  const space = text.indexOf(' ');
  const body = text.slice(space + 1);
  const head = `${buildStamp()} ${digest}\n`;
  if (!body.startsWith(head) || digestOf(body) !== text.slice(0, space)) return undefined;
  return JSON.parse(body.slice(head.length)) as readonly SummaryRow[];
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
