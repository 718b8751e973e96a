import { longestLook } from '../../../machines/watcher/deadlines.ts';
import type { Watch, WatchTiming } from '../../events/watcher.ts';
import type { Height, Seconds } from '../../primitives/time.ts';
import type { Leg } from '../command.ts';
import type { Loop } from '../loop/loop.ts';

/** For a chain without a stated block time: that of most chains. */
const USUAL_BLOCK_TIME: Seconds = 60;

/** Blocks come in bursts; no chain keeps its nominal time for a few hours. */
const AHEAD = 2;
const SLACK = 100;

/**
 * A watch whose chains are read from no earlier than its payments can be: by its lock duration, which is limited, and not by the block that the
 * sender names. Null if a chain that reports its height was never looked at.
 */
export function withinReach({ gates }: Loop, watch: Watch, timing: WatchTiming): Watch | null {
  const longest = longestLook(watch, timing);
  const startOf = (leg: Leg): number | null => {
    const named = leg === 'maker' ? watch.maker_coin_start_block : watch.taker_coin_start_block;
    const chain = gates.get(leg === 'maker' ? watch.maker_coin : watch.taker_coin)?.chain;
    if (chain?.height === undefined) return named;
    const height: Height | null = chain.height();
    if (height === null) return null;
    const { blockTime = USUAL_BLOCK_TIME } = chain.traits;
    return Math.max(named, height - SLACK - Math.ceil((AHEAD * longest) / blockTime), 0);
  };
  const [maker, taker] = [startOf('maker'), startOf('taker')];
  if (maker === null || taker === null) return null;
  if (maker === watch.maker_coin_start_block && taker === watch.taker_coin_start_block) return watch;
  return { ...watch, maker_coin_start_block: maker, taker_coin_start_block: taker };
}
