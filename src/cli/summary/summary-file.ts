import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { CliIo } from '../io.ts';
import { buildStamp } from './build-stamp.ts';
import type { SummaryRow } from './summary-row.ts';
import { type SummaryWriter, summaryWriter } from './summary-writer.ts';

/** What was kept of a log. */
export type Summary = {
  /** A later row of a stream takes the place of an earlier one. */
  readonly rows: readonly SummaryRow[];
  /** Digest of the log of which these rows tell all; null where they may tell of a part, or of what a stream was before. */
  readonly whole: string | null;
};

/**
 * How the swaps of one log stand, kept in the user's folder for what can be made anew, so that records of which it is known
 * need not be read again.
 *
 * - A row is believed only for the records from which it was made: those that end with the same hash, in a log all of which was
 *   verified. All rows together are believed without that for the very bytes of the log which held these records: a change of
 *   a single one, by a writer or by damage, gives another digest.
 * - It is believed only by the build that made it, only whole, and only where nobody but its owner could have written it.
 * - It holds nothing that depends on the time, and nothing that `status` does not print but what swaps must not share. It may be removed at
 *   any time.
 */
export type SummaryFile = {
  readonly path: string;
  /** What was kept; undefined where there is nothing to be believed. */
  readonly read: () => Summary | undefined;
  /** Begins to keep other rows in the place of these. */
  readonly write: () => SummaryWriter;
};

const OTHERS_WRITE = 0o022;

/** The place for what is kept of the log with this name; undefined where the environment names no folder for such files. */
export function summaryFile(log: string, env: CliIo['env']): SummaryFile | undefined {
  const folder = cacheFolder(env);
  if (folder === undefined) return undefined;
  const path = join(folder, `${digestOf(log).slice(0, 32)}.summary`);
  return {
    path,
    read: () => {
      try {
        return isOwn(path) ? summaryIn(readFileSync(path, 'utf8')) : undefined;
      } catch {
        return undefined;
      }
    },
    write: () => summaryWriter(path, isOwn),
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

/** The build, a row a line, the digest of the log, and the digest of all before it. */
function summaryIn(text: string): Summary | undefined {
  const seal = text.lastIndexOf('\n') + 1;
  const [build, ...lines] = text.slice(0, seal).split('\n');
  if (build !== buildStamp() || digestOf(text.slice(0, seal)) !== text.slice(seal)) return undefined;
  const whole = lines.at(-2) ?? '';
  return { rows: lines.slice(0, -2).map((line) => JSON.parse(line) as SummaryRow), whole: whole === '' ? null : whole };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
