import { onLeg } from '../../primitives/pair.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { NodeFault } from '../chains/types.ts';
import { finalDepthOf } from './depths.ts';
import type { ChainName, Scenario } from './scenario.ts';
import type { World } from './world.ts';

/**
 * What the money rules rest on. A party that follows the protocol loses nothing while all of them hold for it; where one does not hold, a loss may be
 * its consequence, and the same run without that fault must show none.
 *
 * - `online`: the party runs in the margin before the deadline of its claim, except for at most a quarter of it.
 * - `ownNode`: its nodes answer in that margin, except for at most a quarter of it, and never lie before that deadline. On the chain of the claim,
 *   one of two that must agree is enough, whatever one alone said before.
 * - `inclusion`: the chain of the claim includes what pays the price of the day in that margin, except for at most a quarter of it.
 * - `depth`: no reorganization that removes something from a block is as deep as the confirmations that the party waited for.
 * - `clock`: its clock is within a minute of the truth.
 * - `fees`: its wallets keep what its claim and its refund cost at the price of the day, if the wallet pays for them.
 *
 * Absences, silences and exclusions count together: what is left of the margin is what the party has.
 */
export type Assumption = 'online' | 'ownNode' | 'inclusion' | 'depth' | 'clock' | 'fees';

export const ASSUMPTIONS: readonly Assumption[] = ['online', 'ownNode', 'inclusion', 'depth', 'clock', 'fees'];

/**
 * The published margin: a fifth of the lock duration, what the protocol leaves between a maker's last claim and the lock.
 *
 * @example
 * ```ts
 * import { publishedMargin } from 'swapfold/testing';
 *
 * publishedMargin(7800); // → 1560
 * publishedMargin(31_200); // → 6240
 * ```
 */
export function publishedMargin(lockDuration: Seconds): Seconds {
  return Math.floor(lockDuration / 5);
}

/** How much of the margin before a deadline a party, its nodes and the chain may miss together. */
export function allowedTrouble(lockDuration: Seconds): Seconds {
  return Math.floor(publishedMargin(lockDuration) / 4);
}

/** When a party was offline, in seconds from the start of the world; `until` is null for good. */
export type Absence = { readonly from: Seconds; readonly until: Seconds | null };

export type AssumptionInputs = {
  readonly party: 'maker' | 'taker';
  readonly world: Pick<World, 'scenario' | 'reorgs'>;
  readonly absences: readonly Absence[];
  /** When the run ended. */
  readonly end: Seconds;
  /** Whether anything was left to do then. */
  readonly isOpen: boolean;
  /** Lock of the other payment, which is the deadline of the own claim; null if it was never agreed. */
  readonly claimLock: Seconds | null;
  /** Lock of the own payment. */
  readonly ownLock: Seconds | null;
  /**
   * Since when its claim has waited in vain, on a chain where nothing that waits can be replaced: it keeps the price that it paid then.
   * @defaultValue null: no such claim
   */
  readonly stuckSince?: Seconds | null;
};

/** A stretch in which something was wrong, and the assumption that this gives up. */
type Trouble = {
  readonly of: Assumption;
  readonly from: Seconds;
  readonly until: Seconds;
  /** Whether it delays only the conclusion, and no claim. */
  readonly spares?: 'claim';
};

type Stretch = { readonly from: Seconds; readonly until: Seconds };

/** What a stretch is critical for. */
type Critical = Stretch & { readonly for: 'claim' | 'end' };

/**
 * Which assumptions a run gave up for a party.
 *
 * @example
 * ```ts
 * import { brokenAssumptions, clockAhead, scenario } from 'swapfold/testing';
 *
 * const run = { absences: [], end: 60_000, isOpen: false, claimLock: 15_600, ownLock: 7800 };
 * const world = { scenario: scenario(clockAhead('taker', 61)), reorgs: [] };
 * brokenAssumptions({ ...run, world, party: 'taker' }); // → ['clock']
 * brokenAssumptions({ ...run, world, party: 'maker' }); // → []
 * const late = { ...run, absences: [{ from: 15_000, until: null }] };
 * brokenAssumptions({ ...late, world, party: 'maker' }); // → ['online']
 * ```
 */
export function brokenAssumptions(inputs: AssumptionInputs): readonly Assumption[] {
  const { party, world } = inputs;
  if (isCalm(inputs)) return [];
  const broken = new Set<Assumption>();
  const { skew, jumps } = onLeg(world.scenario.parties, party);
  if ([skew, ...jumps.map((jump) => jump.skew)].some((ahead) => Math.abs(ahead) > 60)) broken.add('clock');
  if (couldNotPay(inputs)) broken.add('fees');
  const troubles = troublesOf(inputs);
  for (const stretch of criticalStretches(inputs)) {
    const found = troubles.filter(({ spares }) => spares !== stretch.for);
    if (covered(found, stretch) <= allowedTrouble(world.scenario.lockDuration)) continue;
    for (const { of, from, until } of found) if (until > stretch.from && from < stretch.until) broken.add(of);
  }
  if (wasLiedTo(inputs)) broken.add('ownNode');
  if (wasReorgedTooDeep(inputs)) broken.add('depth');
  return ASSUMPTIONS.filter((assumption) => broken.has(assumption));
}

