import type { SwapMessage } from '../ports/peers.ts';
import type { Leg } from '../runtime/command.ts';
import { viewOf } from '../runtime/swap/runner.ts';
import { nameOf } from './bodies.ts';
import { type Budget, costOf, left } from './bounds.ts';
import { bodyOf, type ChainParts, type ChainState, standing, without } from './chain-state.ts';
import { areAtRest, areInTime, nextMoment, placeOf } from './clock.ts';
import { mine, reorg } from './mining.ts';
import { LEGS, otherOf, PARTIES, type Seat, START } from './model.ts';
import { heard, type Move, type Outsider, observed } from './outsider.ts';
import type { Outcome, PartyEngine } from './party-engine.ts';
import type { Found } from './rules.ts';
import { placeIn, SEATS, type Space, sameWorld, type World, withPlace } from './space.ts';

/** One thing that can happen next. */
export type Successor = {
  readonly world: World;
  readonly actor: string;
  /** What it did, one line each; told only when someone asks. */
  readonly lines: () => readonly string[];
  readonly found: readonly Found[];
  /** `calm`: it happens sooner or later unless something else does. The others need never happen. */
  readonly kind: 'calm' | 'trouble' | 'outside';
};

const NOTHING_FOUND: readonly Found[] = [];

/** Everything that can happen next, in a fixed order. */
export function successorsOf(space: Space, world: World): readonly Successor[] {
  const list: Successor[] = [];
  const add = (successor: Successor) => {
    if (successor.found.length > 0 || !sameWorld(successor.world, world)) list.push(successor);
  };
  for (const seat of SEATS) {
    const engine = space.engines[seat];
    if (engine !== null) addEngine(space, world, { engine, add });
  }
  for (const leg of LEGS) addChain(space, world, { leg, add });
  addClock(space, world, { add, isLast: !list.some(({ kind }) => kind === 'calm') });
  if (space.adversary !== null) addMoves(space, world, { outsider: space.adversary, add });
  if (space.freeWatcher !== null) addMoves(space, world, { outsider: space.freeWatcher, add });
  return list;
}

type Add = (successor: Successor) => void;

function addEngine(space: Space, world: World, { engine, add }: { engine: PartyEngine; add: Add }): void {
  const { seat } = engine;
  const id = placeIn(world, seat);
  const { status } = engine.get(id);
  if (status === 'done') return;
  if (status === 'down') {
    const next = restart(space, world, engine);
    add({ world: next, actor: seat, lines: () => ['starts again'], found: NOTHING_FOUND, kind: 'calm' });
    return;
  }
  for (const outcome of engine.runs(id, placeOf(world), world.budget)) add(ran(space, world, { seat, outcome }));
  if (!engine.isPausing(id)) return;
  for (const outcome of engine.runs(engine.retrying(id), placeOf(world), world.budget)) {
    const successor = ran(space, world, { seat, outcome });
    add({ ...successor, lines: () => ['tries again', ...outcome.lines] });
  }
}

function ran(
  space: Space,
  world: World,
  { seat, outcome }: { readonly seat: Seat; readonly outcome: Outcome },
): Successor {
  const { state, chains, sent, lines, found, cost } = outcome;
  let next: World = { ...withPlace(world, seat, state), chains, budget: world.budget - cost };
  for (const message of sent) next = delivered(space, next, { from: seat, message });
  const kind = cost === 0 ? 'calm' : 'trouble';
  return { world: seenByAll(space, next), actor: seat, lines: () => lines, found, kind };
}

/** The other side soon notices a restart, because it gets no answer: it repeats what it said. */
function restart({ engines }: Space, world: World, { seat, restarted }: PartyEngine): World {
  let next = withPlace(world, seat, restarted(placeIn(world, seat)));
  for (const other of PARTIES) {
    const peer = other === seat ? null : engines[other];
    if (peer !== null) next = withPlace(next, other, peer.sendingAgain(next.parties[other]));
  }
  return next;
}

function delivered(
  { engines, outsiders, freeWatcher }: Space,
  world: World,
  { from, message }: { readonly from: Seat; readonly message: SwapMessage },
): World {
  const to = message.kind === 'watcher' ? 'watcher' : otherOf(from === 'maker' ? 'maker' : 'taker');
  const id = placeIn(world, to);
  const engine = engines[to];
  if (engine !== null) return withPlace(world, to, engine.received(id, message));
  if (to === 'watcher' && freeWatcher === null) return world;
  return withPlace(world, to, outsiders.id(heard(outsiders.get(id), message)));
}

function seenByAll({ model, outsiders, adversary, freeWatcher, chains }: Space, world: World): World {
  const taker = chains.taker.get(world.chains.taker);
  let next = world;
  for (const outsider of [adversary, freeWatcher]) {
    if (outsider === null) continue;
    const state = outsiders.get(placeIn(next, outsider.party));
    const id = outsiders.id(observed(model, state, taker));
    next = withPlace(next, outsider.party, id);
  }
  return next;
}

