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

/** A stretch of time, in seconds from the start of the world: from the first moment until just before the second. */
export type Stretch = { readonly from: Seconds; readonly until: Seconds };

type Party = 'maker' | 'taker';
type WithoutTimes<T> = T extends unknown ? Omit<T, 'from' | 'until'> : never;

/**
 * A scenario in which only the given troubles occur, in the given order: members of a scenario, or changes such as {@link crashAt} and {@link
 * reorgAt}.
 *
 * @throws TypeError for a member that there is not or that is missing, RangeError for a value out of bounds.
 *
 * @example
 * ```ts
 * import { conductOf, crashAt, runScenario, scenario } from 'swapfold/testing';
 *
 * const conduct = { kind: 'vanish', after: 'MakerPaymentSent', backAfter: null } as const;
 * const crash = crashAt('taker', { at: 12, when: 'before', downFor: 60 });
 * const rough = scenario({ lockDuration: 3600 }, conductOf('maker', conduct), crash);
 * const { endings } = runScenario(rough);
 * endings.map(({ party, money }) => `${party} ${money}`); // → ['maker locked', 'taker refunded']
 * scenario({ lockDuration: -1 }); // throws MemberValueError
 * ```
 */
export function scenario(...changes: readonly (ScenarioChange | Partial<Scenario>)[]): Scenario {
  return checkScenario(changed(calmScenario(), changes));
}

/** A scenario with the given changes, without checks. */
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

/**
 * The party's process dies at its numbered command, counted from 1, and restarts.
 *
 * @example
 * ```ts
 * import { crashAt, runScenario, scenario } from 'swapfold/testing';
 *
 * const crash = { at: 9, when: 'after', downFor: 300 } as const;
 * const { endings, faults } = runScenario(scenario(crashAt('taker', crash)));
 * endings.map(({ money, restarts }) => `${money} ${restarts}`); // → ['swapped 0', 'swapped 1']
 * faults.has('crash'); // → true
 * ```
 */
export function crashAt(party: Party, crash: CrashPlan): ScenarioChange {
  return withParty(party, ({ crashes }) => ({ crashes: [...crashes, crash] }));
}

/**
 * The party's log answers with an error at its numbered command, which must be an append.
 *
 * @example
 * ```ts
 * import { runScenario, scenario, storageFaultAt } from 'swapfold/testing';
 *
 * const fault = storageFaultAt('maker', { at: 3, how: 'unanswered' });
 * const { endings, faults, unfired } = runScenario(scenario(fault));
 * [faults.has('storage'), unfired, endings[0]?.money]; // → [true, [], 'swapped']
 * ```
 */
export function storageFaultAt(party: Party, fault: StorageFault): ScenarioChange {
  return withParty(party, ({ storage }) => ({ storage: [...storage, fault] }));
}

/**
 * The party's clock is this many seconds ahead; behind for a negative number.
 *
 * @example
 * ```ts
 * import { clockAhead, runScenario, scenario } from 'swapfold/testing';
 *
 * const { endings, notices } = runScenario(scenario(clockAhead('taker', 3 * 3600)));
 * endings.map(({ money }) => money); // → ['untouched', 'untouched']
 * notices.length; // → 1
 * ```
 */
export function clockAhead(party: Party, skew: Seconds): ScenarioChange {
  return withParty(party, () => ({ skew }));
}

/**
 * The party breaks the protocol.
 *
 * @example
 * ```ts
 * import { conductOf, runScenario, scenario } from 'swapfold/testing';
 *
 * const greedy = scenario(conductOf('maker', { kind: 'greedy' }));
 * const { endings, violations } = runScenario(greedy);
 * greedy.parties.maker.conduct; // → { kind: 'greedy' }
 * [violations, endings[1]?.money]; // → [[], 'swapped']
 * ```
 */
export function conductOf(party: Party, conduct: Conduct): ScenarioChange {
  return withParty(party, () => ({ conduct }));
}

/**
 * The node that the party asks about one chain has a fault.
 *
 * @example
 * ```ts
 * import { faultyNode, runScenario, scenario } from 'swapfold/testing';
 *
 * const flaky = { chain: 'maker', kind: 'flaky', oneIn: 3, from: 0, until: 5000 } as const;
 * const { endings, faults } = runScenario(scenario(faultyNode('taker', flaky)));
 * faults.has('flaky'); // → true
 * endings.map(({ money }) => money); // → ['swapped', 'swapped']
 * ```
 */
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

