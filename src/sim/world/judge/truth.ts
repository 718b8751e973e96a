import { onLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import type { PaymentState } from '../../chains/types.ts';
import { finalDepthOf } from '../depths.ts';
import type { SimNode } from '../node.ts';
import { type ChainName, EPOCH } from '../scenario.ts';
import type { World } from '../world.ts';
import type { AgreedPayment, Agreement } from './agreement.ts';

/** One honest party at one moment, with the truth about its swap. */
export type Scene = {
  readonly world: World;
  readonly node: SimNode;
  readonly agreement: Agreement;
};

/** Seconds from the start of the world. */
export function secondsOf({ now }: Pick<World, 'now'>): Seconds {
  return Math.floor(now / 1000) - EPOCH;
}

export function otherLeg(leg: ChainName): ChainName {
  return leg === 'maker' ? 'taker' : 'maker';
}

/** Where the payment of a leg stands on its chain. */
export function truthOf({ world, agreement }: Scene, leg: ChainName): PaymentState {
  return onLeg(world.chains, leg).ledger.payment(onLeg(agreement, leg).terms);
}

/** Why a payment does not count as confirmed; null if it does. */
export function unconfirmed(
  world: World,
  leg: ChainName,
  { agreed, state }: { readonly agreed: AgreedPayment; readonly state: PaymentState },
): string | null {
  const depth = deepest(state);
  const { confirmations, requiresNota } = agreed;
  if (depth < confirmations) return `the ${leg} payment has ${depth} of ${confirmations} confirmations`;
  if (requiresNota && !isNotarised(world, leg, depth)) return `the ${leg} payment is not notarised`;
  return null;
}

/** Confirmations of the deepest funding; 0 if there is none. */
export function deepest({ fundings }: PaymentState): number {
  let depth = 0;
  for (const { confirmations } of fundings) if (confirmations > depth) depth = confirmations;
  return depth;
}

/** A notarized block holds it or lies above it; blocks are notarized at each height that the distance divides. */
function isNotarised({ scenario, chains }: World, leg: ChainName, depth: number): boolean {
  const { notariseEvery } = onLeg(scenario.chains, leg);
  if (notariseEvery === null || depth === 0) return false;
  const tip = onLeg(chains, leg).height();
  return Math.floor(tip / notariseEvery) * notariseEvery > tip - depth;
}

/** Confirmations after which the end of a payment is final for this party. */
export function finalityOf({ world, node }: Scene, leg: ChainName): number {
  return finalDepthOf(world.scenario, node.plan, leg);
}

/** Whether the clock of a chain lets the sender refund a payment. If blocks count, the chain does so automatically. */
export function canGoBack({ world, agreement }: Scene, leg: ChainName): boolean {
  const chain = onLeg(world.chains, leg);
  const { lock } = onLeg(agreement, leg).terms;
  if (chain.kind === 'autoRefund') return false;
  return chain.kind === 'utxo' ? chain.clock() > lock : chain.clock() >= lock;
}

/** Whether a spend is as deep as final. */
export function isFinal(scene: Scene, leg: ChainName, how: 'secret' | 'refund'): boolean {
  const { spend } = truthOf(scene, leg);
  return spend?.how === how && spend.confirmations >= finalityOf(scene, leg);
}

/**
 * Whether what a party saw of a chain since a moment may differ from the truth now through no fault of its own: its node lied or lagged, or blocks
 * were replaced. Outages and errors mislead nobody, because they are not answers.
 */
export function wasMisled({ world, node }: Pick<Scene, 'world' | 'node'>, leg: ChainName, since: Seconds): boolean {
  const now = secondsOf(world);
  for (const { kind, from, until } of onLeg(node.plan.nodes, leg)) {
    if ((kind === 'lie' || kind === 'lag') && from <= now && until > since) return true;
  }
  return world.reorgs.some(({ chain, at }) => chain === leg && at >= since);
}

/** The oldest look at a chain on which an engine may act if it need not be fresh, with a moment to act. */
export function oldestLook({ policy, plan }: SimNode): Seconds {
  return Math.max(policy.confirmationPoll, policy.spendPoll, policy.refundPoll) + SLACK + slowest(plan);
}

/** The same if it must be fresh. */
export function freshLook({ policy, plan }: SimNode): Seconds {
  return policy.freshness + SLACK + slowest(plan);
}

const SLACK: Seconds = 2;

/** An answer of a slow node is as old as its delay, and how fresh a look must be depends on that delay. */
function slowest({ nodes }: SimNode['plan']): Seconds {
  let longest = 0;
  for (const fault of nodes.maker) if (fault.kind === 'slow') longest = Math.max(longest, fault.seconds);
  for (const fault of nodes.taker) if (fault.kind === 'slow') longest = Math.max(longest, fault.seconds);
  return 6 * longest;
}
