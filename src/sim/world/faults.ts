import { onLeg } from '../../primitives/pair.ts';
import { hasFired } from '../chains/faults.ts';
import { DOUBLED, LOST, type World } from './world.ts';

/** Everything that can go wrong in a run, by name. */
export const FAULT_KINDS = [
  'crash',
  'storage',
  'skew',
  'messageLoss',
  'messageDuplicate',
  'messageDelay',
  'outage',
  'flaky',
  'lag',
  'contradiction',
  'shallow',
  'slow',
  'doubt',
  'lie',
  'broadcast',
  'feeSpike',
  'noReplacement',
  'warp',
  'censor',
  'revert',
  'reorg',
  'dropMempool',
  'jump',
  'partition',
  'deaf',
  'poor',
  'pause',
  'vanish',
  'shortLock',
  'underpay',
  'greedy',
  'liar',
  'pin',
  'replace',
  'rewrite',
  'race',
  'lastSecond',
  'frontRun',
] as const;

export type FaultName = (typeof FAULT_KINDS)[number];

/**
 * Adds the faults that took effect in a finished run: those that {@link unfiredPlans} does not list. Crashes and storage errors are noted as they
 * happen. What holds from the first moment, such as a slow network or a clock that is ahead, is not among these plans and always takes effect.
 */
export function noteFaults({ scenario, nodes, planned, fired }: World, faults: Set<FaultName>): void {
  const { network, parties, chainEvents } = scenario;
  if (fired.has(LOST)) faults.add('messageLoss');
  if (fired.has(DOUBLED)) faults.add('messageDuplicate');
  if (network.latency[1] > 0) faults.add('messageDelay');
  if (network.partitions.some((cut) => fired.has(cut))) faults.add('partition');
  for (const event of chainEvents) if (fired.has(event)) faults.add(event.kind);
  for (const name of ['maker', 'taker'] as const) {
    const { skew, conduct, jumps, orders, pushes, funds } = onLeg(parties, name);
    if (skew !== 0) faults.add('skew');
    if (conduct.kind !== 'honest' && conduct.kind !== 'custom' && onLeg(nodes, name).strayed) faults.add(conduct.kind);
    if (jumps.some((jump) => fired.has(jump))) faults.add('jump');
    if (orders.some((order) => order.action === 'pause' && fired.has(order))) faults.add('pause');
    if (!pushes.maker || !pushes.taker) faults.add('deaf');
    if (funds.maker !== null || funds.taker !== null) faults.add('poor');
  }
  for (const { fault } of planned) if (hasFired(fault)) faults.add(fault.kind);
}
