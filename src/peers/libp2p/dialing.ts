import type { Clock, Random } from '../../ports/clock.ts';
import type { Millis } from '../../primitives/time.ts';
import type { PeerAddress } from './address.ts';
import type { Link } from './link.ts';

export type DialingOptions = {
  readonly clock: Clock;
  readonly random: Random;
  /** Milliseconds: the first pause, the longest, and how long a link must last for the pauses to start over. */
  readonly first: number;
  readonly longest: number;
  readonly lasting: number;
  readonly dial: (address: PeerAddress) => Promise<Link>;
  /** Called after each failure, with the milliseconds until the next try. */
  readonly onFailure: (address: PeerAddress, given: { readonly error: unknown; readonly pause: number }) => void;
  readonly onLink: (address: PeerAddress) => void;
};

/**
 * Keeps a link to an address: dials again when it ends or cannot be had, after pauses that double. A quarter of each pause is drawn, so that nodes do
 * not all come at once when a relay returns. The returned function ends it.
 */
export function keepDialing(address: PeerAddress, options: DialingOptions): () => void {
  const { clock, random, first, longest, lasting, dial, onFailure, onLink } = options;
  let cancel = (): void => {};
  let over = false;
  let pause = first;

  const again = (error: unknown): void => {
    if (over) return;
    const [drawn = 0] = random.bytes(1);
    const wait = Math.round(pause * (1 - drawn / 1024));
    pause = Math.min(longest, pause * 2);
    onFailure(address, { error, pause: wait });
    cancel = clock.wakeAt((clock.now() + wait) as Millis, () => void attempt());
  };
  const attempt = async (): Promise<void> => {
    try {
      const link = await dial(address);
      if (over) return;
      onLink(address);
      const since = clock.now();
      link.onEnd(() => {
        if (clock.now() - since >= lasting) pause = first;
        again(null);
      });
    } catch (error) {
      again(error);
    }
  };
  void attempt();
  return () => {
    over = true;
    cancel();
  };
}
