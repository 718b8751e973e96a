import { openSqliteLog } from '../log/sqlite/index.ts';
import { createInProcessNetwork } from '../peers/in-process/index.ts';
import { systemClock } from '../runtime/clock-system.ts';
import { createRuntime, type Runtime } from '../runtime/supervisor.ts';

/** Lets a command work on a log without any chain: what it orders is carried out by the node that opens the log next. */
export async function withOfflineRuntime<T>(path: string, action: (runtime: Runtime) => Promise<T>): Promise<T> {
  const log = await openSqliteLog({ path });
  const peers = createInProcessNetwork().peer('00'.repeat(32));
  const runtime = createRuntime({ log, chains: [], peers, clock: systemClock() });
  try {
    return await action(runtime);
  } finally {
    await runtime.drain();
  }
}
