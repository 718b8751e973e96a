import type { Answer, ChainFault } from '../../ports/chain.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { ChainView } from './blocks.ts';
import type { ChainModel } from './chain-model.ts';
import { markFired, refused } from './faults.ts';
import { isActive } from './network.ts';
import type { Lie, NodeFault, SeenPurpose } from './types.ts';

/** The node that one wallet asks: an engine behind faults. */
export type Node = { readonly model: ChainModel; faults: readonly NodeFault[] };

const OUTAGE = refused('unavailable', 'the node does not answer');

/**
 * Asks the engine for what the node sees. If two nodes are asked and answer differently, there is no answer: an adapter that asks several does not
 * choose.
 */
export function ask<T>(node: Node, question: (view: ChainView) => Answer<T>): Answer<T> {
  const { model, faults } = node;
  if (faults.length === 0) return question(model.truth());
  if (isSilent(node)) return OUTAGE;
  const { settings } = model.network;
  const now = settings.now();
  let view = model.truth();
  let second: ChainView | null = null;
  for (const fault of faults) {
    if ((fault.kind !== 'lag' && fault.kind !== 'contradiction') || !isActive(fault, now)) continue;
    markFired(fault);
    const past = model.lagging(fault.blocks ?? 0, now - (fault.seconds ?? 0));
    if (fault.kind === 'lag') view = past;
    else second = past;
  }
  const answer = question(view);
  if (second === null) return answer;
  if (JSON.stringify(question(second)) === JSON.stringify(answer)) return answer;
  return refused('disagreement', 'the nodes that were asked contradict one another');
}

/** Whether a call gets no answer. Draws from the generator for a flaky node. */
export function isSilent({ model, faults }: Node): boolean {
  if (faults.length === 0) return false;
  const { now, rng } = model.network.settings;
  const at = now();
  for (const fault of faults) {
    if (fault.kind !== 'outage' && fault.kind !== 'flaky') continue;
    if (!isActive(fault, at) || (fault.kind === 'flaky' && rng.below(fault.oneIn) !== 0)) continue;
    markFired(fault);
    return true;
  }
  return false;
}

/** The fault by which too few servers answer to be believed; null if there is none. */
export function doubtOf({ model, faults }: Node): Extract<NodeFault, { kind: 'doubt' }> | null {
  if (faults.length === 0) return null;
  const now = model.network.settings.now();
  for (const fault of faults) if (fault.kind === 'doubt' && isActive(fault, now)) return fault;
  return null;
}

const TOO_FEW = 'too few of the servers that must say the same answer';

/** What remains of an answer that too few servers give. */
export function doubted<T>(
  node: Node,
  answer: Answer<T>,
  told: (value: T) => Partial<ChainFault> = () => ({}),
): Answer<T> {
  const fault = answer.ok ? doubtOf(node) : null;
  if (fault === null || !answer.ok) return answer;
  markFired(fault);
  return { ok: false, fault: { kind: 'unavailable', message: TOO_FEW, ...told(answer.value) } };
}

/** Whether the node receives nothing from the network, so that it reports no changes. */
export function isDeaf({ model, faults }: Node): boolean {
  if (faults.length === 0) return false;
  const now = model.network.settings.now();
  return faults.some((fault) => fault.kind === 'outage' && isActive(fault, now));
}

/** How many of the last blocks the adapter has read; null for all. */
export function readBlocks({ model, faults }: Node): { readonly blocks: number } | null {
  const now = model.network.settings.now();
  for (const fault of faults) if (fault.kind === 'shallow' && isActive(fault, now)) return fault;
  return null;
}

/** How long an answer takes now, in seconds. */
export function latencyOf({ model, faults }: Node): Seconds {
  if (faults.length === 0) return 0;
  const now = model.network.settings.now();
  let longest = 0;
  for (const fault of faults) {
    if (fault.kind !== 'slow' || !isActive(fault, now)) continue;
    markFired(fault);
    longest = Math.max(longest, fault.seconds);
  }
  return longest;
}

/** The lies that the node tells about payments of this payer, by address. */
export function liesAbout({ model, faults }: Node, payer: string): readonly Lie[] {
  const now = model.network.settings.now();
  return faults.flatMap((fault) => {
    if (fault.kind !== 'lie' || !isActive(fault, now)) return [];
    if (fault.sender !== undefined && model.addressOf(fault.sender) !== payer) return [];
    markFired(fault);
    return [fault.says];
  });
}

/** What goes wrong with a broadcast of this purpose; undefined if nothing does. Draws from the generator where asked to. */
export function broadcastEffect(
  { model, faults }: Node,
  purpose: SeenPurpose,
): 'lost' | 'unanswered' | 'refused' | undefined {
  const { now, rng } = model.network.settings;
  const at = now();
  for (const fault of faults) {
    if (fault.kind !== 'broadcast' || !isActive(fault, at)) continue;
    if (fault.purposes !== undefined && !fault.purposes.includes(purpose)) continue;
    if (rng.below(fault.oneIn ?? 1) !== 0) continue;
    markFired(fault);
    return fault.effect;
  }
  return undefined;
}
