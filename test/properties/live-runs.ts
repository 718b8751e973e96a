import { isDeepStrictEqual } from 'node:util';
import { isJournalType } from '../../src/events/journal.ts';
import { startReplay } from '../../src/replay/session.ts';
import { swapMachines } from '../../src/replay/swaps.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import { crashAt, type ScenarioChange } from '../../src/sim/world/build.ts';
import { createJudge } from '../../src/sim/world/judge.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import { createWorld, type Observer, type World } from '../../src/sim/world/world.ts';
import type { ChartPath } from '../../src/testing/drawn/paths.ts';
import { together } from '../support/observers.ts';
import { foldOf, foldsAlong, liveOf } from './crashes.ts';
import { expectStored, livePaths, publicTypes } from './live-paths.ts';
import { FOR_EVER, makerSchedule, type Schedule, takerSchedule } from './live-schedules.ts';

export type Role = 'taker' | 'maker';

/** A way to the end that the live engine goes in a role. */
export type Way = { readonly role: Role; readonly path: ChartPath };

/** Every way to the end that the live engine goes in a role, with its name. */
export function waysOf(role: Role): readonly (readonly [name: string, way: Way])[] {
  return livePaths(role).map((path) => [path.name, { role, path }] as const);
}

function scheduleOf({ role, path: { events, states } }: Way, vary?: ScenarioChange): Schedule {
  return role === 'taker' ? takerSchedule(events, states, vary) : makerSchedule(events, vary);
}

/** How a changed run of a way ended. */
export type LiveRun = {
  readonly world: World;
  readonly node: SimNode;
  /** Whether the party came to the same end by the same events. */
  readonly same: boolean;
  /** Broken rules, a swap without an end, a log that folds to another state, a log that replay objects to. */
  readonly wrong: readonly string[];
};

/** Runs a way's schedule with a change: after each append both logs are held against a fresh fold, and a judge looks on. */
export function runWay(way: Way, vary?: ScenarioChange): LiveRun {
  const { scenario, observer } = scheduleOf(way, vary);
  const judge = createJudge();
  const world = createWorld(scenario, { observer: together(judge.observer, foldsAlong(), observer ?? {}) });
  runWorld(world);
  const node = world.nodes[way.role];
  const broken = judge.conclude(world).violations.map(({ rule, party, text }) => `${rule} of the ${party}: ${text}`);
  const same = isDeepStrictEqual(publicTypes(node), way.path.events);
  return { world, node, same, wrong: [...broken, ...endOf(world, node), ...logsOf(world)] };
}

function endOf({ scenario }: World, node: SimNode): string[] {
  if (node.done && publicTypes(node).at(-1) === 'Finished') return [];
  // A party that is there sends its claim again for as long as it waits, and a chain that never includes it never ends that.
  const { faults } = scenario.chains[node.name === 'maker' ? 'taker' : 'maker'];
  const never = faults.some((fault) => fault.kind === 'censor' && fault.until >= FOR_EVER);
  const waits = node.runner.journal.prepared.claim.some(({ dead }) => !dead);
  return never && waits ? [] : [`the ${node.name} is not at its end`];
}

function logsOf({ nodes }: World): string[] {
  return [nodes.maker, nodes.taker].flatMap((node) => {
    const wrong: string[] = [];
    if (!isDeepStrictEqual(liveOf(node), foldOf(node)))
      wrong.push(`the log of the ${node.name} folds to another state`);
    const refused = objectionTo(node);
    if (refused !== null) wrong.push(`the log of the ${node.name} is not accepted: ${refused}`);
    return wrong;
  });
}

const looked = new Set<string>();

/** What replay objects to. Stored forms are tried once for each order of events: that costs more than the run. */
function objectionTo(node: SimNode): string | null {
  const session = startReplay(swapMachines[node.name], { ownLog: true });

  for (const { type, at, data } of node.records) if (!isJournalType(type)) session.push({ type, at, data });
  const { anomalies } = session;
  if (anomalies.length > 0) return anomalies.map(({ code, message }) => `${code} ${message}`).join('; ');
  const order = `${node.name} ${publicTypes(node).join(' ')}`;
  if (looked.has(order) || !node.done) return null;
  looked.add(order);
  try {
    expectStored(node);
    return null;
  } catch (error) {
    return String(error);
  }
}

/**
 * Whether a restart can lead a way elsewhere: its trouble begins at a fixed second early in the swap, and whoever restarts
 * meets it a step earlier or later.
 */
export function restartMayMatter({ path: { events } }: Way): boolean {
  return events.includes('TakerPaymentTransactionFailed') || events.includes('TakerPaymentSpendFailed');
}

/** What comes of a party that restarts around its appends. */
export type Restarts = {
  readonly runs: number;
  readonly sameEnds: number;
  readonly wrong: readonly string[];
};

/**
 * Runs a way with one restart more, before and after every append; or, with `some`, before and after in turn. A process that
 * dies where the schedule wants the party to stop for a while stays away for as long.
 */
export function restartAround(way: Way, which: 'every' | 'some'): Restarts {
  const { appends, calm } = appendsOf(way);
  const { conduct, crashes } = calm.node.plan;
  const wrong: string[] = [];
  let runs = 0;
  let sameEnds = 0;
  for (const [index, { at, types }] of appends.entries()) {
    for (const when of ['before', 'after'] as const) {
      if (which === 'some' && (index % 2 === 0) !== (when === 'after')) continue;
      const planned = crashes.find((crash) => crash.at === at && crash.when === when);
      const vanishes = conduct.kind === 'vanish' && when === 'after' && types.includes(conduct.after);
      const stops = vanishes || planned !== undefined;
      const downFor = planned?.downFor ?? (vanishes ? (conduct.backAfter ?? 0) : 0);
      const { same, ...run } = runWay(way, crashAt(way.role, { at, when, downFor }));
      runs += 1;
      if (same) sameEnds += 1;
      const found = [...run.wrong];
      const restarts = calm.node.restarts + (stops ? 0 : 1);
      if (run.node.restarts < restarts) found.push('there was no restart more');
      wrong.push(...found.map((text) => `the ${way.role} dies ${when} command ${at}: ${text}`));
    }
  }
  return { runs, sameEnds, wrong };
}

function appendsOf(way: Way) {
  const appends: { readonly at: number; readonly types: readonly string[] }[] = [];
  const { scenario, observer } = scheduleOf(way);
  const appended: Observer['appended'] = (_, { name, commands }, records) => {
    if (name === way.role) appends.push({ at: commands, types: records.map(({ type }) => type) });
  };
  const world = createWorld(scenario, { observer: { ...observer, appended } });
  runWorld(world);
  return { appends, calm: { node: world.nodes[way.role] } };
}
