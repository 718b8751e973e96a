import { openSqliteLog, type SqliteLog } from '../log/sqlite/index.ts';
import { createSwapKeeper, type SwapKeeper } from '../runtime/operate/keep-swaps.ts';
import type { CliIo } from './io.ts';
import { createFilling } from './summary/filling.ts';
import { detail } from './voice.ts';

export type SwapKeeperOptions = {
  readonly path: string;
  readonly io: CliIo;
  /** Size of a log in bytes from which on it is kept how its swaps stand. @defaultValue that of some 400 swaps */
  readonly keepFrom?: number | undefined;
};

/** Lets a command take swaps into a log, which is created if it does not exist. Nothing is driven meanwhile. */
export async function withSwapKeeper<T>(
  { path, io, keepFrom }: SwapKeeperOptions,
  action: (keep: SwapKeeper, log: SqliteLog) => Promise<T>,
): Promise<T> {
  const filling = createFilling(path, { io, least: keepFrom });
  const log = await openSqliteLog({ path });
  detail(io, `opened the log ${path}`);
  try {
    filling.begin(log);
    return await action(createSwapKeeper({ log, onKept: filling.add, onUnsure: filling.drop }), log);
  } finally {
    await log.close().catch((error: unknown) => {
      filling.drop();
      throw error;
    });
    filling.end();
  }
}
