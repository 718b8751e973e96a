import type { Leg } from '../runtime/command.ts';
import { type SwapRunner, stateOf, viewOf } from '../runtime/swap/runner.ts';
import { bodyOf } from './chain-state.ts';
import { LEGS, marginOf, PARTIES, type PartyName, START } from './model.ts';
import type { PartyEngine } from './party-engine.ts';
import { placeIn, SEATS, type Space, type World } from './space.ts';
import { truthOf } from './views.ts';

// The clock moves from each moment at which something changes automatically to the next: deadlines of the engines,
// locks of the payments, and the moments at which an engine must run.

/** Deadlines of the machines on which no engine acts. */
const IDLE_DEADLINES: ReadonlySet<string> = new Set(['claimConfirmation', 'takerPaymentWait']);

/** The next moment, in seconds since the start; null if nothing more changes automatically. */
export function nextMoment(space: Space, world: World): number | null {
  let next = Number.POSITIVE_INFINITY;
  const consider = (at: number) => {
    if (at > world.now && at < next) next = at;
  };
  for (const seat of SEATS) {
    const engine = space.engines[seat];
    const id = placeIn(world, seat);
    if (engine === null || engine.get(id).status === 'done') continue;
    for (const at of momentsOf(space, engine, id)) consider(at);
  }
  for (const leg of LEGS) for (const at of locksOf(space, world, leg)) consider(at);
  return next === Number.POSITIVE_INFINITY ? null : next;
}

const moments = new WeakMap<PartyEngine, number[][]>();

function momentsOf({ model }: Space, engine: PartyEngine, id: number): readonly number[] {
  const known = moments.get(engine) ?? [];
  moments.set(engine, known);
  const found = known[id];
  if (found !== undefined) return found;
  const runner = engine.runnerOf(id);
  const { definition } = runner.kind.machine;
  const deadlines = definition.deadlines(stateOf(runner), runner.position.context);
  const times = deadlines.flatMap(({ kind, at }) => {
    return IDLE_DEADLINES.has(kind) ? [] : [Math.floor(at / 1000) + 1 - START];
  });
  const otherTerms = engine.seat === 'watcher' ? null : viewOf(runner).otherTerms;
  if (otherTerms !== null) times.push(otherTerms.lock - marginOf(model.bounds) - START);
  known[id] = times;
  return times;
}

/** One second after the lock of each payment whose spend is not final. */
function locksOf({ model, chains }: Space, world: World, leg: Leg): readonly number[] {
  const parts = model.chains[leg];
  const state = chains[leg].get(world.chains[leg]);
  const locks: number[] = [];
  for (const tx of state.txs) {
    const { terms } = bodyOf(parts, tx);
    if (terms === null) continue;
    const { spend } = truthOf(parts, state, terms);
    if (spend === null || spend.depth < model.bounds.finality[leg]) locks.push(terms.lock + 1 - START);
  }
  return locks;
}

/** Whether every engine that runs has come to rest. */
export function areAtRest({ engines }: Space, world: World): boolean {
  return SEATS.every((seat) => {
    const engine = engines[seat];
    return engine === null || isAtRest(engine, world);
  });
}

/** Whether the assumptions of the money rules hold if the clock moves to a moment. */
export function areInTime(space: Space, world: World, to: number): boolean {
  if (!space.model.bounds.timely) return true;
  return PARTIES.every((party) => space.engines[party] === null || isInTime(space, world, { party, to }));
}

function isAtRest(engine: PartyEngine, world: World): boolean {
  const id = placeIn(world, engine.seat);
  const { status, pending } = engine.get(id);
  if (status !== 'up') return true;
  if (pending !== null) return false;
  const { state, chains, sent } = engine.run(id, placeOf(world));
  return (
    state === id && sent.length === 0 && chains.maker === world.chains.maker && chains.taker === world.chains.taker
  );
}

export function placeOf({ now, chains }: World): { readonly now: number; readonly chains: World['chains'] } {
  return { now: now + START, chains };
}

type Due = { readonly party: PartyName; readonly to: number };

/**
 * A fifth of the lock duration before the lock of the other's payment, a party with money at stake has an engine that runs and whose nodes answer,
 * the clock of its chain is not behind, and what was broadcast in its name is final. A watcher's engine can stand in for a taker's.
 */
function isInTime(space: Space, world: World, { party, to }: Due): boolean {
  const { model, engines } = space;
  const engine = engines[party] as PartyEngine;
  const id = world.parties[party];
  const { status } = engine.get(id);
  if (status === 'done') return true;
  const runner = engine.runnerOf(id);
  const { ownTerms, otherTerms } = viewOf(runner);
  if (ownTerms === null || otherTerms === null || to < otherTerms.lock - marginOf(model.bounds) - START) return true;
  if (!hasAtStake(runner)) return true;
  const away = status === 'down' || engine.isPausing(id);
  if (away && !(party === 'taker' && isWatched(space, world))) return false;
  const own = space.chains[party].get(world.chains[party]);
  const { funding, spend } = truthOf(model.chains[party], own, ownTerms);
  const behind = funding !== null && spend === null && ownTerms.lock < world.now + START && own.clock <= ownTerms.lock;
  if (behind && model.chains[party].kind !== 'autoRefund') return false;
  return LEGS.every((leg) => isSettled(space, world, { leg, party }));
}

function hasAtStake({ journal }: SwapRunner): boolean {
  return journal.prepared.payment.some(({ attemptedAt, dead }) => attemptedAt !== null && !dead);
}

/** Whether a watcher's engine has accepted the swap, and runs with nodes that answer. */
function isWatched({ engines }: Space, world: World): boolean {
  const { watcher } = engines;
  if (watcher === null) return false;
  const { status, log } = watcher.get(world.watcher);
  return status === 'up' && log.length > 0 && !watcher.isPausing(world.watcher);
}

function isSettled({ model, chains }: Space, world: World, of: { leg: Leg; party: PartyName }): boolean {
  const state = chains[of.leg].get(world.chains[of.leg]);
  return state.txs.every((tx) => {
    const { owner } = bodyOf(model.chains[of.leg], tx);
    const inItsName = owner === of.party || (owner === 'watcher' && of.party === 'taker');
    return !inItsName || tx.depth >= model.bounds.finality[of.leg];
  });
}
