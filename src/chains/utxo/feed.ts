import type { ChainFeed } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import { millisOf, type Seconds } from '../../primitives/time.ts';
import type { UtxoReader } from './reader.ts';

export type FeedOptions = {
  readonly reader: UtxoReader;
  readonly clock: Clock;
  /** Between two looks for news. */
  readonly poll: Seconds;
  /** Whether it says something at every look. */
  readonly complete: boolean;
};

/** Looks for news again and again, sooner where the backend tells of them, and tells of what has changed. */
export function watchForNews(
  { reader, clock, poll, complete }: FeedOptions,
  onChange: Parameters<ChainFeed['subscribe']>[0],
): { readonly close: () => void } {
  let closed = false;
  let known: string | null = null;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    cancel();
    const tip = await reader.sync().catch(() => null);
    if (closed) return;
    const found = tip === null ? null : `${tip.hash} ${reader.index.version()}`;
    if (found === null) onChange('broken');
    else if (found !== known) onChange('changed');
    else if (complete) onChange('alive');
    known = found;
    cancel();
    cancel = clock.wakeAt(millisOf(clock.now() + poll * 1000), () => void look());
  };
  const news = reader.onNews?.(() => void look());
  void look();
  return {
    close() {
      closed = true;
      cancel();
      news?.close();
    },
  };
}
