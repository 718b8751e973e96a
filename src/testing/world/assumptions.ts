import type { Seconds } from '../../primitives/time.ts';
import type { ChainName, PartyPlan, Scenario } from './scenario.ts';

/**
 * What the money rules rest on. A party that follows the protocol loses nothing while all of them hold for it; where one
 * does not hold, a loss is its consequence and not a fault of the engine.
 *
 * - `online`: the party runs again by the deadline of its claim less the margin, and stays.
 * - `ownNode`: its nodes answer, truly, from the margin before that deadline on, and never lie before.
 * - `inclusion`: the chain of the claim includes what pays the price of the day within the margin.
 * - `depth`: no reorg that takes something out of a block goes as deep as the confirmations that the party waited for.
 * - `clock`: its clock is within a minute of the truth.
 */
export type Assumption = 'online' | 'ownNode' | 'inclusion' | 'depth' | 'clock';

export const ASSUMPTIONS: readonly Assumption[] = ['online', 'ownNode', 'inclusion', 'depth', 'clock'];

/** The published margin: a fifth of the lock duration, what the protocol leaves between a maker's last claim and the lock. */
export function publishedMargin(lockDuration: Seconds): Seconds {
  return Math.floor(lockDuration / 5);
}

/** When a party was not there, in seconds from the start of the world; `until` is null for good. */
export type Absence = { readonly from: Seconds; readonly until: Seconds | null };

export type AssumptionInputs = {
  readonly party: 'maker' | 'taker';
  readonly scenario: Scenario;
  readonly absences: readonly Absence[];
  /** Those that took something out of a block. */
  readonly reorgs: readonly { readonly chain: ChainName; readonly depth: number }[];
  /** Lock of the other's payment, which is the deadline of the own claim; null when it was never agreed. */
  readonly claimLock: Seconds | null;
  /** Lock of the own payment. */
  readonly ownLock: Seconds | null;
};

/** Which assumptions a run gave up for a party. */
export function brokenAssumptions(inputs: AssumptionInputs): readonly Assumption[] {
  const { party, scenario } = inputs;
  const plan = scenario.parties[party];
  const broken: Assumption[] = [];
  if (Math.abs(plan.skew) > 60) broken.push('clock');
  if (wasAway(inputs)) broken.push('online');
  if (hadBadNodes(inputs, plan)) broken.push('ownNode');
  if (wasExcluded(inputs)) broken.push('inclusion');
  if (reorgedTooDeep(inputs)) broken.push('depth');
  return broken;
}

/** From when on a party must be there: the margin before the earlier of both locks that matter to it. */
function criticalFrom({ scenario, claimLock, ownLock }: AssumptionInputs): Seconds {
  const margin = publishedMargin(scenario.lockDuration);
  const lock = Math.min(
    claimLock ?? scenario.lockDuration,
    ownLock === null ? Number.POSITIVE_INFINITY : (claimLock ?? ownLock),
  );
  return lock - margin;
}

function wasAway(inputs: AssumptionInputs): boolean {
  const from = criticalFrom(inputs);
  return inputs.absences.some(({ until }) => until === null || until > from);
}

const HARMLESS_BEFORE: ReadonlySet<string> = new Set(['outage', 'flaky', 'lag', 'contradiction', 'broadcast']);

function hadBadNodes(inputs: AssumptionInputs, plan: PartyPlan): boolean {
  const from = criticalFrom(inputs);
  return (['maker', 'taker'] as const).some((chain) =>
    plan.nodes[chain].some((fault) => !HARMLESS_BEFORE.has(fault.kind) || fault.until > from),
  );
}

function wasExcluded(inputs: AssumptionInputs): boolean {
  const from = criticalFrom(inputs);
  const claimChain: ChainName = inputs.party === 'maker' ? 'taker' : 'maker';
  return inputs.scenario.chains[claimChain].faults.some((fault) => fault.until > from);
}

function reorgedTooDeep({ reorgs, scenario }: AssumptionInputs): boolean {
  const { chains, confirmations } = scenario;
  return reorgs.some(
    ({ chain, depth }) => depth >= Math.min(chains[chain].finality, Math.max(1, confirmations[chain])),
  );
}
