import { type Runner, stateOf, viewOf } from '../../runtime/runner.ts';
import { bodyOf, type ChainState } from './chain-state.ts';
import type { Engine } from './engine.ts';
import { LEGS, marginOf, PARTIES, START } from './model.ts';
import type { Space, World } from './space.ts';
import { truthOf } from './views.ts';

// The clock goes from one moment at which something changes by itself to the next: deadlines of the engines, locks of the
// payments, and the moments at which an engine must be there.

/** Deadlines of the machines that no engine acts on. */
const IDLE_DEADLINES: ReadonlySet<string> = new Set(['claimConfirmation', 'watcherSpend', 'watcherRefund']);

/** The next moment, in seconds since the start; null when nothing changes by itself any more. */
export function nextMoment(space: Space, world: World): number | null {
  let next = Number.POSITIVE_INFINITY;
  const consider = (at: number) => {
    if (at > world.now && at < next) next = at;
  };
  for (const party of PARTIES) {
    const engine = space.engines[party];
    if (engine === null || engine.get(world.parties[party]).status === 'done') continue;
    for (const at of momentsOf(space, engine, world.parties[party])) consider(at);
  }
  for (const leg of LEGS) for (const at of locksOf(space, world, leg)) consider(at);
  return next === Number.POSITIVE_INFINITY ? null : next;
}

const moments = new WeakMap<Engine, number[][]>();

function momentsOf({ model }: Space, engine: Engine, id: number): readonly number[] {
  const known = moments.get(engine) ?? [];
  moments.set(engine, known);
  const found = known[id];
  if (found !== undefined) return found;
  const runner = engine.runnerOf(id);
  const { definition } = runner.kind;
  const deadlines = definition.deadlines(stateOf(runner), runner.position.context);
  const times = deadlines.flatMap(({ kind, at }) => {
    return IDLE_DEADLINES.has(kind) ? [] : [Math.floor(at / 1000) + 1 - START];
  });
  const { otherTerms } = viewOf(runner);
  if (otherTerms !== null) times.push(otherTerms.lock - marginOf(model.bounds) - START);
  known[id] = times;
  return times;
}

/** One second after each lock of a payment that is not spent for good. */
function locksOf({ model, chains }: Space, world: World, leg: 'maker' | 'taker'): readonly number[] {
  const parts = model.chains[leg];
  const state = chains[leg].get(world.chains[leg]);
  const locks: number[] = [];
  for (const tx of state.txs) {
    const { terms } = bodyOf(parts, tx);
    if (terms === null) continue;
    const { spend } = truthOf(parts, state, terms);
    if (spend === null || spend.depth < model.bounds.finality) locks.push(terms.lock + 1 - START);
  }
  return locks;
}

/** Whether the clock may go on: every engine that runs has come to rest, and the assumptions of the money rules hold. */
export function mayAdvance(space: Space, world: World, to: number): boolean {
  for (const party of PARTIES) {
    const engine = space.engines[party];
    if (engine === null) continue;
    if (!isAtRest(engine, world, party)) return false;
    if (space.model.bounds.timely && !isInTime(space, world, { engine, to })) return false;
  }
  return true;
}

function isAtRest(engine: Engine, world: World, party: 'maker' | 'taker'): boolean {
  const id = world.parties[party];
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

/**
 * A fifth of the lock duration before the lock of the other's payment, an engine with money at stake runs, its nodes answer, its
 * chain's clock is not behind, and what it has broadcast is final.
 */
function isInTime(space: Space, world: World, { engine, to }: { engine: Engine; to: number }): boolean {
  const { model } = space;
  const id = world.parties[engine.party];
  const { status } = engine.get(id);
  if (status === 'done') return true;
  const runner = engine.runnerOf(id);
  const { ownTerms, otherTerms } = viewOf(runner);
  if (ownTerms === null || otherTerms === null || to < otherTerms.lock - marginOf(model.bounds) - START) return true;
  if (!hasAtStake(runner)) return true;
  if (status === 'down' || engine.isPausing(id)) return false;
  const own = space.chains[engine.party].get(world.chains[engine.party]);
  const { funding, spend } = truthOf(model.chains[engine.party], own, ownTerms);
  const behind = funding !== null && spend === null && ownTerms.lock < world.now + START && own.clock <= ownTerms.lock;
  if (behind && model.chains[engine.party].kind !== 'autoRefund') return false;
  return LEGS.every((leg) => isSettled(space, world, { leg, engine }));
}

function hasAtStake({ journal }: Runner): boolean {
  return journal.prepared.payment.some(({ attemptedAt, dead }) => attemptedAt !== null && !dead);
}

function isSettled({ model, chains }: Space, world: World, of: { leg: 'maker' | 'taker'; engine: Engine }): boolean {
  const state: ChainState = chains[of.leg].get(world.chains[of.leg]);
  return state.txs.every((tx) => {
    const { owner } = bodyOf(model.chains[of.leg], tx);
    const inItsName = owner === of.engine.party || (owner === 'watcher' && of.engine.party === 'taker');
    return !inItsName || tx.depth >= model.bounds.finality;
  });
}
