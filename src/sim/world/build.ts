import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Lie, NetworkFault, NodeFault } from '../chains/types.ts';
import { checkName, checkScenario } from './check-scenario.ts';
import {
  type ChainName,
  type Conduct,
  type CrashPlan,
  calmScenario,
  type PartyPlan,
  type Scenario,
  type StorageFault,
} from './scenario.ts';

/** A change of a scenario: one thing that goes wrong. */
export type ScenarioChange = (scenario: Scenario) => Scenario;

/** A stretch of time, in seconds from the start of the world: from the first moment on, and no longer at the second. */
export type Stretch = { readonly from: Seconds; readonly until: Seconds };

type Party = 'maker' | 'taker';
type WithoutTimes<T> = T extends unknown ? Omit<T, 'from' | 'until'> : never;

/**
 * A scenario in which only what is named goes wrong, in the order given: members of a scenario, or changes such as
 * {@link crashAt} and {@link reorgAt}.
 *
 * @throws TypeError for a member that there is not or that is missing, RangeError for a value out of bounds.
 */
export function scenario(...changes: readonly (ScenarioChange | Partial<Scenario>)[]): Scenario {
  return checkScenario(changed(calmScenario(), changes));
}

/** A scenario with the given changes, whatever comes of them. */
export function changed(from: Scenario, changes: readonly (ScenarioChange | Partial<Scenario>)[]): Scenario {
  let made = from;
  for (const change of changes) made = typeof change === 'function' ? change(made) : { ...made, ...change };
  return made;
}

function withParty(name: Party, change: (plan: PartyPlan) => Partial<PartyPlan>): ScenarioChange {
  checkName(name, 'party');
  return (scenario) => {
    const plan = scenario.parties[name];
    return { ...scenario, parties: { ...scenario.parties, [name]: { ...plan, ...change(plan) } } };
  };
}

/** The party's process dies at its numbered command, counted from 1, and comes back. */
export function crashAt(party: Party, crash: CrashPlan): ScenarioChange {
  return withParty(party, ({ crashes }) => ({ crashes: [...crashes, crash] }));
}

/** The party's log answers with an error at its numbered command, which must be an append. */
export function storageFaultAt(party: Party, fault: StorageFault): ScenarioChange {
  return withParty(party, ({ storage }) => ({ storage: [...storage, fault] }));
}

/** The party's clock is ahead by so many seconds; behind for a negative number. */
export function clockAhead(party: Party, skew: Seconds): ScenarioChange {
  return withParty(party, () => ({ skew }));
}

/** The party breaks the protocol. */
export function conductOf(party: Party, conduct: Conduct): ScenarioChange {
  return withParty(party, () => ({ conduct }));
}

/** Something is wrong with the node that the party asks for one chain. */
export function faultyNode(
  party: Party,
  { chain, from, until, ...fault }: { readonly chain: ChainName } & Stretch & WithoutTimes<NodeFault>,
): ScenarioChange {
  checkName(chain, 'chain');
  const during = { from: from as UnixSeconds, until: until as UnixSeconds };
  return withParty(party, ({ nodes }) => ({
    nodes: { ...nodes, [chain]: [...nodes[chain], { ...fault, ...during } as NodeFault] },
  }));
}

/** The party's node for one chain, or for both, answers nothing. */
export function outage(party: Party, { chain, ...during }: { readonly chain?: ChainName } & Stretch): ScenarioChange {
  const chains: readonly ChainName[] = chain === undefined ? ['maker', 'taker'] : [chain];
  const changes = chains.map((name) => faultyNode(party, { chain: name, kind: 'outage', ...during }));
  return (scenario) => changes.reduce((made: Scenario, change) => change(made), scenario);
}

/** The party is away: its nodes answer nothing, and no message reaches it. */
export function awayDuring(party: Party, during: Stretch): ScenarioChange {
  return (scenario) => {
    const { network, ...rest } = outage(party, during)(scenario);
    return { ...rest, network: { ...network, partitions: [...network.partitions, { to: party, ...during }] } };
  };
}

/** The party's node for one chain says what is not so. */
export function lyingNode(
  party: Party,
  { says, ...rest }: { readonly chain: ChainName; readonly says: Lie } & Stretch,
): ScenarioChange {
  return faultyNode(party, { ...rest, kind: 'lie', says });
}

/** Something is wrong with a whole network: fees rise, miners leave transactions out, or they fail when included. */
export function faultyNetwork(
  chain: ChainName,
  { from, until, ...fault }: Stretch & WithoutTimes<NetworkFault>,
): ScenarioChange {
  checkName(chain, 'chain');
  const during = { from: from as UnixSeconds, until: until as UnixSeconds };
  return ({ chains, ...scenario }) => {
    const plan = chains[chain];
    const faults = [...plan.faults, { ...fault, ...during } as NetworkFault];
    return { ...scenario, chains: { ...chains, [chain]: { ...plan, faults } } };
  };
}

/** The chain's last blocks are replaced; with `drop`, what stood in them does not come back by itself. */
export function reorgAt(
  chain: ChainName,
  { at, depth, drop = false }: { readonly at: Seconds; readonly depth: number; readonly drop?: boolean },
): ScenarioChange {
  return (scenario) => ({
    ...scenario,
    chainEvents: [...scenario.chainEvents, { kind: 'reorg', chain, at, depth, drop }],
  });
}

/** Everything that waits for a block is forgotten by the chain's nodes. */
export function dropMempoolAt(chain: ChainName, at: Seconds): ScenarioChange {
  return (scenario) => ({ ...scenario, chainEvents: [...scenario.chainEvents, { kind: 'dropMempool', chain, at }] });
}
