import { IMPORTED, isJournalType } from '../../src/events/journal.ts';
import type { NewRecord } from '../../src/ports/event-log.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import { createWorld, type Observer, type World } from '../../src/sim/world/world.ts';

/** A log as the real node leaves it: the public events alone, behind the record that says where they came from. */
export function foreignRecords(records: readonly NewRecord[], events: readonly NewRecord[] = []): readonly NewRecord[] {
  const known = records.filter(({ type }) => !isJournalType(type));
  const first = known[0];
  if (first === undefined) return [];
  const { maker_coin, taker_coin } = first.data as Readonly<Record<string, unknown>>;
  const imported = {
    at: first.at,
    type: IMPORTED,
    version: 1,
    data: { head: { maker_coin, taker_coin }, roleGiven: true },
  };
  return [imported, ...known, ...events];
}

export type TakeOver = {
  readonly party: 'maker' | 'taker';
  /** The log that the engine finds when it comes back, from what it had stored. */
  readonly log: (records: readonly NewRecord[], world: World) => readonly NewRecord[];
};

/** Runs a scenario in which a party's process stops once and finds another log when it comes back. */
export function runTakeOver(scenario: Scenario, { party, log }: TakeOver, observer: Observer = {}): World {
  let taken = false;
  const world = createWorld(scenario, {
    observer: {
      ...observer,
      settled(here) {
        const node = here.nodes[party];
        if (!node.alive && !taken) {
          taken = true;
          replaceLog(node, log(node.records, here));
        }
        observer.settled?.(here);
      },
    },
  });
  runWorld(world);
  return world;
}

function replaceLog(node: SimNode, records: readonly NewRecord[]): void {
  node.records.splice(0, node.records.length, ...records);
  node.published.splice(0, node.published.length, ...records.map(({ type }) => type));
}
