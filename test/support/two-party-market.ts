import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { MarketWorld } from '../../src/sim/market/market.ts';
import type { Process } from '../../src/sim/market/process.ts';
import { calmMarket, calmParty, calmSwap, type Market, type MarketParty } from '../../src/sim/market/scenario.ts';

/** What a party has of both coins, in unequal numbers of coins. */
export function funds(doc: string, marty: string): MarketParty['funds'] {
  return { DOC: { amount: doc as DecimalText, coins: 6 }, MARTY: { amount: marty as DecimalText, coins: 5 } };
}

/** One swap in which bob is the taker. */
export function twoPartyMarket(bob: Partial<MarketParty> = {}, changes: Partial<Market> = {}): Market {
  return calmMarket({
    parties: [calmParty('alice', funds('31', '29')), calmParty('bob', funds('28', '33'), bob)],
    swaps: [calmSwap({ maker: 'alice', taker: 'bob' })],
    ...changes,
  });
}

/** The node of a party. @throws TypeError for a name that nobody has. */
export function processOf({ processes }: MarketWorld, name: string): Process {
  const found = processes.find(({ party }) => party.name === name);
  if (found === undefined) throw new TypeError(name);
  return found;
}
