import type { UnixSeconds } from '../../primitives/time.ts';
import { MAX_AHEAD } from './blocks.ts';

/**
 * The time of a new block: the given one, else the world's, else the least allowed.
 *
 * @throws RangeError if the given time is not above the bound, or more than two hours ahead of the world.
 */
export function blockTimeOf(
  wanted: UnixSeconds | undefined,
  { above, now }: { readonly above: UnixSeconds; readonly now: UnixSeconds },
): UnixSeconds {
  if (wanted === undefined) return now > above ? now : ((above + 1) as UnixSeconds);
  if (!(wanted > above)) throw new RangeError(`a block's time must be above ${above}, and ${wanted} is not`);
  if (wanted > now + MAX_AHEAD) {
    throw new RangeError(`a block's time may be ${MAX_AHEAD} s ahead of ${now}, and ${wanted} is more`);
  }
  return wanted;
}
