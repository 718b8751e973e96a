import type { SimChainKind } from '../chains/types.ts';
import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import { boundedScenario } from './bounded.ts';
import { checkDrawing } from './check-options.ts';
import { drawApart } from './draw-apart.ts';
import { drawAmount, drawChain, drawChainEvents } from './draw-chain.ts';
import { drawDoubts } from './draw-doubt.ts';
import { drawFurther } from './draw-further.ts';
import { drawParty } from './draw-party.ts';
import { drawRewards } from './draw-rewards.ts';
import { focusedScenario } from './focus.ts';
import { misledScenario } from './misled.ts';
import { type CrashPlan, type Partition, type Scenario, soundWatcher } from './scenario.ts';
import { partsOfSeed } from './seeds.ts';
import { drawSwarm, type Swarm, stretch } from './swarm.ts';
import { variedScenario } from './vary.ts';

export type GenerateOptions = {
  /** Kinds of chain to draw from. @defaultValue all */
  readonly kinds?: readonly SimChainKind[];
  /** Whether parties may break the protocol. @defaultValue true */
  readonly adversaries?: boolean;
  /** How much goes wrong: 0 for nothing, 1 for the usual amount. @defaultValue 1 */
  readonly trouble?: number;
  /** Whether a run may violate what the money rules assume. @defaultValue true; fewer than half of them do */
  readonly excuses?: boolean;
};

const KINDS: readonly SimChainKind[] = ['utxo', 'account', 'autoRefund'];

/** One run in this many is led where the others seldom get. */
const FOCUSED_ONE_IN = 8;

/** One in this many of the runs that may give up anything leads a party to repeat what has no effect. */
const MISLED_ONE_IN = 40;

/** How many of eight other runs give no party an excuse. */
const BOUNDED_OF_EIGHT = 5;

/**
 * A scenario from a seed: chains, clocks, faults, crashes and conduct. Each seed has about half of the classes of faults, which then come often; more
 * than half of the seeds keep them within what the money rules assume, so that nothing is excused. Equal seeds give equal scenarios, and a scenario
 * names the seed from which it was drawn. A seed from 2^32 on names a variation of another.
 *
 * @example
 * ```ts
 * import { generateScenario } from 'swapfold/testing';
 *
 * const { seed, parties } = generateScenario(17, { adversaries: false });
 * [seed, parties.maker.conduct.kind, parties.taker.conduct.kind]; // → [17, 'honest', 'honest']
 * JSON.stringify(generateScenario(17)) === JSON.stringify(generateScenario(17)); // → true
 * generateScenario(0.5); // throws MemberValueError
 * ```
 */
export function generateScenario(seed: number, options: GenerateOptions = {}): Scenario {
  checkDrawing(seed, options);
  const { root, variations } = partsOfSeed(seed);
  const drawn = rootScenario(root, options);
  if (variations.length === 0) return drawn.scenario;
  const { adversaries = true } = options;
  const varied = variations.reduce((from, n) => variedScenario(from, { n, adversaries }), drawn.scenario);
  return { ...(drawn.bounded ? boundedScenario(varied) : varied), seed };
}

type Drawn = { readonly scenario: Scenario; readonly bounded: boolean };

function rootScenario(seed: number, options: GenerateOptions): Drawn {
  const drawn = drawScenario(seed, options);
  const { kinds, adversaries = true, trouble = 1, excuses = true } = options;
  const rng = xorshift32(Math.imul(seed + 1, 0x85eb_ca6b) ^ 0x1b87_3593);
  const focused = rng.below(FOCUSED_ONE_IN) === 0;
  const bounded = { scenario: boundedScenario(drawn), bounded: true };
  if (!excuses) return bounded;
  const asUsual = kinds === undefined && adversaries && trouble === 1;
  if (asUsual && focused) return { scenario: focusedScenario(drawn, rng), bounded: false };
  if (rng.below(8) < BOUNDED_OF_EIGHT) return bounded;
  // With its own generator, so that all other seeds stay the same.
  const misled = xorshift32(Math.imul(seed + 1, 0x2c1b_3c6d) ^ 0x297a_2d39);
  const isMisled = asUsual && misled.below(MISLED_ONE_IN) === 0;
  return { scenario: isMisled ? misledScenario(drawn, misled) : drawn, bounded: false };
}

function drawScenario(seed: number, options: GenerateOptions): Scenario {
  const rng = xorshift32(Math.imul(seed + 1, 0x9e37_79b1) ^ 0x5bd1_e995);
  const { kinds = KINDS, adversaries = true, trouble = 1 } = options;
  const lockDuration = pick(rng, [7800, 7800, 7800, 31_200]);
  const span = lockDuration * 2;
  const swarm = drawSwarm(rng, { trouble });
  const chains = {
    maker: drawChain(rng, { name: 'maker', kinds, span, swarm }),
    taker: drawChain(rng, { name: 'taker', kinds, span, swarm }),
  };
  const amounts = { maker: drawAmount(rng, chains.maker), taker: drawAmount(rng, chains.taker) };
  const rogue = adversaries && swarm.chance('rogue', 500) ? pick(rng, ['maker', 'taker'] as const) : null;
  const party = { chains, amounts, span, swarm };
  const drawn: Scenario = {
    seed,
    fidelity: 'compact',
    chains,
    makerAmount: amounts.maker,
    takerAmount: amounts.taker,
    lockDuration,
    confirmations: { maker: rng.below(5), taker: rng.below(5) },
    requiresNota: {
      maker: chains.maker.notariseEvery !== null && rng.below(2) === 0,
      taker: chains.taker.notariseEvery !== null && rng.below(2) === 0,
    },
    first: pick(rng, ['maker', 'taker']),
    ...watching(rng, swarm),
    parties: {
      maker: drawParty(rng, { name: 'maker', rogue: rogue === 'maker', ...party }),
      taker: drawParty(rng, { name: 'taker', rogue: rogue === 'taker', ...party }),
    },
    network: {
      latency: [0, pick(rng, [0, 1, 3, 10])],
      lossPerMille: swarm.chance('messages', 400) ? rng.below(500) : 0,
      duplicatePerMille: swarm.chance('messages', 400) ? rng.below(500) : 0,
      partitions: swarm.chance('partition', 400) ? [drawPartition(rng, span)] : [],
    },
    chainEvents: drawChainEvents(rng, { span, swarm }),
    // Every lock has passed, with hours to spare for the last refund to become final.
    horizon: span * 2 + 40_000,
  };
  const further = drawFurther(drawn, { span, trouble: swarm.calm ? 0 : trouble, adversaries });
  const apart = drawApart(further, { trouble: swarm.calm ? 0 : trouble });
  const doubted = drawDoubts(apart, { trouble: swarm.calm ? 0 : trouble, adversaries });
  return drawRewards(doubted, { trouble: swarm.calm ? 0 : trouble, adversaries });
}

function drawPartition(rng: Rng, span: number): Partition {
  return { to: pick(rng, ['maker', 'taker']), ...stretch(rng, span) };
}

/** Who is watched, and by whom: half of those who ask for watchers find one. */
function watching(rng: Rng, swarm: Swarm): Pick<Scenario, 'useWatchers' | 'watcher'> {
  const useWatchers = rng.below(3) === 0;
  if (!useWatchers || rng.below(2) === 0) return { useWatchers, watcher: null };
  const crashes: readonly CrashPlan[] = swarm.chance('crash', 300)
    ? [{ at: 1 + rng.below(20), when: pick(rng, ['before', 'after']), downFor: rng.below(3000) }]
    : [];
  return { useWatchers, watcher: { ...soundWatcher(), crashes } };
}