/** Most runs contain nothing that could give up an assumption. */
function isCalm({ party, world, absences }: AssumptionInputs): boolean {
  const { chains, parties } = world.scenario;
  const { skew, jumps, nodes } = onLeg(parties, party);
  if (absences.length > 0 || world.reorgs.length > 0 || jumps.length > 0 || Math.abs(skew) > 60) return false;
  const faults = chains.maker.faults.length + chains.taker.faults.length;
  return faults + nodes.maker.length + nodes.taker.length === 0;
}

/** The margin before the deadline of the own claim; and if something is left to do, the time at the end in which it had to be done. */
function criticalStretches({ world, claimLock, ownLock, end, isOpen }: AssumptionInputs): readonly Critical[] {
  const margin = publishedMargin(world.scenario.lockDuration);
  const claim = claimLock === null ? [] : [{ from: claimLock - margin, until: claimLock, for: 'claim' as const }];
  return isOpen ? [...claim, { from: Math.max(ownLock ?? 0, end - 2 * margin), until: end, for: 'end' }] : claim;
}

function troublesOf({ party, world, absences, stuckSince = null }: AssumptionInputs): readonly Trouble[] {
  const { scenario } = world;
  const found: Trouble[] = absences.map(({ from, until }) => ({ of: 'online', from, until: until ?? Infinity }));
  const { nodes } = scenario.parties[party];
  for (const leg of ['maker', 'taker'] as const) {
    for (const fault of onLeg(nodes, leg)) {
      const spares = leg !== party && isHonestDoubt(fault) ? { spares: 'claim' as const } : {};
      found.push({ of: 'ownNode', from: fault.from, until: fault.until, ...spares });
    }
  }
  for (const leg of ['maker', 'taker'] as const) {
    const { faults } = onLeg(scenario.chains, leg);
    for (const fault of faults) {
      if (keepsOut(fault, { faults, other: leg !== party, stuckSince }))
        found.push({ of: 'inclusion', from: fault.from, until: fault.until });
    }
  }
  return found;
}

/**
 * Whether one server answers truthfully where two must agree. On the chain of the claim this excuses nobody: a side whose secret is public claims
 * anyway, and a side that alone knows it keeps it and refunds.
 */
export function isHonestDoubt(fault: NodeFault): boolean {
  return fault.kind === 'doubt' && fault.says === undefined && fault.keeps !== true;
}

type Faults = Scenario['chains'][ChainName]['faults'];

type Kept = { readonly faults: Faults; readonly other: boolean; readonly stuckSince: Seconds | null };

/** Whether a fault of a chain keeps a claim out of its blocks, or on the own chain the refund. */
function keepsOut(fault: Faults[number], { faults, other, stuckSince }: Kept): boolean {
  if (fault.kind === 'warp') return false;
  // A party pays the price of the day: a higher price keeps out only what has waited since a cheaper day and cannot be
  // replaced.
  if (fault.kind === 'feeSpike') return other && stuckSince !== null && stuckSince < fault.from;
  if (fault.kind === 'noReplacement') return faults.some(({ kind }) => kind === 'feeSpike');
  return fault.purposes.some((purpose) => (other ? purpose === 'claim' : purpose !== 'claim' && purpose !== 'fee'));
}

/** How long anything was wrong during a stretch. */
function covered(troubles: readonly Stretch[], { from, until }: Stretch): Seconds {
  const parts = troubles
    .map((one) => ({ from: Math.max(one.from, from), until: Math.min(one.until, until) }))
    .filter((one) => one.until > one.from)
    .sort((left, right) => left.from - right.from);
  let sum = 0;
  let reached = from;
  for (const part of parts) {
    sum += Math.max(0, part.until - Math.max(part.from, reached));
    reached = Math.max(reached, part.until);
  }
  return sum;
}

function wasLiedTo({ party, world, claimLock, end }: AssumptionInputs): boolean {
  const { nodes } = world.scenario.parties[party];
  const until = claimLock ?? end;
  return (['maker', 'taker'] as const).some((leg) =>
    onLeg(nodes, leg).some((fault) => fault.kind === 'lie' && fault.from < until),
  );
}

function wasReorgedTooDeep({ party, world }: AssumptionInputs): boolean {
  const { scenario, reorgs } = world;
  const plan = onLeg(scenario.parties, party);
  return reorgs.some(({ chain, depth }) => {
    return depth >= Math.min(finalDepthOf(scenario, plan, chain), Math.max(1, onLeg(scenario.confirmations, chain)));
  });
}

/** A wallet with little funds pays neither a rising price, nor a second time for what a block took without effect or a reorganization undid. */
function couldNotPay({ party, world }: AssumptionInputs): boolean {
  const { chains, parties } = world.scenario;
  return (['maker', 'taker'] as const).some((leg) => {
    if (onLeg(onLeg(parties, party).funds, leg) === null || onLeg(chains, leg).kind === 'utxo') return false;
    return onLeg(chains, leg).faults.length > 0 || world.reorgs.some(({ chain }) => chain === leg);
  });
}
