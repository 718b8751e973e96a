import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { machineOfRole, type Role } from '../events/catalog.ts';
import { logCut } from '../log/log-error.ts';
import { openSqliteLog, type SqliteLog } from '../log/sqlite/index.ts';
import { createInProcessNetwork } from '../peers/in-process/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Envelope } from '../primitives/envelope.ts';
import type { SwapfoldError } from '../primitives/error.ts';
import { type Millis, millisOf, toUnixSeconds, type UnixSeconds } from '../primitives/time.ts';
import { systemClock } from '../runtime/host/clock-system.ts';
import type { SwapStatus } from '../runtime/operate/status.ts';
import { createRuntime, type Runtime } from '../runtime/operate/supervisor.ts';
import { logPath, SIDES } from './demo/side.ts';
import { readWorldTime, worldPath } from './demo/world-file.ts';
import { type CliIo, UsageError } from './io.ts';
import { listed } from './render/text.ts';
import { detail } from './voice.ts';

/** What a command does to a log: `read` reads it, even while a node has it open; `write` needs exclusive access to an existing log. */
export type LogUse = 'read' | 'write';

export type OfflineOptions = {
  readonly path: string;
  readonly use: LogUse;
  readonly io: CliIo;
  /** Sees all records that are read of a stream, so that they need not be read again. */
  readonly onRead?: (stream: string, records: readonly Envelope[]) => void;
  /** Whether a stream is known without being read, so that the runtime does not list it. @defaultValue none is */
  readonly isKnown?: (stream: string) => boolean;
};

/** Lets a command work on a log without any chain: what it orders is carried out by the node that opens the log next. */
export async function withOfflineRuntime<T>(
  { path, use, io, ...watch }: OfflineOptions,
  action: (runtime: Runtime, log: SqliteLog) => Promise<T>,
): Promise<T> {
  if (use === 'write' && !existsSync(path)) throw new UsageError(`There is no log ${path}.`);
  // What only looks stamps nothing.
  const clock = use === 'read' ? systemClock() : clockOf(path);
  const log = await openSqliteLog({ path, readOnly: use === 'read' });
  detail(io, `opened the log ${path}`);
  const peers = createInProcessNetwork().peer('00'.repeat(32));
  const runtime = createRuntime({ log: seen(log, watch), chains: [], peers, clock });
  try {
    return await action(runtime, log);
  } finally {
    await runtime.drain();
  }
}

function seen(log: EventLog, { onRead, isKnown }: Pick<OfflineOptions, 'onRead' | 'isKnown'>): EventLog {
  const read: EventLog['read'] = async (stream, from) => {
    const records = await log.read(stream, from);
    if ((from ?? 0) === 0) onRead?.(stream, records);
    return records;
  };
  const find: EventLog['find'] = async (query) => {
    const found = await log.find(query);
    return isKnown === undefined ? found : found.filter(({ stream }) => !isKnown(stream));
  };
  return { ...log, read, find };
}

/** Why what a log says may be out of date; undefined where it holds all that was written to it. */
export function cutOf({ file, opening: { tail } }: SqliteLog): SwapfoldError | undefined {
  return tail === 'whole' ? undefined : logCut(file, tail);
}

/**
 * The clock of the chains of a log's swaps: the host's, or that of the simulated world next to the log. Records never
 * go back in time, so one record with the host's time would push all later ones of its stream out of that world.
 */
function clockOf(path: string): Clock {
  const log = resolve(path);
  const dir = dirname(log);
  const simulated = SIDES.some((side) => logPath(dir, side) === log);
  const start = simulated ? readWorldTime(worldPath(dir)) : null;
  return start === null ? systemClock() : clockFrom(start);
}

/** Now, by the clock of the chains of a log's swaps. */
export function momentOfLog(path: string): UnixSeconds {
  return toUnixSeconds(clockOf(path).now());
}

/** Goes on as the host's clock does, from another moment. */
function clockFrom(start: Millis): Clock {
  const host = systemClock();
  const ahead = start - host.now();
  return {
    now: () => millisOf(host.now() + ahead),
    wakeAt: (at, wake) => host.wakeAt(millisOf(Math.max(0, at - ahead)), wake),
  };
}

/** Swaps that a hint names, each whole, to be copied. */
const MOST_NAMED = 5;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The uuid of which the beginning was given, as tables show it.
 *
 * @throws UsageError when no swap of the log begins so, or several do.
 */
export async function uuidOf(log: EventLog, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  const streams = [...(await log.find({})), ...log.quarantined()].map(({ stream }) => stream);
  const uuids = new Set(streams.map((stream) => stream.slice(stream.indexOf('/') + 1)));
  const found = given === '' ? [] : [...uuids].filter((uuid) => uuid.startsWith(given.toLowerCase()));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new UsageError(
    found.length === 0
      ? `The log holds no swap ${given}.`
      : `${found.length} swaps begin with ${given}: ${listed(found, MOST_NAMED)}. Give more of it.`,
  );
}

/**
 * The sides of a swap that a command is about: all that the log holds, or that of a role.
 *
 * @throws UsageError when the log holds none of them.
 */
export function sidesOf(
  sides: readonly SwapStatus[],
  { uuid, role }: { readonly uuid: string; readonly role?: Role | undefined },
): readonly SwapStatus[] {
  if (sides.length === 0) throw new UsageError(`The log holds no swap ${uuid}.`);
  // Nobody knows whose side a stream that cannot be read is on, but by its name.
  const kept = role === undefined ? sides : sides.filter(({ stream }) => stream.startsWith(`${machineOfRole[role]}/`));
  if (kept.length > 0) return kept;
  throw new UsageError(`The log holds swap ${uuid}, but not the side of its ${role}.`);
}
