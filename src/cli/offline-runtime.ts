import { existsSync } from 'node:fs';
import { openSqliteLog } from '../log/sqlite/index.ts';
import { createInProcessNetwork } from '../peers/in-process/index.ts';
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
  action: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  if (use === 'write' && !existsSync(path)) throw new UsageError(`There is no log ${path}.`);
  const log = await openSqliteLog({ path, readOnly: use === 'read' });
  const peers = createInProcessNetwork().peer('00'.repeat(32));
  const runtime = createRuntime({ log, chains: [], peers, clock: systemClock() });
  try {
    return await action(runtime);
  } finally {
    await runtime.drain();
  }
}
