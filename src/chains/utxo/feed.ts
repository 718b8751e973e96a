import type { ChainFeed } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import { millisOf, type Seconds } from '../../primitives/time.ts';
import type { ChainIndex, UtxoReader } from './reader.ts';

export type FeedOptions = {
  readonly reader: Pick<UtxoReader, 'sync' | 'onNews'> & { readonly index: Pick<ChainIndex, 'version'> };
  readonly clock: Clock;
  /** Between two looks for news. */
  readonly poll: Seconds;
  /** Whether it says something at every look. */
  readonly complete: boolean;
};

/** Between two looks that backends call for, in milliseconds. One that calls all the time must not have the others asked all the time. */
const LEAST_MS = 1000;

/**
 * Looks for news again and again, sooner where the backend tells of them, and tells of what has changed. One look at a time: calls meanwhile cause one
 * look after it.
 */
export function watchForNews(
  { reader, clock, poll, complete }: FeedOptions,
  onChange: Parameters<ChainFeed['subscribe']>[0],
): { readonly close: () => void } {
  let closed = false;
  let known: string | null = null;
  let isLooking = false;
  let isCalled = false;
  let lookedAt = 0;
  let cancel = (): void => {};
  const wait = (until: number): void => {
    cancel();
    cancel = clock.wakeAt(millisOf(until), () => void look());
  };
  const look = async (): Promise<void> => {
    cancel();
    isLooking = true;
    isCalled = false;
    lookedAt = clock.now();
    const tip = await reader.sync().catch(() => null);
    isLooking = false;
    if (closed) return;
    const found = tip === null ? null : `${tip.hash} ${reader.index.version()}`;
    if (found === null) onChange('broken');
    else if (found !== known) onChange('changed');
    else if (complete) onChange('alive');
    known = found;
    if (isCalled) soon();
    else wait(clock.now() + poll * 1000);
  };
  const soon = (): void => {
    if (clock.now() - lookedAt >= LEAST_MS) void look();
    else wait(lookedAt + LEAST_MS);
  };
  const call = (): void => {
    if (closed || isCalled) return;
    isCalled = true;
    if (!isLooking) soon();
  };
  const news = reader.onNews?.(call);
  void look();
  return {
    close() {
      closed = true;
      cancel();
      news?.close();
    },
  };
}
