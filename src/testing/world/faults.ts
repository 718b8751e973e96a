import { EPOCH } from './scenario.ts';
import type { World } from './world.ts';

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
  'lie',
  'broadcast',
  'feeSpike',
  'noReplacement',
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
] as const;

export type FaultName = (typeof FAULT_KINDS)[number];

/** Adds the faults that took effect in a run that is over, but for crashes and storage, which are seen as they happen. */
export function noteFaults(world: World, faults: Set<FaultName>): void {
  const { scenario } = world;
  const lasted = world.now / 1000 - EPOCH;
  const { network, parties, chains, chainEvents } = scenario;
  if (network.lossPerMille > 0) faults.add('messageLoss');
  if (network.duplicatePerMille > 0) faults.add('messageDuplicate');
  if (network.latency[1] > 0) faults.add('messageDelay');
  if (network.partitions.some(({ from }) => from <= lasted)) faults.add('partition');
  for (const event of chainEvents) if (event.at <= lasted) faults.add(event.kind);
  for (const party of [parties.maker, parties.taker]) {
    if (party.skew !== 0) faults.add('skew');
    const { kind } = party.conduct;
    if (kind !== 'honest' && kind !== 'custom') faults.add(kind);
    if (party.jumps.some(({ at }) => at <= lasted)) faults.add('jump');
    if (party.orders.some(({ at, action }) => at <= lasted && action === 'pause')) faults.add('pause');
    if (!party.pushes.maker || !party.pushes.taker) faults.add('deaf');
    if (party.funds.maker !== null || party.funds.taker !== null) faults.add('poor');
    for (const fault of [...party.nodes.maker, ...party.nodes.taker]) if (fault.from <= lasted) faults.add(fault.kind);
  }
  for (const fault of [...chains.maker.faults, ...chains.taker.faults])
    if (fault.from <= lasted) faults.add(fault.kind);
}
