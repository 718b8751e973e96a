import type { Leg } from '../runtime/command.ts';
import { type Behaviour, SOUND } from '../sim/world/node.ts';
import { createAdversary } from './adversary.ts';
import { type Bounds, type Budget, budgetOf } from './bounds.ts';
import { type ChainState, EMPTY_CHAIN, keyOfChain } from './chain-state.ts';
import { createFreeWatcher } from './free-watcher.ts';
import { createInterner, type Interner } from './intern.ts';
import { createModel, type Model, type PartyName, type Seat } from './model.ts';
import { keyOfOutsider, type Outsider, type OutsiderState } from './outsider.ts';
import { createPartyEngine, type PartyEngine } from './party-engine.ts';

/** A whole state of the world, with everything in it by its number. */
export type World = {
  /** Seconds since the start. */
  readonly now: number;
  /** Of the engine, or of the adversary in its place. */
  readonly parties: Readonly<Record<PartyName, number>>;
  readonly watcher: number;
  readonly chains: Readonly<Record<Leg, number>>;
  readonly budget: Budget;
};

/** Everything that is explored: the participants, and every component's states by number. */
export type Space = {
  readonly model: Model;
  readonly engines: Readonly<Record<Seat, PartyEngine | null>>;
  readonly adversary: Outsider | null;
  readonly freeWatcher: Outsider | null;
  readonly outsiders: Interner<OutsiderState>;
  readonly chains: Readonly<Record<Leg, Interner<ChainState>>>;
  readonly initial: World;
};

export type SpaceOptions = {
  readonly bounds: Bounds;
  readonly behaviours?: Partial<Record<Seat, Behaviour>> | undefined;
  /** Whether states are distinguished by everything that they hold, so that none stands for another. @defaultValue false */
  readonly exact?: boolean | undefined;
};

export function createSpace({ bounds, behaviours = {}, exact = false }: SpaceOptions): Space {
  const model = createModel(bounds);
  const chains = { maker: createInterner(keyOfChain), taker: createInterner(keyOfChain) };
  chains.maker.id(EMPTY_CHAIN);
  chains.taker.id(EMPTY_CHAIN);
  const outsiders = createInterner(keyOfOutsider);
  const engine = (seat: Seat, behaviour: Behaviour) => createPartyEngine({ model, seat, behaviour, chains, exact });
  const rogue = bounds.adversary === 'none' ? null : createAdversary(model, engine(bounds.adversary, SOUND));
  const freeWatcher = bounds.watcher === 'free' ? createFreeWatcher(model) : null;
  const engineOf = (party: PartyName) =>
    bounds.adversary === party ? null : engine(party, behaviours[party] ?? SOUND);
  const watcher = bounds.watcher === 'engine' ? engine('watcher', behaviours.watcher ?? SOUND) : null;
  const engines = { maker: engineOf('maker'), taker: engineOf('taker'), watcher };
  const first = (party: PartyName) => engines[party]?.initial ?? outsiders.id((rogue as Outsider).initial);
  const initial: World = {
    now: 0,
    parties: { maker: first('maker'), taker: first('taker') },
    watcher: watcher?.initial ?? (freeWatcher === null ? 0 : outsiders.id(freeWatcher.initial)),
    chains: { maker: 0, taker: 0 },
    budget: budgetOf(bounds),
  };
  return { model, engines, adversary: rogue, freeWatcher, outsiders, chains, initial };
}

export const SEATS: readonly Seat[] = ['maker', 'taker', 'watcher'];

/** The state of whoever sits there, by its number. */
export function placeIn(world: World, seat: Seat): number {
  return seat === 'watcher' ? world.watcher : world.parties[seat];
}

export function withPlace(world: World, seat: Seat, id: number): World {
  if (placeIn(world, seat) === id) return world;
  return seat === 'watcher' ? { ...world, watcher: id } : { ...world, parties: { ...world.parties, [seat]: id } };
}

/** A world as a row of numbers. */
export function writeWorld({ now, parties, watcher, chains, budget }: World, row: Int32Array): Int32Array {
  row[0] = now;
  row[1] = parties.maker;
  row[2] = parties.taker;
  row[3] = watcher;
  row[4] = chains.maker;
  row[5] = chains.taker;
  row[6] = budget;
  return row;
}

export function readWorld(row: Int32Array): World {
  const at = (index: number) => row[index] as number;
  return {
    now: at(0),
    parties: { maker: at(1), taker: at(2) },
    watcher: at(3),
    chains: { maker: at(4), taker: at(5) },
    budget: at(6),
  };
}

export function sameWorld(left: World, right: World): boolean {
  return (
    left.now === right.now &&
    left.parties.maker === right.parties.maker &&
    left.parties.taker === right.parties.taker &&
    left.watcher === right.watcher &&
    left.chains.maker === right.chains.maker &&
    left.chains.taker === right.chains.taker &&
    left.budget === right.budget
  );
}
