import type { Purpose } from '../../events/journal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { NodeFault } from '../chains/types.ts';
import { advance } from '../world/advance.ts';
import {
  type ChainName,
  type ChainPlan,
  type CrashPlan,
  calmScenario,
  EPOCH,
  type Scenario,
} from '../world/scenario.ts';
import { createWorld, type Observer } from '../world/world.ts';
import type { IncidentParty } from './incident.ts';
import { isLabelled } from './records.ts';

/** The append of a record, by its label, or the first broadcast of a transaction. */
export type Sought = { readonly party: IncidentParty } & (
  | { readonly record: string }
  | { readonly broadcast: Purpose }
);

export type Moment = {
  /** Seconds from the start of the world. */
  readonly at: Seconds;
  /** Number of the command in which it happens, as crashes name it. */
  readonly command: number;
};

/**
 * When something first happens in a scenario, found by running it up to there with the sound engine.
 *
 * @throws RangeError when it does not happen before the horizon.
 */
export function momentOf(scenario: Scenario, sought: Sought, meddle?: () => Observer): Moment {
  let found: Moment | null = null;
  const note = (at: number, command: number) => {
    found ??= { at: Math.floor(at / 1000) - EPOCH, command };
  };
  const meddler = meddle?.() ?? {};
  const observer: Observer = {
    ...meddler,
    appended(world, node, records) {
      meddler.appended?.(world, node, records);
      if (!('record' in sought) || node.name !== sought.party) return;
      if (records.some((record) => isLabelled(record, sought.record))) note(world.now, node.commands);
    },
    answered(world, node, asked) {
      meddler.answered?.(world, node, asked);
      if (!('broadcast' in sought) || node.name !== sought.party) return;
      const { question } = asked.command;
      if (question.op !== 'broadcast') return;
      const prepared = node.runner.journal.prepared[sought.broadcast];
      if (prepared.some(({ tx }) => tx.tx_hash === question.transaction.tx_hash)) note(world.now, node.commands);
    },
  };
  const world = createWorld(scenario, { observer });
  while (found === null && advance(world));
  if (found !== null) return found;
  const what = 'record' in sought ? sought.record : `a broadcast of the ${sought.broadcast}`;
  throw new RangeError(`the ${sought.party} never comes to ${what} with seed ${scenario.seed}`);
}

/**
 * When the first transaction of a party for a purpose is in a block, in seconds from the start of the world.
 *
 * @throws RangeError if none is before the horizon.
 */
export function minedAt(
  scenario: Scenario,
  { party, purpose }: { readonly party: IncidentParty; readonly purpose: Purpose },
): Seconds {
  const chain = (purpose === 'claim') === (party === 'maker') ? 'taker' : 'maker';
  const world = createWorld(scenario);
  const isMined = () =>
    world.chains[chain].ledger.transactions(party).some((seen) => seen.purpose === purpose && seen.everMined);
  while (!isMined()) {
    if (!advance(world))
      throw new RangeError(`the ${purpose} of the ${party} is never mined with seed ${scenario.seed}`);
  }
  return Math.floor(world.now / 1000) - EPOCH;
}

/** Changes to a swap in which nothing goes wrong. */
export type SwapChanges = Partial<Omit<Scenario, 'chains'>> & {
  readonly maker?: Partial<ChainPlan>;
  readonly taker?: Partial<ChainPlan>;
};

/** A swap in which nothing goes wrong, with the given changes; `maker` and `taker` change their chains. */
export function swapWith(seed: number, { maker, taker, ...changes }: SwapChanges = {}): Scenario {
  const scenario = calmScenario({ ...changes, seed });
  const { chains } = scenario;
  return { ...scenario, chains: { maker: { ...chains.maker, ...maker }, taker: { ...chains.taker, ...taker } } };
}

/** The party's process dies at the moment, before the command has its effect or after it, and comes back. */
export function withCrash(scenario: Scenario, sought: Sought, { when, downFor }: Omit<CrashPlan, 'at'>): Scenario {
  const { command } = momentOf(scenario, sought);
  const { parties } = scenario;
  const plan = parties[sought.party];
  const crashes = [...plan.crashes, { at: command, when, downFor }];
  return { ...scenario, parties: { ...parties, [sought.party]: { ...plan, crashes } } };
}

/** The same fault from one moment to another, in seconds from the start of the world. */
export function during<Fault>(fault: Fault, from: Seconds, until: Seconds): Fault & Span {
  return { ...fault, from: from as UnixSeconds, until: until as UnixSeconds };
}

type Span = { readonly from: UnixSeconds; readonly until: UnixSeconds };

/** The party's node on one chain has these faults, in addition to its own. */
export function withNodeFaults(
  scenario: Scenario,
  { party, chain }: { readonly party: IncidentParty; readonly chain: ChainName },
  faults: readonly NodeFault[],
): Scenario {
  const plan = scenario.parties[party];
  const nodes = { ...plan.nodes, [chain]: [...plan.nodes[chain], ...faults] };
  return { ...scenario, parties: { ...scenario.parties, [party]: { ...plan, nodes } } };
}
