import type { SwapRequest } from '../../events/journal.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Millis, Seconds, UnixSeconds } from '../../primitives/time.ts';
import { askChain } from '../../runtime/ask.ts';
import type { AskResult, Command } from '../../runtime/command.ts';
import { DEFAULT_POLICY, type Policy } from '../../runtime/policy.ts';
import { receive, stateOf } from '../../runtime/runner.ts';
import { createSimChain } from '../chains/create.ts';
import type { SimChain } from '../chains/types.ts';
import { type Rng, xorshift32 } from '../xorshift.ts';
import { conducted } from './conduct.ts';
import {
  absorb,
  type Behaviour,
  CRASH,
  commit,
  createNode,
  die,
  isOver,
  publish,
  recordsOf,
  revive,
  type SimNode,
  SOUND,
  sent,
  store,
} from './node.ts';
import { createEventQueue, type EventQueue } from './queue.ts';
import { type ChainEvent, type ChainName, EPOCH, type Scenario } from './scenario.ts';
import {
  createWatcherNode,
  reviveWatcher,
  runWatcher,
  tellWatcher,
  type WatcherNode,
  type WatcherTurn,
} from './watcher-node.ts';

/** Timings of a simulated engine: chains tell of changes, so that polling can be slow. For a lock of 7800 s. */
export const SIMULATED_POLICY: Policy = {
  ...DEFAULT_POLICY,
  confirmationPoll: 600,
  spendPoll: 600,
  refundPoll: 900,
  freshness: 10,
  backoff: { first: 20, factor: 2, most: 300 },
};

const USUAL_LOCK = 7800;

/** The timings for a lock duration: polls of a chain take the same part of a long lock as of a short one. */
export function simulatedPolicy(lockDuration: Seconds): Policy {
  const factor = Math.max(1, lockDuration / USUAL_LOCK);
  const { spendPoll, refundPoll } = SIMULATED_POLICY;
  return {
    ...SIMULATED_POLICY,
    spendPoll: Math.floor(spendPoll * factor),
    refundPoll: Math.floor(refundPoll * factor),
  };
}

type Happening =
  | { readonly kind: 'wake'; readonly node: SimNode; readonly at: number }
  | { readonly kind: 'revive'; readonly node: SimNode }
  | { readonly kind: 'deliver'; readonly to: SimNode; readonly message: SwapMessage }
  | { readonly kind: 'watch'; readonly message: SwapMessage; readonly from: string }
  | { readonly kind: 'wakeWatcher'; readonly token: number }
  | { readonly kind: 'reviveWatcher' }
  | { readonly kind: 'mine'; readonly chain: ChainName }
  | { readonly kind: 'chain'; readonly event: ChainEvent };

/** A run under way. Everything in it follows from the scenario. */
export type World = {
  readonly scenario: Scenario;
  readonly rng: Rng;
  readonly chains: Readonly<Record<ChainName, SimChain>>;
  readonly nodes: Readonly<Record<'maker' | 'taker', SimNode>>;
  /** Null where nobody watches. */
  readonly watcher: WatcherNode | null;
  readonly queue: EventQueue<Happening>;
  /** True time, in milliseconds. */
  now: number;
  /** The same, for chains and hosts. */
  readonly clock: { now: number };
  /** Things that happened, counted. */
  steps: number;
  readonly observer: Observer;
};

/** Looks on without taking part. */
export type Observer = {
  /** After each append, with the records; `node.runner` has them. */
  readonly appended?: (
    world: World,
    node: SimNode,
    records: readonly { readonly type: string; readonly data: unknown }[],
  ) => void;
  /** After each answer of a chain. */
  readonly answered?: (
    world: World,
    node: SimNode,
    asked: { readonly command: Extract<Command, { kind: 'ask' }>; readonly result: AskResult },
  ) => void;
  readonly crashed?: (world: World, node: SimNode) => void;
  /** After each thing that happened. */
  readonly settled?: (world: World) => void;
};

export type WorldOptions = {
  readonly behaviours?: Partial<Record<'maker' | 'taker', Behaviour>>;
  readonly observer?: Observer;
  readonly policy?: Policy;
};

const KEYS = { maker: 'a1'.repeat(32), taker: 'b2'.repeat(32) };

