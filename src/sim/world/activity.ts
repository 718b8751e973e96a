import { onLeg } from '../../primitives/pair.ts';
import { FAULT_KINDS, type FaultName } from './faults.ts';
import type { SimNode } from './node.ts';
import { EPOCH, type PartyPlan } from './scenario.ts';
import type { World } from './world.ts';

export const FAULT_PLACES: ReadonlyMap<FaultName, number> = new Map(FAULT_KINDS.map((fault, place) => [fault, place]));

/** How long a change of a chain, or the end of a pause, still counts as in force: the seconds in which engines meet it. */
const ECHO = 900;

/** A stretch of true time in which a fault is in force; in milliseconds. `event`: only if it came true. */
type Window = { readonly place: number; readonly from: number; readonly until: number; readonly event: object | null };

/**
 * Which faults are in force around a party at a moment, by their places among all kinds. A crash, and an error of the log, count until the party's
 * next event.
 */
export type Activity = {
  readonly at: (world: World, node: SimNode) => readonly number[];
  /** Notes that a party's process died. */
  readonly crashed: (node: SimNode, how: 'crash' | 'storage') => void;
};

export function createActivity(): Activity {
  const windows: { maker: readonly Window[] | null; taker: readonly Window[] | null } = { maker: null, taker: null };
  const fresh: Record<'maker' | 'taker', number[]> = { maker: [], taker: [] };
  return {
    at(world, { name }) {
      const active = fresh[name];
      fresh[name] = [];
      windows[name] ??= windowsOf(world, name);
      for (const { place, from, until, event } of windows[name] ?? []) {
        if (from > world.now || world.now >= until || (event !== null && !world.fired.has(event))) continue;
        if (!active.includes(place)) active.push(place);
      }
      return active;
    },
    crashed({ name }, how) {
      const place = FAULT_PLACES.get(how) as number;
      if (!fresh[name].includes(place)) fresh[name].push(place);
    },
  };
}

const ALWAYS = { from: 0, until: Number.POSITIVE_INFINITY };

function windowsOf({ scenario }: World, name: 'maker' | 'taker'): readonly Window[] {
  const found: Window[] = [];
  const during = (kind: FaultName, { from, until }: { from: number; until: number }, event: object | null = null) => {
    const place = FAULT_PLACES.get(kind) as number;
    found.push({ place, from: (EPOCH + from) * 1000, until: (EPOCH + until) * 1000, event });
  };
  const { network, chains, chainEvents, parties } = scenario;
  const plan = onLeg(parties, name);
  for (const fault of [...plan.nodes.maker, ...plan.nodes.taker]) during(fault.kind, fault);
  for (const fault of [...chains.maker.faults, ...chains.taker.faults]) during(fault.kind, fault);
  for (const cut of network.partitions) if (cut.to === name) during('partition', cut);
  for (const event of chainEvents) during(event.kind, { from: event.at, until: event.at + ECHO }, event);
  for (const jump of plan.jumps) during('jump', { from: jump.at, until: Number.POSITIVE_INFINITY });
  for (const pause of pausesOf(plan)) during('pause', pause);
  for (const { conduct } of [parties.maker, parties.taker]) {
    if (conduct.kind !== 'honest' && conduct.kind !== 'custom') during(conduct.kind, ALWAYS);
  }
  for (const kind of conditionsOf(scenario.network, plan)) during(kind, ALWAYS);
  return found;
}

function pausesOf({ orders }: PartyPlan): readonly { readonly from: number; readonly until: number }[] {
  return orders.flatMap(({ at, action }, index) => {
    if (action !== 'pause') return [];
    const resumed = orders.slice(index).find((order) => order.action === 'resume');
    return [{ from: at, until: (resumed?.at ?? at) + ECHO }];
  });
}

/** Faults that hold from the first moment. */
function conditionsOf(network: World['scenario']['network'], plan: PartyPlan): readonly FaultName[] {
  const found: FaultName[] = [];
  if (network.latency[1] > 0) found.push('messageDelay');
  if (network.lossPerMille > 0) found.push('messageLoss');
  if (network.duplicatePerMille > 0) found.push('messageDuplicate');
  if (plan.skew !== 0) found.push('skew');
  if (!plan.pushes.maker || !plan.pushes.taker) found.push('deaf');
  if (plan.funds.maker !== null || plan.funds.taker !== null) found.push('poor');
  return found;
}
