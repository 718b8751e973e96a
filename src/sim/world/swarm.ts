import type { UnixSeconds } from '../../primitives/time.ts';
import type { Rng } from '../xorshift.ts';

/** Classes of faults, each of which a run has or lacks entirely. */
export const FAULT_CLASSES = [
  'crash',
  'storage',
  'clock',
  'messages',
  'partition',
  'silence',
  'pastView',
  'broadcast',
  'lie',
  'price',
  'censor',
  'revert',
  'reorg',
  'mempool',
  'rogue',
  'poor',
  'deaf',
  'orders',
  'finality',
  'timing',
] as const;

/** The same for {@link drawFurther}, which has its own generator. */
export const FURTHER_CLASSES = ['replacement', 'steps', 'watcherNode', 'scheme', 'warp', 'slow', 'shallow'] as const;

export type FaultClass = (typeof FAULT_CLASSES)[number] | (typeof FURTHER_CLASSES)[number];

/**
 * Which classes of faults a run has. If every run drew all of them, each would be rare, and two together rarer; with half of them off, the others
 * come at their full rate and meet.
 */
export type Swarm = {
  /** True in this many of a thousand cases, and never if the class is off. */
  readonly chance: (of: FaultClass, perMille: number) => boolean;
  /** Whether nothing goes wrong. */
  readonly calm: boolean;
};

const ONE_IN_CALM = 6;

/** Switches each class on or off. `trouble`: how much goes wrong, from 0 to 1. */
export function drawSwarm(
  rng: Rng,
  { trouble, classes = FAULT_CLASSES }: { readonly trouble: number; readonly classes?: readonly FaultClass[] },
): Swarm {
  const calm = rng.below(ONE_IN_CALM) === 0;
  const on = new Set<FaultClass>();
  for (const one of classes) if (rng.below(2) === 0) on.add(one);
  if (calm || trouble === 0) on.clear();
  return { calm, chance: (of, perMille) => on.has(of) && rng.below(1000) < perMille * trouble };
}

/** A stretch of time inside the life of a swap; seconds from the start. */
export function stretch(rng: Rng, span: number): { readonly from: UnixSeconds; readonly until: UnixSeconds } {
  const from = rng.below(2) === 0 ? rng.below(1500) : rng.below(span);
  const until = from + 30 + rng.below(rng.below(3) === 0 ? span / 2 : 1500);
  return { from: from as UnixSeconds, until: until as UnixSeconds };
}
