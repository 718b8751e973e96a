import { onLeg } from '../../primitives/pair.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { NodeFault } from '../chains/types.ts';
import { allowedTrouble, isHonestDoubt } from './assumptions.ts';
import { finalDepthOf } from './depths.ts';
import type { ChainEvent, ChainName, ChainPlan, Conduct, CrashPlan, PartyPlan, Scenario } from './scenario.ts';

type Party = 'maker' | 'taker';

/**
 * The same scenario, with all troubles kept within what the money rules assume, so that no party has an excuse: absences are short, faults of nodes
 * and chains end before the margins begin, nobody lies, clocks stay within a minute, wallets can pay, and no reorganization is as deep as what anyone
 * waited for.
 */
export function boundedScenario(scenario: Scenario): Scenario {
  const { chains, parties } = scenario;
  const end = lastMoment(scenario, 'maker');
  return {
    ...scenario,
    chains: { maker: boundedChain(chains.maker, end), taker: boundedChain(chains.taker, end) },
    parties: {
      maker: boundedParty(scenario, parties.maker, 'maker'),
      taker: boundedParty(scenario, parties.taker, 'taker'),
    },
    chainEvents: scenario.chainEvents.flatMap((event) => boundedEvent(scenario, event)),
  };
}

/** When all trouble of a party must be over: with room to spare before the margin of its claim, more if a chain counts blocks. */
function lastMoment({ lockDuration, chains }: Scenario, party: Party): Seconds {
  const counts = chains.maker.kind === 'autoRefund' || chains.taker.kind === 'autoRefund';
  const [ordinary, counted] = party === 'maker' ? [0.7, 0.45] : [1.7, 1.2];
  return Math.floor(lockDuration * (counts ? counted : ordinary));
}

type During = { readonly from: UnixSeconds; readonly until: UnixSeconds };

/** Cut off at that moment; what would begin after it begins before it instead. */
function within<T extends During>(fault: T, end: Seconds): T {
  const from = fault.from < end - 30 ? fault.from : fault.from % (end - 30);
  const until = Math.min(fault.until, end, from + (fault.until - fault.from));
  return { ...fault, from: from as UnixSeconds, until: Math.max(until, from + 1) as UnixSeconds };
}

function boundedChain(plan: ChainPlan, end: Seconds): ChainPlan {
  if (plan.faults.length === 0) return plan;
  return { ...plan, faults: plan.faults.map((fault) => within(fault, end)) };
}

function boundedParty(scenario: Scenario, plan: PartyPlan, party: Party): PartyPlan {
  const end = lastMoment(scenario, party);
  const honest = (leg: ChainName) => (fault: NodeFault) => {
    if (fault.kind === 'lie') return [];
    // Having one server of two on the chain of the claim is no excuse, however long it lasts.
    return [leg !== party && isHonestDoubt(fault) ? fault : within(fault, end)];
  };
  return {
    ...plan,
    conduct: boundedConduct(scenario, plan.conduct, party),
    jumps: plan.jumps.map(({ at, skew }) => ({ at, skew: skew % 30 })),
    funds: {
      maker: boundedFunds(scenario, plan, 'maker'),
      taker: boundedFunds(scenario, plan, 'taker'),
    },
    crashes: shortCrashes(plan.crashes, allowedTrouble(scenario.lockDuration)),
    nodes: { maker: plan.nodes.maker.flatMap(honest('maker')), taker: plan.nodes.taker.flatMap(honest('taker')) },
  };
}

/** A party that cannot undo a block without going too deep takes its payment back before a block holds it. */
function boundedConduct(scenario: Scenario, conduct: Conduct, party: Party): Conduct {
  if (conduct.kind !== 'rewrite') return conduct;
  const depth = Math.min(conduct.depth, shallowest(scenario, party) - 1);
  return depth < 1 ? { kind: 'replace', after: conduct.depth } : { kind: 'rewrite', depth };
}

function boundedFunds({ chains, chainEvents }: Scenario, { funds }: PartyPlan, leg: ChainName) {
  const { kind, faults } = onLeg(chains, leg);
  const quiet = faults.length === 0 && chainEvents.every(({ chain }) => chain !== leg);
  return kind === 'utxo' || quiet ? onLeg(funds, leg) : null;
}

/** All of them together leave half of what the party may miss. */
function shortCrashes(crashes: readonly CrashPlan[], allowed: Seconds): readonly CrashPlan[] {
  const most = Math.floor(allowed / 2 / Math.max(1, crashes.length));
  return crashes.map(({ at, when, downFor }) => ({ at, when, downFor: downFor % most }));
}

function boundedEvent(scenario: Scenario, event: ChainEvent): readonly ChainEvent[] {
  if (event.kind !== 'reorg') return [event];
  const most = shallowest(scenario, event.chain) - 1;
  return most < 1 ? [] : [{ ...event, depth: Math.min(event.depth, most) }];
}

/** The least depth for which anyone waits on a chain. */
function shallowest(scenario: Scenario, chain: ChainName): number {
  const { confirmations, parties } = scenario;
  return Math.min(
    Math.max(1, onLeg(confirmations, chain)),
    finalDepthOf(scenario, parties.maker, chain),
    finalDepthOf(scenario, parties.taker, chain),
  );
}
