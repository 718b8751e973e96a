import type { Market, MarketParty } from './scenario.ts';

/** A market in which nothing goes wrong, so that any failure shows a fault of the engine or of this kit. */
export function isCalm(market: Market): boolean {
  const { network, partitions, chainEvents, coins, parties } = market;
  const quiet =
    network.lossPerMille === 0 && network.latency[1] <= 5 && partitions.length === 0 && chainEvents.length === 0;
  const chains = coins.every(
    ({ faults, blockClock, blockTime }) => faults.length === 0 && blockClock === 'true' && blockTime <= 120,
  );
  return (
    quiet &&
    chains &&
    parties.every((party) => isCalmParty(party)) &&
    market.swaps.every(({ takerLater }) => takerLater <= 30)
  );
}

function isCalmParty({ conduct, skew, jumps, nodes, latency, crashes, storage, orders, feeds }: MarketParty): boolean {
  const sound = conduct.kind === 'honest' && skew === 0 && jumps.length === 0 && feeds;
  const still = Object.values(nodes).flat().length === 0 && Object.values(latency).every(([, most]) => most <= 2);
  return sound && still && crashes.length === 0 && storage.length === 0 && orders.length === 0;
}
