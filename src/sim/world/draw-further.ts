import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { NodeFault } from '../chains/types.ts';
import { pick, type Rng, xorshift32 } from '../xorshift.ts';
import { amountOf, unitsOf } from './depths.ts';
import { drawNodeFaults } from './draw-party.ts';
import type { ChainName, ChainPlan, Conduct, FinalityPlan, PartyPlan, Scenario, WatcherPlan } from './scenario.ts';
import { drawSwarm, FURTHER_CLASSES, type Swarm, stretch } from './swarm.ts';

/** `span`: lock of the maker's payment from the start. `trouble`: how much goes wrong, from 0 to 1. */
export type FurtherDraw = { readonly span: Seconds; readonly trouble: number; readonly adversaries: boolean };

/**
 * A drawn scenario with the classes of faults that were added later. They have their own generator, so that drawing them leaves the rest of a seed
 * the same.
 */
export function drawFurther(scenario: Scenario, { span, trouble, adversaries }: FurtherDraw): Scenario {
  if (trouble === 0) return scenario;
  const rng = xorshift32(Math.imul(scenario.seed + 1, 0xc2b2_ae35) ^ 0x27d4_eb2f);
  const swarm = drawSwarm(rng, { trouble, classes: FURTHER_CLASSES });
  const { chains, parties } = scenario;
  const honest = parties.maker.conduct.kind === 'honest' && parties.taker.conduct.kind === 'honest';
  const schemer = adversaries && honest && swarm.chance('scheme', 700) ? pick(rng, ['maker', 'taker'] as const) : null;
  const party = (plan: PartyPlan, name: ChainName): PartyPlan => ({
    ...plan,
    conduct: schemer === name ? drawScheme(rng, name) : plan.conduct,
    nodes: { maker: nodes(plan.nodes.maker), taker: nodes(plan.nodes.taker) },
    finality: {
      maker: drawSteps(rng, { swarm, scenario, leg: 'maker' }) ?? plan.finality.maker,
      taker: drawSteps(rng, { swarm, scenario, leg: 'taker' }) ?? plan.finality.taker,
    },
  });
  const chain = (plan: ChainPlan): ChainPlan => ({
    ...plan,
    faults: [...plan.faults, ...strict(rng, plan), ...warped(rng, plan)],
  });
  const strict = (from: Rng, { kind }: ChainPlan): ChainPlan['faults'] =>
    kind === 'utxo' && swarm.chance('replacement', 400) ? [{ kind: 'noReplacement', ...stretch(from, span) }] : [];
  const warped = (from: Rng, { kind }: ChainPlan): ChainPlan['faults'] => {
    if (kind === 'autoRefund' || !swarm.chance('warp', 500)) return [];
    // Miners of a chain with accounts are bound to a few seconds.
    const most = kind === 'utxo' ? pick(from, [600, 3600, 7200]) : 15;
    return [{ kind: 'warp', seconds: from.below(2 * most + 1) - most, ...stretch(from, span) }];
  };
  const nodes = (faults: readonly NodeFault[]): readonly NodeFault[] => [...faults, ...drawWaits(rng, { span, swarm })];
  const drawn = { maker: chain(chains.maker), taker: chain(chains.taker) };
  const watcher = scenario.watcher === null ? null : drawWatcher(rng, scenario.watcher, { span, swarm });
  return {
    ...scenario,
    chains: drawn,
    ...asked(scenario, watcher),
    parties: { maker: party(parties.maker, 'maker'), taker: party(parties.taker, 'taker') },
  };
}

/** Answers that take seconds, and adapters that have read little. */
function drawWaits(rng: Rng, { span, swarm }: { readonly span: Seconds; readonly swarm: Swarm }): readonly NodeFault[] {
  const faults: NodeFault[] = [];
  if (swarm.chance('slow', 400)) faults.push({ kind: 'slow', seconds: 1 + rng.below(15), ...stretch(rng, span) });
  if (swarm.chance('shallow', 400)) faults.push({ kind: 'shallow', blocks: 1 + rng.below(12), ...stretch(rng, span) });
  return faults;
}

function drawScheme(rng: Rng, name: ChainName): Conduct {
  switch (rng.below(name === 'maker' ? 6 : 4)) {
    case 0:
      return {
        kind: 'pin',
        what: pick(rng, ['payment', 'claim', 'refund']),
        children: pick(rng, [0, 2, 24]),
        seconds: pick(rng, [300, 2000, 9000]),
      };
    case 1:
      return { kind: 'replace', after: rng.below(90) };
    case 2:
      return { kind: 'rewrite', depth: 1 + rng.below(5) };
    case 3:
      return { kind: 'race' };
    case 4:
      return { kind: 'lastSecond', margin: rng.below(400) - 150 };
    default:
      return { kind: 'frontRun' };
  }
}

type StepsDraw = { readonly swarm: Swarm; readonly scenario: Scenario; readonly leg: ChainName };

/** Steps below, at and above the amount of the swap, in no order; null for none. */
function drawSteps(rng: Rng, { swarm, scenario, leg }: StepsDraw): FinalityPlan {
  if (!swarm.chance('steps', 400)) return null;
  const { decimals } = onLeg(scenario.chains, leg);
  const units = unitsOf(leg === 'maker' ? scenario.makerAmount : scenario.takerAmount, decimals);
  const froms: DecimalText[] = [];
  if (rng.below(4) > 0) froms.push(amountOf(units / 2n, decimals));
  if (rng.below(2) === 0) froms.push(amountOf(units, decimals));
  froms.push(amountOf(units + 1n, decimals));
  const steps = froms.map((from) => ({ from, depth: 1 + rng.below(6) }));
  return rng.below(2) === 0 ? steps : steps.reverse();
}

/**
 * One run in this many with a watcher has a taker like the real node's, whose chains need real transactions, because the watcher reads amounts from
 * them.
 */
const PLAIN = 20;

/** How a watcher is asked. Drawn separately, so that everything else of a seed stays the same. */
function asked({ seed, fidelity }: Scenario, watcher: WatcherPlan | null): Pick<Scenario, 'fidelity' | 'watcher'> {
  const isPlain = xorshift32(Math.imul(seed + 1, 0x1b87_3593) ^ 0x5bd1_e995).below(PLAIN) === 0;
  if (watcher === null || !isPlain) return { fidelity, watcher };
  return { fidelity: 'real', watcher: { ...watcher, plain: true } };
}

/** A watcher's nodes are at least as bad as anyone's: what goes wrong with them excuses nobody. */
function drawWatcher(
  rng: Rng,
  watcher: WatcherPlan,
  { span, swarm }: { readonly span: Seconds; readonly swarm: Swarm },
): WatcherPlan {
  if (!swarm.chance('watcherNode', 800)) return watcher;
  const faulty: Swarm = { calm: false, chance: (_, perMille) => rng.below(1000) < perMille };
  const nodes = () => drawNodeFaults(rng, { span: 2 * span, swarm: faulty });
  return { ...watcher, nodes: { maker: nodes(), taker: nodes() } };
}