/**
 * The party's node for one chain, or for both, does not answer.
 *
 * @example
 * ```ts
 * import { outage, runScenario, scenario } from 'swapfold/testing';
 *
 * const silent = scenario(outage('maker', { chain: 'taker', from: 600, until: 1800 }));
 * const { endings, violations } = runScenario(silent);
 * [endings.map(({ money }) => money), violations]; // → [['swapped', 'swapped'], []]
 * ```
 */
export function outage(party: Party, { chain, ...during }: { readonly chain?: ChainName } & Stretch): ScenarioChange {
  const chains: readonly ChainName[] = chain === undefined ? ['maker', 'taker'] : [chain];
  const changes = chains.map((name) => faultyNode(party, { chain: name, kind: 'outage', ...during }));
  return (scenario) => changes.reduce((made: Scenario, change) => change(made), scenario);
}

/**
 * The party is offline: its nodes do not answer, and no message reaches it.
 *
 * @example
 * ```ts
 * import { awayDuring, runScenario, scenario } from 'swapfold/testing';
 *
 * const away = scenario(awayDuring('taker', { from: 120, until: 2000 }));
 * away.network.partitions; // → [{ to: 'taker', from: 120, until: 2000 }]
 * const { endings, violations } = runScenario(away);
 * [violations, endings.map(({ money }) => money)]; // → [[], ['swapped', 'swapped']]
 * ```
 */
export function awayDuring(party: Party, during: Stretch): ScenarioChange {
  return (scenario) => {
    const { network, ...rest } = outage(party, during)(scenario);
    return { ...rest, network: { ...network, partitions: [...network.partitions, { to: party, ...during }] } };
  };
}

/**
 * The party's node for one chain lies.
 *
 * @example
 * ```ts
 * import { lyingNode, runScenario, scenario } from 'swapfold/testing';
 *
 * const lie = { chain: 'maker', says: 'confirmed', from: 0, until: 9000 } as const;
 * const { faults, violations } = runScenario(scenario(lyingNode('taker', lie)));
 * [faults.has('lie'), violations]; // → [true, []]
 * ```
 */
export function lyingNode(
  party: Party,
  { says, ...rest }: { readonly chain: ChainName; readonly says: Lie } & Stretch,
): ScenarioChange {
  return faultyNode(party, { ...rest, kind: 'lie', says });
}

/**
 * Something is wrong with a whole network: fees rise, miners leave transactions out, or they fail when included.
 *
 * @example
 * ```ts
 * import { faultyNetwork, runScenario, scenario } from 'swapfold/testing';
 *
 * const spike = faultyNetwork('maker', { kind: 'feeSpike', factor: 20, from: 0, until: 9000 });
 * const { faults, violations } = runScenario(scenario(spike));
 * [faults.has('feeSpike'), violations]; // → [true, []]
 * ```
 */
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

/**
 * New blocks replace the chain's last blocks; with `drop`, what they held does not return automatically.
 *
 * @example
 * ```ts
 * import { reorgAt, runScenario, scenario } from 'swapfold/testing';
 *
 * const { endings, faults } = runScenario(scenario(reorgAt('maker', { at: 200, depth: 2 })));
 * faults.has('reorg'); // → true
 * endings.map(({ money }) => money); // → ['swapped', 'swapped']
 * ```
 */
export function reorgAt(
  chain: ChainName,
  { at, depth, drop = false }: { readonly at: Seconds; readonly depth: number; readonly drop?: boolean },
): ScenarioChange {
  return (scenario) => ({
    ...scenario,
    chainEvents: [...scenario.chainEvents, { kind: 'reorg', chain, at, depth, drop }],
  });
}

/**
 * The chain's nodes forget everything that waits for a block.
 *
 * @example
 * ```ts
 * import { dropMempoolAt, scenario } from 'swapfold/testing';
 *
 * scenario(dropMempoolAt('taker', 600)).chainEvents; // → [
 * //   { kind: 'dropMempool', chain: 'taker', at: 600 },
 * // ]
 * ```
 */
export function dropMempoolAt(chain: ChainName, at: Seconds): ScenarioChange {
  return (scenario) => ({ ...scenario, chainEvents: [...scenario.chainEvents, { kind: 'dropMempool', chain, at }] });
}
