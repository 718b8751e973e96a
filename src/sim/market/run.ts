// Not the global one: a suite that fakes its timers would wait forever.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EPOCH } from '../world/scenario.ts';
import type { MarketWorld } from './market.ts';

/**
 * Runs a market until nobody drives a swap any more, or to its horizon.
 *
 * @example
 * ```ts
 * import { calmMarket, createMarket, runMarket } from 'swapfold/testing';
 *
 * const world = createMarket(calmMarket());
 * await runMarket(world);
 * const balance = (coin: string) => world.chains.get(coin)?.ledger.balance('bob').confirmed ?? 0n;
 * [balance('DOC') < 2_500_000_000n, balance('MARTY') > 6_000_000_000n]; // → [true, true]
 * ```
 */
export async function runMarket(world: MarketWorld): Promise<void> {
  const { timeline, until } = world;
  await settled(world);
  for (let next = timeline.queue.pop(); next !== undefined && next.at <= until; next = timeline.queue.pop()) {
    timeline.now = next.at;
    world.steps += 1;
    next.item();
    if (timeline.stirred) await settled(world);
    if ((world.steps & 63) === 0 && isOver(world)) return;
  }
}

/** Lets every promise settle that can, before time moves. */
async function settled({ timeline }: MarketWorld): Promise<void> {
  while (timeline.stirred) {
    timeline.stirred = false;
    await nextTurn();
  }
}

/** Whether everything planned has happened, and nobody who follows the protocol has anything left to do. */
function isOver({ timeline, market, processes }: MarketWorld): boolean {
  const at = timeline.now / 1000 - EPOCH;
  if (market.swaps.some((swap) => swap.at + swap.takerLater >= at)) return false;
  if (market.chainEvents.some((event) => event.at >= at)) return false;
  return processes.every(({ party, runtime, life }) => {
    if (party.conduct.kind !== 'honest') return true;
    return !life.over && runtime?.sizes().runners === 0;
  });
}
