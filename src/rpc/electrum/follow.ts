import type { Tip, UtxoReader } from '../../chains/utxo/reader.ts';
import type { Clock } from '../../ports/clock.ts';
import { millisOf } from '../../primitives/time.ts';

export type FollowOptions = {
  readonly reader: UtxoReader;
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly pollMs: number;
  /** Called after every look that found something new, and again after the next look if it throws. */
  readonly onNews: (tip: Tip) => Promise<void>;
  /** Called after every look: with why it failed, or null. */
  readonly onLook: (failure: unknown) => void;
};

/** Follows the chain, so that what was read is consistent whenever no look is under way. */
export type Follower = {
  /** Ends when no look is under way, however the last one ended. */
  settled(): Promise<void>;
  /** Looks at once, at nothing older than this call. @throws BackendSilent */
  look(): Promise<void>;
  tip(): Tip;
  close(): void;
};

/** @throws BackendSilent where the first look finds no daemon */
export async function follow({ reader, clock, pollMs, onNews, onLook }: FollowOptions): Promise<Follower> {
  let tip = await reader.sync();
  let known = '';
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  let cancel = (): void => {};
  const one = async (): Promise<void> => {
    tip = await reader.sync();
    const found = `${tip.hash} ${reader.index.version()}`;
    if (closed || found === known) return;
    await onNews(tip);
    known = found;
  };
  const look = (): Promise<void> => {
    const mine = one();
    last = Promise.allSettled([last, mine]);
    return mine;
  };
  const tick = async (): Promise<void> => {
    await look().then(() => onLook(null), onLook);
    if (!closed) cancel = clock.wakeAt(millisOf(clock.now() + pollMs), () => void tick());
  };
  void tick();
  return {
    settled: () => last.then(() => undefined),
    look,
    tip: () => tip,
    close() {
      closed = true;
      cancel();
    },
  };
}
