import type { SwapMessage } from '../../ports/peers.ts';
import type { Leg } from '../../runtime/command.ts';
import { viewOf } from '../../runtime/runner.ts';
import { nameOf } from './bodies.ts';
import { type Budget, costOf, left } from './bounds.ts';
import { bodyOf, type ChainState, without } from './chain-state.ts';
import { mayAdvance, nextMoment, placeOf } from './clock.ts';
import type { Engine, Outcome } from './engine.ts';
import { mine, reorg } from './mining.ts';
import { LEGS, otherOf, PARTIES, type PartyName, START } from './model.ts';
import { heard, type Move, type Outsider, observed } from './outsider.ts';
import type { Found } from './rules.ts';
import { type Space, sameWorld, type World } from './space.ts';

/** One thing that can happen next. */
export type Successor = {
  readonly world: World;
  readonly actor: string;
  readonly lines: readonly string[];
  readonly found: readonly Found[];
  /** `calm`: sooner or later it happens unless something else does. The others need not happen at all. */
  readonly kind: 'calm' | 'trouble' | 'outside';
};

const NOTHING_FOUND: readonly Found[] = [];

/** Everything that can happen next, in a fixed order. */
export function successorsOf(space: Space, world: World): readonly Successor[] {
  const list: Successor[] = [];
  const add = (successor: Successor) => {
    if (successor.found.length > 0 || !sameWorld(successor.world, world)) list.push(successor);
  };
  for (const party of PARTIES) {
    const engine = space.engines[party];
    if (engine !== null) addEngine(space, world, { engine, add });
  }
  for (const leg of LEGS) addChain(space, world, { leg, add });
  addClock(space, world, { add, isLast: !list.some(({ kind }) => kind === 'calm') });
  if (space.adversary !== null) addMoves(space, world, { outsider: space.adversary, add });
  if (space.watcher !== null) addMoves(space, world, { outsider: space.watcher, add });
  return list;
}

type Add = (successor: Successor) => void;

function addEngine(space: Space, world: World, { engine, add }: { engine: Engine; add: Add }): void {
  const { party } = engine;
  const id = world.parties[party];
  const { status } = engine.get(id);
  if (status === 'done') return;
  if (status === 'down') {
    add({
      world: restart(space, world, engine),
      actor: party,
      lines: ['starts again'],
      found: NOTHING_FOUND,
      kind: 'calm',
    });
    return;
  }
  for (const outcome of engine.runs(id, placeOf(world), world.budget)) add(ran(space, world, { party, outcome }));
  if (!engine.isPausing(id)) return;
  const outcomes = engine.runs(engine.retrying(id), placeOf(world), world.budget);
  for (const outcome of outcomes) {
    const successor = ran(space, world, { party, outcome });
    add({ ...successor, lines: ['tries again', ...successor.lines] });
  }
}

function ran(
  space: Space,
  world: World,
  { party, outcome }: { readonly party: PartyName; readonly outcome: Outcome },
): Successor {
  const { state, chains, sent, lines, found, cost } = outcome;
  let next: World = {
    ...world,
    parties: { ...world.parties, [party]: state },
    chains,
    budget: world.budget - cost,
  };
  for (const message of sent) next = delivered(space, next, { from: party, message });
  const kind = cost === 0 ? 'calm' : 'trouble';
  return { world: seenByAll(space, next), actor: party, lines, found, kind };
}

/** The other side and the watchers know of a restart soon, because they get no answer: they say again what they said. */
function restart(space: Space, world: World, engine: Engine): World {
  const { party } = engine;
  const other = otherOf(party);
  const peer = space.engines[other];
  const again = peer === null ? world.parties[other] : peer.sendingAgain(world.parties[other]);
  const parties = { ...world.parties, [party]: engine.restarted(world.parties[party]), [other]: again };
  return { ...world, parties };
}

function delivered(
  { engines, outsiders, watcher }: Space,
  world: World,
  { from, message }: { readonly from: PartyName; readonly message: SwapMessage },
): World {
  if (message.kind === 'watcher') {
    if (watcher === null) return world;
    return { ...world, watcher: outsiders.id(heard(outsiders.get(world.watcher), message)) };
  }
  const to = otherOf(from);
  const id = world.parties[to];
  const engine = engines[to];
  const next = engine === null ? outsiders.id(heard(outsiders.get(id), message)) : engine.received(id, message);
  return next === id ? world : { ...world, parties: { ...world.parties, [to]: next } };
}

