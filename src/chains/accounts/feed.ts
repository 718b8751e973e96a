import type { ChainFeed } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import { millisOf, type Seconds } from '../../primitives/time.ts';

export type FeedOptions = {
  /** What there is to be seen now; null where nobody answers. */
  readonly seen: () => Promise<string | null>;
  readonly clock: Clock;
  /** Between two looks for news. */
  readonly poll: Seconds;
};

/** Looks for news again and again, and tells of what has changed. */
export function watchForNews(
  { seen, clock, poll }: FeedOptions,
  onChange: Parameters<ChainFeed['subscribe']>[0],
): { readonly close: () => void } {
  let closed = false;
  let known: string | null = null;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    const found = await seen();
    if (closed) return;
    if (found === null) onChange('broken');
    else if (found !== known) onChange('changed');
    known = found;
    cancel = clock.wakeAt(millisOf(clock.now() + poll * 1000), () => void look());
  };
  void look();
  return {
    close() {
      closed = true;
      cancel();
    },
  };
}
