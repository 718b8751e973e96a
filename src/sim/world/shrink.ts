import type { PartyPlan, Scenario } from './scenario.ts';
import { withScripts } from './script-amounts.ts';

/**
 * The shortest schedule that still shows the same: it leaves out one thing at a time until nothing more can go. `shows` runs a scenario and says
 * whether it still shows it.
 *
 * @example
 * ```ts
 * import { clockAhead, crashAt, reorgAt, runScenario } from 'swapfold/testing';
 * import { scenario, shrinkScenario } from 'swapfold/testing';
 *
 * const crash = crashAt('taker', { at: 9, when: 'after', downFor: 300 });
 * const full = scenario(clockAhead('maker', 7), crash, reorgAt('taker', { at: 400, depth: 1 }));
 * const least = shrinkScenario(full, (simpler) => runScenario(simpler).faults.has('crash'));
 * [least.parties.taker.crashes.length, least.parties.maker.skew, least.chainEvents]; // → [1, 0, []]
 * ```
 */
export function shrinkScenario(scenario: Scenario, shows: (candidate: Scenario) => boolean): Scenario {
  let current = scenario;
  for (;;) {
    const smaller = simplerScenarios(current).find(shows);
    if (smaller === undefined) return current;
    current = smaller;
  }
}

function* simpler<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length > 1) yield [];
  for (let index = 0; index < list.length; index += 1) yield list.filter((_, at) => at !== index);
}

/**
 * Scenarios that each lack one trouble, the largest steps first.
 *
 * @example
 * ```ts
 * import { clockAhead, reorgAt, scenario, simplerScenarios } from 'swapfold/testing';
 *
 * const full = scenario(clockAhead('maker', 7), reorgAt('taker', { at: 400, depth: 1 }));
 * const simpler = simplerScenarios(full);
 * simpler.map(({ chainEvents: [event], parties }) => `${event?.kind} ${parties.maker.skew}`); // → [
 * //   'undefined 7',
 * //   'reorg 0',
 * //   'reorg 7',
 * // ]
 * simpler.map(({ network }) => network.latency[1]); // → [2, 2, 0]
 * ```
 */
export function simplerScenarios(scenario: Scenario): readonly Scenario[] {
  const { parties, chains, network, chainEvents } = scenario;
  const found: Scenario[] = [];
  for (const events of simpler(chainEvents)) found.push({ ...scenario, chainEvents: events });
  for (const chain of ['maker', 'taker'] as const) {
    for (const faults of simpler(chains[chain].faults)) {
      found.push({ ...scenario, chains: { ...chains, [chain]: { ...chains[chain], faults } } });
    }
    if (chains[chain].kind !== 'utxo') {
      found.push(withScripts(scenario, chain));
    }
  }
  for (const name of ['maker', 'taker'] as const) {
    for (const plan of simplerPlans(parties[name])) found.push({ ...scenario, parties: { ...parties, [name]: plan } });
  }
  for (const partitions of simpler(network.partitions))
    found.push({ ...scenario, network: { ...network, partitions } });
  if (network.lossPerMille > 0) found.push({ ...scenario, network: { ...network, lossPerMille: 0 } });
  if (network.duplicatePerMille > 0) found.push({ ...scenario, network: { ...network, duplicatePerMille: 0 } });
  if (network.latency[1] > 0) found.push({ ...scenario, network: { ...network, latency: [0, 0] } });
  for (const leg of ['maker', 'taker'] as const) {
    if (scenario.requiresNota[leg])
      found.push({ ...scenario, requiresNota: { ...scenario.requiresNota, [leg]: false } });
  }
  if (scenario.useWatchers) found.push({ ...scenario, useWatchers: false, watcher: null });
  if (scenario.watcher !== null) {
    found.push({ ...scenario, watcher: null });
    const { late, absent, greedy, ...usual } = scenario.watcher;
    if (late !== undefined || absent !== undefined || greedy !== undefined) found.push({ ...scenario, watcher: usual });
  }
  return found;
}

function simplerPlans(plan: PartyPlan): readonly PartyPlan[] {
  const found: PartyPlan[] = [];
  if (plan.conduct.kind !== 'honest') found.push({ ...plan, conduct: { kind: 'honest' } });
  for (const crashes of simpler(plan.crashes)) found.push({ ...plan, crashes });
  for (const storage of simpler(plan.storage)) found.push({ ...plan, storage });
  if (plan.skew !== 0) found.push({ ...plan, skew: 0 });
  for (const jumps of simpler(plan.jumps)) found.push({ ...plan, jumps });
  for (const orders of simpler(plan.orders)) found.push({ ...plan, orders });
  if (plan.keyPerSwap) found.push({ ...plan, keyPerSwap: false });
  if (plan.timing !== null) found.push({ ...plan, timing: null });
  for (const chain of ['maker', 'taker'] as const) {
    if (plan.funds[chain] !== null) found.push({ ...plan, funds: { ...plan.funds, [chain]: null } });
    if (plan.finality[chain] !== null) found.push({ ...plan, finality: { ...plan.finality, [chain]: null } });
    if (!plan.pushes[chain]) found.push({ ...plan, pushes: { ...plan.pushes, [chain]: true } });
    const { completeFeeds } = plan;
    if (completeFeeds[chain] !== null) found.push({ ...plan, completeFeeds: { ...completeFeeds, [chain]: null } });
  }
  for (const chain of ['maker', 'taker'] as const) {
    for (const faults of simpler(plan.nodes[chain])) found.push({ ...plan, nodes: { ...plan.nodes, [chain]: faults } });
  }
  return found;
}