function seenByAll(space: Space, world: World): World {
  const { model, outsiders, adversary, watcher, chains } = space;
  const taker = chains.taker.get(world.chains.taker);
  let next = world;
  if (watcher !== null) {
    const id = outsiders.id(observed(model, outsiders.get(world.watcher), taker));
    if (id !== world.watcher) next = { ...next, watcher: id };
  }
  if (adversary !== null && adversary.party !== 'watcher') {
    const { party } = adversary;
    const id = outsiders.id(observed(model, outsiders.get(world.parties[party]), taker));
    if (id !== world.parties[party]) next = { ...next, parties: { ...next.parties, [party]: id } };
  }
  return next;
}

function addChain(space: Space, world: World, { leg, add }: { readonly leg: Leg; readonly add: Add }): void {
  const parts = space.model.chains[leg];
  const state = space.chains[leg].get(world.chains[leg]);
  const change = (next: ChainState, line: string, cost: Budget) =>
    add({
      world: seenByAll(space, {
        ...world,
        chains: { ...world.chains, [leg]: space.chains[leg].id(next) },
        budget: world.budget - cost,
      }),
      actor: `${leg} chain`,
      lines: [line],
      found: NOTHING_FOUND,
      kind: cost === 0 ? 'calm' : 'trouble',
    });
  change(mine(parts, state, world.now + START), 'a block', 0);
  if (left(world.budget, 'drops') > 0) {
    for (const tx of state.txs) {
      if (tx.depth > 0) continue;
      const line = `the mempool forgets the ${nameOf(bodyOf(parts, tx))}`;
      change(without(parts, state, tx.id), line, costOf('drops'));
    }
  }
  if (left(world.budget, 'reorgs') === 0 || reliesOnTop(space, state, leg)) return;
  const back = reorg(parts, state, 'returned');
  if (back !== null) change(back, 'the last block is replaced; its transactions wait again', costOf('reorgs'));
  const gone = left(world.budget, 'drops') === 0 ? null : reorg(parts, state, 'dropped');
  if (gone !== null) {
    const cost = costOf('reorgs') + costOf('drops');
    change(gone, 'the last block is replaced; its transactions are gone', cost);
  }
}

/** No reorg goes as deep as the confirmations that somebody waited for. */
function reliesOnTop({ model }: Space, { txs }: ChainState, leg: Leg): boolean {
  if (model.bounds.confirmations > 1) return false;
  return txs.some((tx) => tx.depth === 1 && bodyOf(model.chains[leg], tx).purpose === 'payment');
}

function addClock(space: Space, world: World, { add, isLast }: { readonly add: Add; readonly isLast: boolean }): void {
  const to = nextMoment(space, world);
  // Past the last moment only the patience of the engines ends, and only when nothing else happens.
  if ((to === null && !isLast) || !mayAdvance(space, world, to ?? world.now)) return;
  const parties = { ...world.parties };
  for (const party of PARTIES) {
    const engine = space.engines[party];
    if (engine !== null) parties[party] = engine.later(parties[party]);
  }
  const lines = [to === null ? 'a while goes by' : `time goes on by ${to - world.now} s`];
  const next = { ...world, now: to ?? world.now, parties };
  add({ world: next, actor: 'clock', lines, found: NOTHING_FOUND, kind: 'calm' });
}

function addMoves(space: Space, world: World, { outsider, add }: { outsider: Outsider; add: Add }): void {
  const { outsiders, engines, chains, adversary } = space;
  const isWatcher = outsider.party === 'watcher';
  const honest = adversary === null ? engines.taker : engines[otherOf(adversary.party as PartyName)];
  if (honest === null) return;
  const id = outsider.party === 'watcher' ? world.watcher : world.parties[outsider.party];
  const sight = {
    state: outsiders.get(id),
    now: world.now + START,
    chains: { maker: chains.maker.get(world.chains.maker), taker: chains.taker.get(world.chains.taker) },
    honest: viewOf(honest.runnerOf(world.parties[honest.party])),
  };
  for (const move of outsider.moves(sight)) {
    const next = moved(space, world, { outsider, move });
    add({ world: next, actor: isWatcher ? 'watcher' : `adversary (${outsider.party})`, ...textOf(move) });
  }
}

function textOf({ text }: Move): Pick<Successor, 'lines' | 'found' | 'kind'> {
  return { lines: [text], found: NOTHING_FOUND, kind: 'outside' };
}

function moved(space: Space, world: World, { outsider, move }: { outsider: Outsider; move: Move }): World {
  const id = space.outsiders.id(move.state);
  const { maker, taker } = move.chains;
  const chains = { maker: space.chains.maker.id(maker), taker: space.chains.taker.id(taker) };
  if (outsider.party === 'watcher') return seenByAll(space, { ...world, watcher: id, chains });
  const { party } = outsider;
  let next: World = { ...world, parties: { ...world.parties, [party]: id }, chains };
  for (const message of move.sent) next = delivered(space, next, { from: party, message });
  return seenByAll(space, next);
}