function addChain(space: Space, world: World, { leg, add }: { readonly leg: Leg; readonly add: Add }): void {
  const parts = space.model.chains[leg];
  const state = space.chains[leg].get(world.chains[leg]);
  const change = (next: ChainState, line: () => string, { cost, isBlock = false }: Change) =>
    add({
      world: seenByAll(space, {
        ...(isBlock ? counted(space, world, leg) : world),
        chains: { ...world.chains, [leg]: space.chains[leg].id(next) },
        budget: world.budget - cost,
      }),
      actor: `${leg} chain`,
      lines: () => [line()],
      found: NOTHING_FOUND,
      kind: cost === 0 ? 'calm' : 'trouble',
    });
  const block = { now: world.now + START };
  const mined = mine(parts, state, block);
  change(mined, () => tellBlock(parts, state, mined), { cost: 0, isBlock: true });
  if (left(world.budget, 'partials') > 0) {
    for (const { id, depth } of mined.txs) {
      if (depth !== 1 || standing(state, id)?.depth !== 0) continue;
      const partial = mine(parts, state, { ...block, without: id });
      const line = () =>
        `${tellBlock(parts, state, partial)}; it leaves out the ${nameOf(bodyOf(parts, { id, depth }))}`;
      change(partial, line, { cost: costOf('partials'), isBlock: true });
    }
  }
  if (left(world.budget, 'drops') > 0) {
    for (const tx of state.txs) {
      if (tx.depth > 0) continue;
      const line = () => `the mempool forgets the ${nameOf(bodyOf(parts, tx))}`;
      change(without(parts, state, tx.id), line, { cost: costOf('drops') });
    }
  }
  if (left(world.budget, 'reorgs') === 0) return;
  const back = reorg(parts, state, 'returned');
  if (back !== null) change(back, () => tellReorg(parts, state, 'wait again'), { cost: costOf('reorgs') });
  const gone = left(world.budget, 'drops') === 0 ? null : reorg(parts, state, 'dropped');
  if (gone !== null) {
    const cost = costOf('reorgs') + costOf('drops');
    change(gone, () => tellReorg(parts, state, 'are gone'), { cost });
  }
}

/** What a change of a chain costs, and whether it adds a block. */
type Change = { readonly cost: Budget; readonly isBlock?: boolean };

/** Engines that miss a payment count the blocks. */
function counted({ engines }: Space, world: World, leg: Leg): World {
  let next = world;
  for (const seat of SEATS) {
    const engine = engines[seat];
    if (engine !== null) next = withPlace(next, seat, engine.mined(placeIn(next, seat), leg));
  }
  return next;
}

function tellBlock(parts: ChainParts, before: ChainState, after: ChainState): string {
  const told = after.txs.flatMap((tx) => {
    const was = standing(before, tx.id)?.depth ?? 0;
    if (was === tx.depth) return [];
    return [
      `${nameOf(bodyOf(parts, tx))} ${tx.reverted === true ? 'reverted' : was === 0 ? 'confirmed' : `${tx.depth} deep`}`,
    ];
  });
  if (after.clock !== before.clock) told.push('the clock of the chain has passed a lock');
  return ['a block', ...told].join('; ');
}

function tellReorg(parts: ChainParts, { txs }: ChainState, what: string): string {
  const top = txs.filter(({ depth }) => depth === 1).map((tx) => nameOf(bodyOf(parts, tx)));
  return `the last block is taken back; ${what}: ${top.length === 0 ? 'nothing' : top.join(', ')}`;
}

function addClock(space: Space, world: World, { add, isLast }: { readonly add: Add; readonly isLast: boolean }): void {
  if (!areAtRest(space, world)) return;
  const moment = nextMoment(space, world);
  const to = moment === null || !areInTime(space, world, moment) ? null : moment;
  // Patience ends even if the clock has nowhere to go, but only when nothing else happens.
  if (to === null && !isLast) return;
  let next: World = { ...world, now: to ?? world.now };
  for (const seat of SEATS) {
    const engine = space.engines[seat];
    if (engine === null) continue;
    const id = placeIn(next, seat);
    next = withPlace(next, seat, to === null ? engine.impatient(id) : engine.later(id));
  }
  const line = to === null ? 'a while goes by' : `time goes on by ${to - world.now} s`;
  add({ world: next, actor: 'clock', lines: () => [line], found: NOTHING_FOUND, kind: 'calm' });
}

function addMoves(space: Space, world: World, { outsider, add }: { outsider: Outsider; add: Add }): void {
  const { outsiders, engines, chains, adversary } = space;
  const { party } = outsider;
  const rogue = adversary === null || adversary.party === 'watcher' ? null : adversary.party;
  const honest = engines[rogue === null ? 'taker' : otherOf(rogue)];
  if (honest === null) return;
  const sight = {
    state: outsiders.get(placeIn(world, party)),
    now: world.now + START,
    chains: { maker: chains.maker.get(world.chains.maker), taker: chains.taker.get(world.chains.taker) },
    honest: viewOf(honest.runnerOf(placeIn(world, honest.seat))),
  };
  for (const move of outsider.moves(sight)) {
    const next = moved(space, world, { outsider, move });
    add({ world: next, actor: party === 'watcher' ? 'free watcher' : `adversary (${party})`, ...textOf(move) });
  }
}

function textOf({ text }: Move): Pick<Successor, 'lines' | 'found' | 'kind'> {
  return { lines: () => [text], found: NOTHING_FOUND, kind: 'outside' };
}

function moved(space: Space, world: World, { outsider, move }: { outsider: Outsider; move: Move }): World {
  const { maker, taker } = move.chains;
  const chains = { maker: space.chains.maker.id(maker), taker: space.chains.taker.id(taker) };
  const { party } = outsider;
  let next: World = { ...withPlace(world, party, space.outsiders.id(move.state)), chains };
  for (const message of move.sent) next = delivered(space, next, { from: party, message });
  return seenByAll(space, next);
}
