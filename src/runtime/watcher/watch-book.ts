import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { secretHashKey, transactionKey } from '../../events/things.ts';
import type { Watch } from '../../events/watcher.ts';
import type { Engine } from '../engine.ts';
import { isDamage, logUnavailable } from '../errors.ts';
import { readStream } from '../streams.ts';

/**
 * Which fees, payments and secret hashes a taker has asked this node to watch, over all watches of the log, also those that are
 * over. Each serves one swap of that taker. Keys of other takers stand apart: nobody can name a stranger's payment first and keep
 * its taker out.
 *
 * The watches of the log are read when the first message is to be taken, and not before.
 */
export type WatchBook = {
  /** @throws RuntimeError LOG_UNAVAILABLE */
  readonly complete: () => Promise<void>;
  /** Sets aside what a watch names. False, and nothing is set aside, where another swap of its taker has some of it. */
  readonly take: (watch: Watch) => boolean;
};

export function createWatchBook(engine: () => Engine): WatchBook {
  const swaps = new Map<string, string>();
  let reading: Promise<void> | null = null;
  const note = (watch: Watch): void => {
    for (const key of keysOf(watch)) if (!swaps.has(key)) swaps.set(key, watch.uuid);
  };
  const readAll = async (): Promise<void> => {
    for (const stream of await findWatches(engine())) {
      const [first] = await recordsOf(engine(), stream);
      const { watch } = (first?.data ?? {}) as { readonly watch?: Watch };
      if (watch !== undefined) note(watch);
    }
  };
  return {
    complete() {
      reading ??= readAll().catch((error: unknown) => {
        reading = null;
        throw error;
      });
      return reading;
    },
    take(watch) {
      const isFree = keysOf(watch).every((key) => (swaps.get(key) ?? watch.uuid) === watch.uuid);
      if (isFree) note(watch);
      return isFree;
    },
  };
}

function keysOf(watch: Watch): readonly string[] {
  const { taker_pub, secret_hash, taker_fee_hash, taker_payment_hash, maker_payment_hash } = watch;
  const hashes = [taker_fee_hash, taker_payment_hash, maker_payment_hash].map(transactionKey);
  return [secretHashKey(secret_hash), ...hashes].flatMap((key) => (key === null ? [] : [`${taker_pub} ${key}`]));
}

async function findWatches({ log }: Engine): Promise<readonly string[]> {
  try {
    return (await log.find({ machine: watcherDefinition.id })).map(({ stream }) => stream);
  } catch (error) {
    throw logUnavailable('all streams', error);
  }
}

async function recordsOf(engine: Engine, stream: string) {
  try {
    return await readStream(engine, stream);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}
