import { expect } from 'vitest';
import type { Role } from '../../src/events/catalog.ts';
import { savedSwapText } from '../../src/events/encode.ts';
import { isJournalType } from '../../src/events/journal.ts';
import { toEnvelopes } from '../../src/events/jsonl.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { replaySwap, swapMachines } from '../../src/replay/swaps.ts';
import { stateOf } from '../../src/runtime/swap/runner.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import { readStream, storedStream } from '../../src/sim/world/stored-log.ts';
import { type ChartEdge, type ChartPath, chartEdges } from '../../src/testing/drawn/paths.ts';

import { LIVE_EDGES, NEEDS } from './live-edges.ts';

/** Edges of a role's chart by `state type`. */
export function edgesByName(role: Role): ReadonlyMap<string, ChartEdge> {
  return new Map(chartEdges(swapMachines[role].definition).map((edge) => [`${edge.from} ${edge.type}`, edge]));
}

/** Every way to the end that the live engine goes in a role. */
export function livePaths(role: Role): readonly ChartPath[] {
  const edges = edgesByName(role);
  const paths: ChartPath[] = [];
  const walk = (state: string, { events, states }: Pick<ChartPath, 'events' | 'states'>): void => {
    if (state === 'finished') paths.push({ name: nameOf(role, events), events, states });
    for (const type of LIVE_EDGES[role][state] ?? []) {
      const to = edges.get(`${state} ${type}`)?.to;
      const needed = NEEDS[role][type];
      if (to === undefined || states.includes(to) || (needed !== undefined && !events.includes(needed))) continue;
      walk(to, { events: [...events, type], states: [...states, to] });
    }
  };
  walk('created', { events: [], states: ['created'] });
  return paths;
}

/** Beginnings that all longer ways share. */
const STEMS: Readonly<Record<Role, string>> = {
  taker: 'MakerPaymentValidatedAndConfirmed',
  maker: 'MakerPaymentSent',
};

function nameOf(role: Role, events: readonly string[]): string {
  const stem = events.indexOf(STEMS[role]);
  return stem < 0 ? events.join(' > ') : `… > ${events.slice(stem).join(' > ')}`;
}

/** Types of the public events in a party's log. */
export function publicTypes({ records }: SimNode): readonly string[] {
  return records.map(({ type }) => type).filter((type) => !isJournalType(type));
}

/**
 * The log of a live run is a log as any other: it reads back from JSON Lines record by record, it goes through the real
 * node's saved form, and replay finds nothing wrong with it and comes to the live verdict; without the journal, to that of the public events.
 */
export function expectStored(node: SimNode): void {
  const { runner } = node;
  const stream = storedStream(node);
  const own = readStream(stream);
  expect(toEnvelopes(own)).toEqual(stream);
  const { kind, position, journal } = runner;
  const state = stateOf(runner);
  const live = { state, ...kind.definition.verdict(state, position.context, journal) };
  // What other programs get has the public events alone.
  const told = { state, ...kind.definition.verdict(state, position.context) };
  const verdictOf = ({ state, outcome, funds, next }: ReturnType<typeof replaySwap>) => ({
    state,
    outcome,
    funds,
    next,
  });
  expect(verdictOf(replaySwap(own))).toEqual(live);
  // A claim that was lost and the own refund look like a contradiction in the public events alone.
  const codes = replaySwap(own).anomalies.map(({ code }) => code);
  expect(codes.filter((code) => code !== 'CONTRADICTION')).toEqual([]);
  for (const form of ['spec', 'kdf'] as const) {
    const [again] = decodeSwapsText(savedSwapText(own, form));
    if (again?.ok !== true) throw again?.error ?? new Error('nothing was read');
    const replayed = replaySwap(again.log);
    expect(verdictOf(replayed), form).toEqual(told);
    expect(
      replayed.anomalies.filter(({ severity }) => severity === 'fault'),
      form,
    ).toEqual([]);
    expect(savedSwapText(again.log, form), form).toBe(savedSwapText(own, form));
  }
}
