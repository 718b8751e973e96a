import { onLeg } from '../../../primitives/pair.ts';
import { hasPaid } from '../../chains/has-paid.ts';
import { unitsOf } from '../depths.ts';
import type { ChainName, ChainPlan } from '../scenario.ts';
import type { World } from '../world.ts';
import { type Promised, TARGET } from './rewards.ts';
import { otherLeg } from './truth.ts';

/** Gas for which a reward pays. */
const REWARD_GAS = 70_000n;

/** What a payment usually promises on a chain, in base units: that gas at the price of urgency 0. */
export function usualRewardOn({ feeRate }: Pick<ChainPlan, 'feeRate'>): bigint {
  return REWARD_GAS * BigInt(Math.ceil(feeRate ?? 1));
}

type Role = Pick<Promised, 'target' | 'onClaim'>;

/** To whom a payment may promise, by its payer and whether the other chain also pays rewards. */
function roleOf(leg: ChainName, otherPays: boolean): Role {
  if (leg === 'taker') return { target: otherPays ? TARGET.contract : TARGET.payer, onClaim: false };
  return otherPays ? { target: TARGET.nobody, onClaim: true } : { target: TARGET.claimer, onClaim: false };
}

/** What is wrong with what the payments of a party promise to watchers, as texts. */
export function promiseProblems(world: World, leg: ChainName): readonly string[] {
  const asked = leg === 'taker' ? askProblem(world) : null;
  const problems = onLeg(world.chains, leg)
    .ledger.transactions(leg)
    .flatMap(({ purpose, reward, hash }): readonly string[] => {
      if (purpose !== 'payment') return [];
      const problem = reward === undefined ? missing(world, leg) : wrong(world, leg, reward);
      return problem === null ? [] : [`the payment ${hash.slice(0, 12)} ${problem}`];
    });
  return asked === null ? problems : [asked, ...problems];
}

/** What the taker asks of the maker, in base units; null if it asks for nothing. */
function askedOf({ scenario, wire }: World): bigint | null {
  return wire.reward === null ? null : unitsOf(wire.reward, scenario.chains.maker.decimals);
}

function askProblem(world: World): string | null {
  const asked = askedOf(world);
  if (asked === null) return null;
  const { maker } = world.scenario.chains;
  if (!world.scenario.useWatchers || maker.rewards !== true) return `a reward of ${asked} is asked for, for nobody`;
  const usual = usualRewardOn(maker);
  return asked === usual ? null : `a reward of ${asked} is asked for where ${usual} is usual`;
}

function wrong(world: World, leg: ChainName, { target, onClaim, amount }: Promised): string | null {
  const { chains, useWatchers } = world.scenario;
  if (!useWatchers) return 'promises a reward though nobody wants watchers';
  const role = roleOf(leg, onLeg(chains, otherLeg(leg)).rewards === true);
  if (target !== role.target || onClaim !== role.onClaim)
    return `promises to ${targetText({ target, onClaim })} instead of ${targetText(role)}`;
  if (leg === 'taker' && chains.maker.rewards === true && !isPromised(world))
    return 'promises a reward though nobody can claim for its payer';
  const usual = usualRewardOn(onLeg(chains, leg));
  const asked = leg === 'maker' ? askedOf(world) : usual;
  if (asked === null) return 'promises a reward for which the taker did not ask';
  const due = bounded(asked, usual);
  return amount === due ? null : `promises ${amount} where ${due} are due`;
}

function targetText({ target, onClaim }: Role): string {
  return onClaim ? `${target} on a claim` : `${target}`;
}

/** Whether the maker's payment promises anything. */
function isPromised({ chains }: World): boolean {
  return chains.maker.ledger
    .transactions('maker')
    .some(({ purpose, reward }) => purpose === 'payment' && reward !== undefined);
}

/** No less than half of what is usual, and no more than twice of it. */
function bounded(asked: bigint, usual: bigint): bigint {
  const least = (usual + 1n) / 2n;
  if (asked < least) return least;
  return asked > 2n * usual ? 2n * usual : asked;
}

/** A party that was asked for a reward promises it; and a taker promises one if its own watchers can claim for it. */
function missing(world: World, leg: ChainName): string | null {
  const { scenario, nodes, chains } = world;
  const { maker, taker } = scenario.chains;
  const watchable = (plan: ChainPlan) => plan.kind === 'utxo' || plan.rewards === true;
  if (!scenario.useWatchers || onLeg(scenario.chains, leg).rewards !== true) return null;
  if (!watchable(maker) || !watchable(taker)) return null;
  if (leg === 'maker') {
    const asked = askedOf(world);
    return asked === null || world.wire.saidWithoutReward ? null : `promises nothing where ${asked} were asked for`;
  }
  // A node that does not answer leaves out what a watcher needs.
  if (nodes.taker.plan.nodes.maker.length > 0) return null;
  const canClaim = maker.rewards !== true || isPromised(world);
  return hasPaid(chains.maker, 'maker') && canClaim ? 'promises nothing though watchers can claim for its payer' : null;
}
