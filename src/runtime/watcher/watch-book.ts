import { longestReach, watchTimes } from '../../../machines/watcher/deadlines.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { secretHashKey, transactionKey } from '../../events/things.ts';
import type { Watch, WatchTiming } from '../../events/watcher.ts';
import { type Millis, millisOf, type Seconds, toMillis } from '../../primitives/time.ts';
import { isDamage, logUnavailable } from '../errors.ts';
import type { Loop } from '../loop/loop.ts';
import { readStream } from '../loop/streams.ts';

/**
 * Which fees, payments and secret hashes a taker has asked this node to watch, including finished watches. Each serves one swap of that taker. Other
 * takers' keys are separate: nobody can name a stranger's payment first and keep its taker out. The book forgets a watch once its fee would be too
 * old for any other swap.
 *
 * It reads the watches of the log only before it takes the first message.
 */
export type WatchBook = {
  /** @throws RuntimeError LOG_UNAVAILABLE */
  readonly complete: () => Promise<void>;
  /** Reserves what a watch names. False, without reserving anything, if another swap of its taker has part of it. */
  readonly take: (watch: Watch) => boolean;
  /** What the book remembers. */
  readonly size: () => number;
};

export function createWatchBook(loop: () => Loop, timing: WatchTiming): WatchBook {
  const swaps = new Map<string, Noted>();
  let reading: Promise<void> | null = null;
  const reach = (): Seconds => longestReach(timing, loop().policy.paymentLocktime);
  const note = (watch: Watch): void => {
    const until = toMillis(watchTimes(watch, timing).expiresAt) + reach() * 1000;
    if (until <= loop().clock.now()) return;
    for (const key of keysOf(watch)) if (!swaps.has(key)) swaps.set(key, { uuid: watch.uuid, until });
  };
  const forget = (): void => {
    const now = loop().clock.now();
    for (const [key, { until }] of swaps) if (until <= now) swaps.delete(key);
  };
  const readAll = async (): Promise<void> => {
    const from = loop().clock.now() - 2 * reach() * 1000;
    for (const stream of await findWatches(loop(), millisOf(Math.max(0, from)))) {
      const [first] = await recordsOf(loop(), stream);
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
      forget();
      const isFree = keysOf(watch).every((key) => (swaps.get(key)?.uuid ?? watch.uuid) === watch.uuid);
      if (isFree) note(watch);
      return isFree;
    },
    size: () => swaps.size,
  };
}

type Noted = { readonly uuid: string; readonly until: number };

function keysOf(watch: Watch): readonly string[] {
  const { taker_pub, secret_hash, taker_fee_hash, taker_payment_hash, maker_payment_hash } = watch;
  const hashes = [taker_fee_hash, taker_payment_hash, maker_payment_hash].map(transactionKey);
  return [secretHashKey(secret_hash), ...hashes].flatMap((key) => (key === null ? [] : [`${taker_pub} ${key}`]));
}

async function findWatches({ log }: Loop, from: Millis): Promise<readonly string[]> {
  try {
    return (await log.find({ machine: watcherDefinition.id, from })).map(({ stream }) => stream);
  } catch (error) {
    throw logUnavailable('all streams', error);
  }
}

async function recordsOf(loop: Loop, stream: string) {
  try {
    return await readStream(loop, stream);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}
