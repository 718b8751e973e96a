import { describe, expect, it } from 'vitest';
import { type BoundsChanges, boundsOf } from '../../../src/check/bounds.ts';
import { keyOfChain } from '../../../src/check/chain-state.ts';
import { createEngineKeys, type EngineKeys } from '../../../src/check/engine-key.ts';
import { newRunner, restingFacts } from '../../../src/check/engine-state.ts';
import { clocksOf } from '../../../src/check/model.ts';
import { keyOfOutsider } from '../../../src/check/outsider.ts';
import type { PartyEngine } from '../../../src/check/party-engine.ts';
import {
  createSpace,
  placeIn,
  readWorld,
  SEATS,
  type Space,
  type World,
  writeWorld,
} from '../../../src/check/space.ts';
import { createStateStore, WIDTH } from '../../../src/check/state-store.ts';
import { successorsOf } from '../../../src/check/successors.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { applyRecords, stateOf } from '../../../src/runtime/swap/runner.ts';

type Keys = Readonly<Record<string, EngineKeys>>;

function keysFor(space: Space): Keys {
  return Object.fromEntries(
    SEATS.flatMap((seat) => {
      const engine = space.engines[seat];
      if (engine === null) return [];
      const { machine } = engine.runnerOf(engine.initial).kind;
      return [[seat, createEngineKeys(machine, { behaviour: null, exact: false, clocks: clocksOf(space.model) })]];
    }),
  );
}

/** A world in the words of the abstraction, which mean the same in every space. */
function told(space: Space, world: World, keys: Keys): string {
  const seats = SEATS.map((seat) => {
    const engine = space.engines[seat];
    const id = placeIn(world, seat);
    if (engine !== null) {
      const state = engine.get(id);
      const at = { state: stateOf(engine.runnerOf(id)), now: 0 as Millis, keepAll: false };
      return (keys[seat] as EngineKeys).keyOf({ ...state, facts: restingFacts(state.facts, at) });
    }
    return seat === 'watcher' && space.freeWatcher === null ? '' : keyOfOutsider(space.outsiders.get(id));
  });
  const chains = (['maker', 'taker'] as const).map((leg) => keyOfChain(space.chains[leg].get(world.chains[leg])));
  return [world.now, world.budget, ...seats, ...chains].join('\n');
}

/** Every world that can be reached, in the words of the abstraction, and how many there are. */
function reached(space: Space, keys: Keys): { readonly told: ReadonlySet<string>; readonly count: number } {
  const store = createStateStore();
  const row = new Int32Array(WIDTH);
  const texts = new Set<string>();
  store.add(writeWorld(space.initial, row));
  for (let state = 0; state < store.count(); state += 1) {
    store.read(state, row);
    const world = readWorld(row);
    texts.add(told(space, world, keys));
    for (const next of successorsOf(space, world)) store.add(writeWorld(next.world, row));
  }
  return { told: texts, count: store.count() };
}

describe('states that stand for others', () => {
  const cases: readonly BoundsChanges[] = [
    {},
    { crashes: 1 },
    { nodeErrors: 1 },
    { drops: 1 },
    { adversary: 'maker' },
    { watcher: 'engine' },
    { chains: { maker: 'account', taker: 'account' }, drops: 1 },
  ];

  it.each(cases)('reach what the states that they stand for reach: %j', (changes) => {
    const bounds = boundsOf(changes);
    const merged = createSpace({ bounds });
    const exact = createSpace({ bounds, exact: true });
    const keys = keysFor(merged);
    const few = reached(merged, keys);
    const many = reached(exact, keys);
    expect(few.told.size).toBe(few.count);
    expect([...many.told].filter((text) => !few.told.has(text)).length).toBe(0);
    expect([...few.told].filter((text) => !many.told.has(text)).length).toBe(0);
    expect(many.count).toBeGreaterThanOrEqual(few.count);
  });

  it('stand where their logs lead', () => {
    const space = createSpace({ bounds: boundsOf({ crashes: 1 }) });
    reached(space, keysFor(space));
    for (const seat of ['maker', 'taker'] as const) {
      const engine = space.engines[seat] as PartyEngine;
      for (let id = 0; id < engine.count(); id += 1) {
        const { log, folded } = engine.get(id);
        const fresh = newRunner(space.model, seat);
        applyRecords(fresh, log);
        expect(timeless(folded)).toBe(timeless({ position: fresh.position, journal: fresh.journal }));
      }
    }
  });
});

/** States that are one differ in the times of what is past. */
function timeless({ position, journal }: { readonly position: unknown; readonly journal: unknown }): string {
  return JSON.stringify([position, journal], (name, value: unknown) => {
    return name.endsWith('At') || name === 'at' || name === 'error' ? value === null : value;
  });
}
