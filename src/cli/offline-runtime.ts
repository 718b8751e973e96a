import { existsSync } from 'node:fs';
import { openSqliteLog } from '../log/sqlite/index.ts';
import { createInProcessNetwork } from '../peers/in-process/index.ts';
import type { EventLog } from '../ports/event-log.ts';
import { systemClock } from '../runtime/clock-system.ts';
import { createRuntime, type Runtime } from '../runtime/supervisor.ts';
import { UsageError } from './io.ts';

/**
 * What a command does to a log: `read` looks beside a node that has it open; `write` needs it for itself and wants it to exist;
 * `make` makes it where there is none.
 */
export type LogUse = 'read' | 'write' | 'make';

/** Lets a command work on a log without any chain: what it orders is carried out by the node that opens the log next. */
export async function withOfflineRuntime<T>(
  { path, use }: { readonly path: string; readonly use: LogUse },
  action: (runtime: Runtime, log: EventLog) => Promise<T>,
): Promise<T> {
  if (use === 'write' && !existsSync(path)) throw new UsageError(`There is no log ${path}.`);
  const log = await openSqliteLog({ path, readOnly: use === 'read' });
  const peers = createInProcessNetwork().peer('00'.repeat(32));
  const runtime = createRuntime({ log, chains: [], peers, clock: systemClock() });
  try {
    return await action(runtime, log);
  } finally {
    await runtime.drain();
  }
}

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
      : `${found.length} swaps begin with ${given}; give more of it.`,
  );
}
