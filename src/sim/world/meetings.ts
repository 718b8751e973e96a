import { makerKind, takerKind } from '../../runtime/swap/roles.ts';
import { type Activity, createActivity } from './activity.ts';
import { isExcluded } from './exclusions.ts';
import { FAULT_KINDS, type FaultName } from './faults.ts';
import { LIVE_EDGES } from './live-edges.ts';
import type { SimNode } from './node.ts';
import type { Observer } from './world.ts';

// State × event × fault in force at that moment: the state of a party, what it wrote, and what was wrong just then.

const FAULTS = FAULT_KINDS.length;
/** After the faults of a cell: how often it was reached at all. */
const ROW = FAULTS + 1;

const MACHINES = { maker: makerKind.machine, taker: takerKind.machine } as const;

/** Counts by `(state × types + type) × ROW + fault`. */
export type MeetingTable = { readonly maker: Float64Array; readonly taker: Float64Array };

export function meetingTable(): MeetingTable {
  const sized = ({ states, types }: { readonly states: readonly string[]; readonly types: readonly string[] }) =>
    new Float64Array(states.length * types.length * ROW);
  return { maker: sized(MACHINES.maker), taker: sized(MACHINES.taker) };
}

/** Adds the counts of another table. */
export function addTable(to: MeetingTable, from: MeetingTable): void {
  for (const role of ['maker', 'taker'] as const) {
    const counts = to[role];
    for (const [index, count] of from[role].entries()) if (count > 0) counts[index] = (counts[index] as number) + count;
  }
}

/** Watches one run, and afterwards reports how many of its meetings are new in this table. */
export type MeetingCounter = Pick<Required<Observer>, 'appended' | 'crashed'> & { readonly found: () => number };

export function meetingCounter(table: MeetingTable): MeetingCounter {
  const activity: Activity = createActivity();
  const states = { maker: MACHINES.maker.initial, taker: MACHINES.taker.initial };
  let found = 0;
  const meet = (node: SimNode, cell: number, active: readonly number[]): void => {
    const counts = table[node.name];
    const base = cell * ROW;
    for (const fault of active) {
      if (counts[base + fault] === 0) found += 1;
      counts[base + fault] = (counts[base + fault] as number) + 1;
    }
    if (counts[base + FAULTS] === 0) found += 1;
    counts[base + FAULTS] = (counts[base + FAULTS] as number) + 1;
  };
  return {
    appended(world, node, records) {
      const { typeIndex, types, cells } = MACHINES[node.name];
      let active: readonly number[] | null = null;
      let state = states[node.name];
      for (const { type } of records) {
        const index = typeIndex.get(type);
        if (index === undefined || state < 0) continue;
        active ??= activity.at(world, node);
        const cell = state * types.length + index;
        meet(node, cell, active);
        state = cells[cell] as number;
      }
      if (active !== null) states[node.name] = node.runner.position.state;
    },
    crashed(_, node, by) {
      activity.crashed(node, by === 'storage' ? 'storage' : 'crash');
    },
    found: () => found,
  };
}

/** How often a party wrote an event in a state, `role/state/event`: at all, and while each fault was in force. */
export type Meetings = Readonly<Record<string, { readonly met: number } & Readonly<Record<FaultName, number>>>>;

/** What a live engine can meet, as a report shows it. */
export function meetingsOf(table: MeetingTable): Meetings {
  const rows: Record<string, Meetings[string]> = {};
  for (const role of ['maker', 'taker'] as const) {
    const { states, types, typeIndex } = MACHINES[role];
    for (const [state, events] of Object.entries(LIVE_EDGES[role])) {
      for (const event of events) {
        const base = (states.indexOf(state) * types.length + (typeIndex.get(event) ?? 0)) * ROW;
        const counts = table[role];
        const row = Object.fromEntries(FAULT_KINDS.map((fault, place) => [fault, counts[base + place] ?? 0]));
        rows[`${role}/${state}/${event}`] = { met: counts[base + FAULTS] ?? 0, ...row } as Meetings[string];
      }
    }
  }
  return rows;
}

export function mergeMeetings(left: Meetings, right: Meetings): Meetings {
  return Object.fromEntries(
    Object.entries(left).map(([place, row]) => {
      const more = right[place] as Meetings[string];
      const sum = Object.fromEntries(
        Object.entries(row).map(([name, count]) => [name, count + more[name as FaultName]]),
      );
      return [place, sum as Meetings[string]];
    }),
  );
}

/** A state and an event with the faults that were never in force when they met, without those that need not meet. */
export type Unreached = {
  readonly at: string;
  /** False if the event was never written in this state, whatever was in force. */
  readonly met: boolean;
  readonly faults: readonly FaultName[];
};

/** What was never reached, in the order of the table. */
export function unreachedOf(meetings: Meetings): readonly Unreached[] {
  return Object.entries(meetings).flatMap(([at, row]) => {
    const [role, , event] = at.split('/');
    const faults = FAULT_KINDS.filter((fault) => row[fault] === 0 && !isExcluded(`${role}/${event}`, fault));
    return faults.length === 0 ? [] : [{ at, met: row.met > 0, faults }];
  });
}
