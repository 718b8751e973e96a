import type { Chain, ChainFeed, FeedNews } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Millis, Seconds } from '../../primitives/time.ts';

export type CompleteFeedOptions = {
  readonly clock: Clock;
  /** The feed speaks twice in this time, in seconds. */
  readonly heartbeat: Seconds;
  /** Whether a notification is lost, against the promise. @defaultValue none is */
  readonly loses?: () => boolean;
  /** How late a notification comes, against the promise. @defaultValue at once */
  readonly delay?: () => Seconds;
};

type Listen = (news?: FeedNews) => void;

/** A chain whose feed reports every block on request, as simulated ones do. */
type Telling = Chain &
  ChainFeed & {
    subscribe(onChange: Listen, options?: { readonly everyBlock?: boolean }): { readonly close: () => void };
  };

/** The same chain, whose feed says repeatedly that it is complete. It is, unless options make it lose or delay notifications. */
export function completeFeed<C extends Telling>(chain: C, options: CompleteFeedOptions): C {
  const { clock, heartbeat, loses = () => false, delay = () => 0 } = options;
  const later = (milliseconds: number, run: () => void) => clock.wakeAt((clock.now() + milliseconds) as Millis, run);
  return {
    ...chain,
    traits: { ...chain.traits, feed: { heartbeat } },
    subscribe(onChange: Listen) {
      let open = true;
      const say = (news: FeedNews): void => {
        if (open) onChange(news);
      };
      const beat = (): void => {
        if (!open) return;
        say('alive');
        later(heartbeat * 500, beat);
      };
      const told = (): void => {
        if (loses()) return;
        const wait = delay() * 1000;
        if (wait === 0) say('changed');
        else later(wait, () => say('changed'));
      };
      const inner = chain.subscribe(told, { everyBlock: true });
      later(0, beat);
      return {
        close() {
          open = false;
          inner.close();
        },
      };
    },
  };
}
