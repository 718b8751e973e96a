import type { Seconds } from '../../primitives/time.ts';
import { type Rng, xorshift32 } from '../xorshift.ts';
import { troubleOf } from './focus.ts';
import type { PartyPlan, Scenario } from './scenario.ts';

/** The n-th variation of a scenario: one more thing goes wrong, or the same things go wrong at other moments. */
export function variedScenario(
  scenario: Scenario,
  { n, adversaries }: { readonly n: number; readonly adversaries: boolean },
): Scenario {
  const rng = xorshift32(Math.imul(scenario.seed + 1, 0x9e37_79b1) ^ Math.imul(n, 0x85eb_ca6b));
  switch (rng.below(4)) {
    case 0:
      return moved(scenario, rng);
    case 1:
      return rearranged(scenario, rng);
    default:
      return troubleOf(rng, scenario, { adversaries });
  }
}

/** Everything that happens at one moment happens earlier or later. */
function moved(scenario: Scenario, rng: Rng): Scenario {
  const by = rng.below(scenario.lockDuration) - Math.floor(scenario.lockDuration / 2);
  const at = <T extends { readonly at: Seconds }>(one: T): T => ({ ...one, at: Math.max(0, one.at + by) });
  const during = <T extends { readonly from: Seconds; readonly until: Seconds }>(one: T): T => {
    const from = Math.max(0, one.from + by);
    return { ...one, from, until: from + (one.until - one.from) };
  };
  const party = (plan: PartyPlan): PartyPlan => ({
    ...plan,
    jumps: plan.jumps.map(at),
    orders: plan.orders.map(at),
    nodes: { maker: plan.nodes.maker.map(during), taker: plan.nodes.taker.map(during) },
  });
  const { chains, parties, network } = scenario;
  return {
    ...scenario,
    chains: {
      maker: { ...chains.maker, faults: chains.maker.faults.map(during) },
      taker: { ...chains.taker, faults: chains.taker.faults.map(during) },
    },
    parties: { maker: party(parties.maker), taker: party(parties.taker) },
    network: { ...network, partitions: network.partitions.map(during) },
    chainEvents: scenario.chainEvents.map(at),
  };
}

/** Crashes and errors of logs at other commands. */
function rearranged(scenario: Scenario, rng: Rng): Scenario {
  const by = rng.below(21) - 10;
  const at = <T extends { readonly at: number }>(one: T): T => ({ ...one, at: Math.max(1, one.at + by) });
  const party = (plan: PartyPlan): PartyPlan => ({
    ...plan,
    crashes: plan.crashes.map(at),
    storage: plan.storage.map(at),
  });
  const { parties } = scenario;
  return { ...scenario, parties: { maker: party(parties.maker), taker: party(parties.taker) } };
}
