import { onLeg } from '../../primitives/pair.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { NodeFault } from '../chains/types.ts';
import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import type { ChainName, PartyPlan, Scenario } from './scenario.ts';

/** One run in this many may have chains on which too few servers answer; about a third of these do, only on UTXO chains. */
const DOUBTS_ONE_IN = 6;

const LIES = ['absent', 'spendHidden', 'refundable'] as const;

/** `trouble`: how much goes wrong, from 0 to 1. */
export type DoubtDraw = { readonly trouble: number; readonly adversaries: boolean };

/**
 * A drawn scenario with stretches in which a party has one server of two on a UTXO chain, often from before its claim until after the lock. They have
 * their own generator, so that everything else of a seed stays the same.
 */
export function drawDoubts(scenario: Scenario, { trouble, adversaries }: DoubtDraw): Scenario {
  const rng = xorshift32(Math.imul(scenario.seed + 1, 0x7feb_352d) ^ 0x68bc_21eb);
  if (trouble === 0 || rng.below(DOUBTS_ONE_IN) !== 0) return scenario;
  const { parties } = scenario;
  const doubted = (plan: PartyPlan): PartyPlan => {
    const nodes = (leg: ChainName) => [...onLeg(plan.nodes, leg), ...drawDoubt(rng, scenario, leg)];
    return { ...plan, nodes: { maker: nodes('maker'), taker: nodes('taker') } };
  };
  const isGreedy = rng.below(2) === 0 && adversaries;
  const drawn = { maker: doubted(parties.maker), taker: doubted(parties.taker) };
  // A taker that does not claim in time loses nothing to a maker that leaves its payment alone.
  const isHonest = drawn.maker.conduct.kind === 'honest' && drawn.taker.conduct.kind === 'honest';
  const maker: PartyPlan = isGreedy && isHonest ? { ...drawn.maker, conduct: { kind: 'greedy' } } : drawn.maker;
  return { ...scenario, parties: { maker, taker: drawn.taker } };
}

function drawDoubt(rng: Rng, { chains, lockDuration }: Scenario, leg: ChainName): readonly NodeFault[] {
  // Drawn anyway, so that the other leg of a seed does not depend on the kind of this one.
  const isThere = rng.below(2) === 0;
  const from: Seconds = rng.below(4) === 0 ? rng.below(2 * lockDuration) : 300 + rng.below(3000);
  const lock = leg === 'maker' ? 2 * lockDuration : lockDuration;
  const until = rng.below(3) === 0 ? from + 30 + rng.below(1500) : lock + rng.below(lockDuration);
  const lies = rng.below(3) === 0 ? { says: pick(rng, LIES) } : {};
  const keeps = rng.below(8) === 0 ? { keeps: true as const } : {};
  if (!isThere || onLeg(chains, leg).kind !== 'utxo' || until <= from) return [];
  return [{ kind: 'doubt', ...lies, ...keeps, from: from as UnixSeconds, until: until as UnixSeconds }];
}