/** A world at its first moment: both sides have been told of the swap and nothing has happened. */
export function createWorld(scenario: Scenario, options: WorldOptions = {}): World {
  const rng = xorshift32(scenario.seed);
  const clock = { now: EPOCH * 1000 };
  const chains = {
    maker: chainOf(scenario, 'maker', { rng, clock }),
    taker: chainOf(scenario, 'taker', { rng, clock }),
  };
  const policy = options.policy ?? simulatedPolicy(scenario.lockDuration);
  const uuid = uuidOf(rng);
  const secret = bytesToHex(Uint8Array.from({ length: 32 }, () => rng.below(256)));
  const node = (name: 'maker' | 'taker') =>
    createNode({
      name,
      plan: scenario.parties[name],
      behaviour: conducted(scenario.parties[name].conduct, options.behaviours?.[name] ?? SOUND),
      policy,
      hostClock: () => Math.floor(clock.now / 1000) + scenario.parties[name].skew,
      request: requestOf(scenario, { name, uuid, secret }),
      wallets: { maker: wallet(chains.maker, name, scenario), taker: wallet(chains.taker, name, scenario) },
    });
  const world: World = {
    scenario,
    rng,
    chains,
    nodes: { maker: node('maker'), taker: node('taker') },
    watcher: watcherOf(scenario, chains, policy),
    queue: createEventQueue(),
    clock,
    now: clock.now,
    steps: 0,
    observer: options.observer ?? {},
  };
  for (const name of ['maker', 'taker'] as const) {
    const request = requestOf(scenario, { name, uuid, secret });
    const party = world.nodes[name];
    const records = recordsOf(party.runner, [{ type: 'SwapRequested', data: request }], localNow(world, party));
    if (party.behaviour.publishFirst) publish(party, records);
    commit(party, records);
    wakeNode(world, party, clock.now);
  }
  for (const chain of ['maker', 'taker'] as const) scheduleBlock(world, chain);
  for (const event of scenario.chainEvents) world.queue.push((EPOCH + event.at) * 1000, { kind: 'chain', event });
  return world;
}

function chainOf(scenario: Scenario, name: ChainName, { rng, clock }: { rng: Rng; clock: { now: number } }): SimChain {
  const { kind, coin, blockTime, finality, faults } = scenario.chains[name];
  const now = () => Math.floor(clock.now / 1000) as UnixSeconds;
  const chain = createSimChain(kind, {
    coin,
    blockTime,
    finality,
    fidelity: scenario.fidelity,
    now,
    rng: xorshift32(rng.next()),
  });
  if (faults.length > 0) chain.setFaults(faults.map((fault) => ({ ...fault, ...shifted(fault) })));
  return chain;
}

function shifted({ from, until }: { from: number; until: number }): { from: UnixSeconds; until: UnixSeconds } {
  return { from: (EPOCH + from) as UnixSeconds, until: (EPOCH + until) as UnixSeconds };
}

function wallet(chain: SimChain, party: 'maker' | 'taker', scenario: Scenario) {
  const own = scenario.chains[party].coin === chain.coin;
  const made = chain.wallet({ party, funds: (own ? '100' : '1') as never });
  const faults = scenario.parties[party].nodes[own === (party === 'maker') ? 'maker' : 'taker'];
  if (faults.length > 0) made.setFaults(faults.map((fault) => ({ ...fault, ...shifted(fault) })));
  return made;
}

function watcherOf(scenario: Scenario, chains: World['chains'], policy: Policy): WatcherNode | null {
  if (scenario.watcher === null) return null;
  const wallets = {
    maker: chains.maker.wallet({ party: 'watcher' }),
    taker: chains.taker.wallet({ party: 'watcher' }),
  };
  return createWatcherNode({ wallets, crashes: scenario.watcher.crashes, policy, fidelity: scenario.fidelity });
}

function uuidOf(rng: Rng): string {
  const hex = Array.from({ length: 4 }, () => rng.next().toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function requestOf(
  scenario: Scenario,
  { name, uuid, secret }: { name: 'maker' | 'taker'; uuid: string; secret: string },
): SwapRequest {
  return {
    role: name,
    uuid,
    my_order_uuid: uuid,
    maker_coin: scenario.chains.maker.coin,
    taker_coin: scenario.chains.taker.coin,
    maker_amount: scenario.makerAmount,
    taker_amount: scenario.takerAmount,
    counterparty: KEYS[name === 'maker' ? 'taker' : 'maker'],
    my_persistent_pub: `02${KEYS[name]}`,
    lock_duration: scenario.lockDuration,
    maker_payment_confirmations: scenario.confirmations.maker,
    maker_payment_requires_nota: false,
    taker_payment_confirmations: scenario.confirmations.taker,
    taker_payment_requires_nota: false,
    secret: name === 'maker' ? secret : null,
    use_watchers: scenario.useWatchers,
  };
}

/** The moment by a party's own clock. */
export function localNow(world: World, node: SimNode): Millis {
  return (world.now + node.plan.skew * 1000) as Millis;
}

function scheduleBlock(world: World, chain: ChainName): void {
  const { blockTime } = world.scenario.chains[chain];
  const wait = Math.max(1, Math.floor((blockTime * (200 + world.rng.below(1600))) / 1000));
  world.queue.push(world.now + wait * 1000, { kind: 'mine', chain });
}

/** Lets one thing happen. False when nothing is left to happen before the horizon. */
export function advance(world: World): boolean {
  const next = world.queue.pop();
  if (next === undefined || next.at > (EPOCH + world.scenario.horizon) * 1000) return false;
  const { maker, taker } = world.nodes;
  if (maker.done && taker.done) return false;
  world.now = next.at;
  world.clock.now = next.at;
  world.steps += 1;
  happen(world, next.item);
  // Each may cause work for the other: on until both wait.
  const { watcher } = world;
  while ((maker.alive && maker.dirty) || (taker.alive && taker.dirty) || watcher?.dirty === true) {
    if (maker.alive && maker.dirty) runNode(world, maker);
    if (taker.alive && taker.dirty) runNode(world, taker);
    if (watcher?.dirty === true) runWatcher(watcher, watcherTurn(world));
  }
  world.observer.settled?.(world);
  return true;
}

function watcherTurn({ now, queue }: World): WatcherTurn {
  return {
    now: now as Millis,
    wakeAt: (at, token) => queue.push(Math.max(at, now + 1000), { kind: 'wakeWatcher', token }),
    reviveAfter: (seconds) => queue.push(now + seconds * 1000 + 1, { kind: 'reviveWatcher' }),
  };
}

/** Runs a world to its end. */
export function runWorld(world: World): void {
  while (advance(world));
}

function happen(world: World, item: Happening): void {
  switch (item.kind) {
    case 'wake':
      ring(world, item.node, item.at);
      return;
    case 'revive':
      revive(item.node);
      return;
    case 'deliver':
      if (!item.to.alive || isOver(item.to)) return;
      receive(item.to.runner, item.message);
      item.to.dirty = true;
      return;
    case 'watch':
      if (world.watcher !== null) tellWatcher(world.watcher, { ...item, now: world.now as Millis });
      return;
    case 'wakeWatcher':
      if (world.watcher?.alive === true && world.watcher.wake === item.token) world.watcher.dirty = true;
      return;
    case 'reviveWatcher':
      if (world.watcher !== null) reviveWatcher(world.watcher);
      return;
    case 'mine':
      world.chains[item.chain].mine();
      scheduleBlock(world, item.chain);
      return;
    case 'chain':
      disturb(world, item.event);
      return;
    default:
      item satisfies never;
  }
}

/** Has a node woken; a timer that rings earlier is left to be set anew when it rings. */
function wakeNode({ queue }: World, node: SimNode, at: number): void {
  node.wakeAt = at;
  if (at >= node.timerAt) return;
  node.timerAt = at;
  queue.push(at, { kind: 'wake', node, at });
}

function ring(world: World, node: SimNode, at: number): void {
  if (node.timerAt !== at) return;
  node.timerAt = Number.POSITIVE_INFINITY;
  if (!node.alive || isOver(node) || node.wakeAt === Number.POSITIVE_INFINITY) return;
  if (node.wakeAt <= at) node.dirty = true;
  else wakeNode(world, node, node.wakeAt);
}

function disturb(world: World, event: ChainEvent): void {
  const chain = world.chains[event.chain];
  if (event.kind === 'dropMempool') {
    chain.expire(Math.floor(world.now / 1000 + 1) as UnixSeconds);
    return;
  }
  const depth = Math.min(event.depth, chain.height() - 1000);
  if (depth > 0) chain.reorg(event.drop ? { depth, drop: 'all' } : { depth });
}

const MOST_COMMANDS_AT_ONCE = 2_000;

/** Lets a node's engine work until it waits, ends or dies. */
function runNode(world: World, node: SimNode): void {
  node.dirty = false;
  for (let count = 0; count < MOST_COMMANDS_AT_ONCE; count += 1) {
    const now = localNow(world, node);
    const command = node.behaviour.decide(node.runner, now, node);
    if (command.kind === 'done') {
      node.done = true;
      return;
    }
    if (command.kind === 'wait') {
      node.wakeAt = Number.POSITIVE_INFINITY;
      const at = Math.max(command.until - node.plan.skew * 1000, world.now + 1000);
      if (command.until < Number.MAX_SAFE_INTEGER) wakeNode(world, node, at);
      return;
    }
    try {
      perform(world, node, command);
    } catch (fault) {
      if (fault !== CRASH) throw fault;
      return;
    }
  }
  throw new Error(`${node.name} in state ${stateOf(node.runner)} did not come to rest`);
}

function perform(world: World, node: SimNode, command: Exclude<Command, { kind: 'wait' | 'done' }>): void {
  node.commands += 1;
  boundary(world, node, 'before');
  const now = localNow(world, node);
  if (command.kind === 'append') {
    const records = recordsOf(node.runner, command.events, now);
    if (node.behaviour.publishFirst) publish(node, records);
    node.behaviour.beforeAppend(node, command.events);
    const { storage } = node.plan;
    const fault = storage.length === 0 ? undefined : storage.find(({ at }) => at === node.commands);
    if (fault !== undefined) {
      // The answer is an error: what is stored is found out by reading the log again.
      if (fault.how === 'unanswered') store(node, records);
      world.observer.crashed?.(world, node);
      die(node);
      revive(node);
      if (fault.how === 'unanswered') world.observer.appended?.(world, node, records);
      return;
    }
    commit(node, records);
    world.observer.appended?.(world, node, records);
    boundary(world, node, 'after');
    vanish(world, node, records);
    return;
  }
  if (command.kind === 'send') {
    send(world, node, command);
    boundary(world, node, 'after');
    sent(node.runner, { message: command.message, now });
    return;
  }
  const real = askChain(node.wallets[command.leg], command.question) as AskResult;
  const result = node.behaviour.answer(command.question, real, node);
  world.observer.answered?.(world, node, { command, result });
  boundary(world, node, 'after');
  absorb(node.runner, command, { result, now });
}

function boundary(world: World, node: SimNode, when: 'before' | 'after'): void {
  const { crashes } = node.plan;
  if (crashes.length === 0) return;
  const crash = crashes.find((plan) => plan.at === node.commands && plan.when === when);
  if (crash === undefined) return;
  world.observer.crashed?.(world, node);
  die(node);
  world.queue.push(world.now + crash.downFor * 1000 + 1, { kind: 'revive', node });
  throw CRASH;
}

/** A party that stops of its own will, for a while or for good. */
function vanish(world: World, node: SimNode, records: readonly { readonly type: string }[]): void {
  const { conduct } = node.plan;
  if (conduct.kind !== 'vanish' || !records.some(({ type }) => type === conduct.after)) return;
  die(node);
  if (conduct.backAfter === null) node.done = true;
  else world.queue.push(world.now + conduct.backAfter * 1000 + 1, { kind: 'revive', node });
  throw CRASH;
}

function send(world: World, node: SimNode, { message, signer }: Extract<Command, { kind: 'send' }>): void {
  const { rng, nodes, scenario, queue } = world;
  if (message.kind === 'watcher') {
    if (world.watcher !== null)
      queue.push(world.now + 1000, { kind: 'watch', message, from: signer?.slice(2) ?? KEYS[node.name] });
    return;
  }
  const { latency, lossPerMille, duplicatePerMille } = scenario.network;
  const to = node.name === 'maker' ? nodes.taker : nodes.maker;
  const delay = () => (latency[0] + rng.below(latency[1] - latency[0] + 1)) * 1000;
  const fate = lossPerMille + duplicatePerMille === 0 ? 1000 : rng.below(1000);
  if (fate < lossPerMille) return;
  queue.push(world.now + delay(), { kind: 'deliver', to, message });
  if (fate < lossPerMille + duplicatePerMille) queue.push(world.now + delay() + 1000, { kind: 'deliver', to, message });
}
