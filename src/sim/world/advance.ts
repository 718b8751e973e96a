import type { SwapMessage } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis, UnixSeconds } from '../../primitives/time.ts';
import { askChain } from '../../runtime/ask.ts';
import type { AskResult, Command, NewEvent } from '../../runtime/command.ts';
import { receive, stateOf } from '../../runtime/swap/runner.ts';
import { hasPaid } from '../chains/has-paid.ts';
import type { SimChain } from '../chains/types.ts';
import { afterHanding, lurks, mineBlock, overhear, undo } from './deeds.ts';
import { absorb, commit, die, isOver, publish, recordsOf, revive, type SimNode, sent, store } from './node.ts';
import { type ChainEvent, EPOCH, type Order } from './scenario.ts';
import { isSchemer } from './schemers.ts';
import { reviveWatcher, runWatcher, tellWatcher, type WatcherTurn } from './watcher-node.ts';
import { rewardIn } from './wire.ts';
import {
  DOUBLED,
  type Happening,
  KEYS,
  type LateAnswer,
  LOST,
  localNow,
  scheduleBlock,
  type World,
  wakeNode,
} from './world.ts';

/**
 * Plays one step. False if nothing is left to happen before the horizon.
 *
 * @example
 * ```ts
 * import { advance, calmScenario, createWorld } from 'swapfold/testing';
 *
 * const world = createWorld(calmScenario());
 * const { taker } = world.nodes;
 * while (!taker.records.some(({ type }) => type === 'TakerPaymentSent') && advance(world));
 * world.chains.taker.ledger.outlay('taker').payments.length; // → 0
 * while (advance(world));
 * world.chains.taker.ledger.outlay('taker').payments.map(({ end }) => end); // → ['taken']
 * ```
 */
export function advance(world: World): boolean {
  const next = world.queue.pop();
  if (next === undefined || next.at > world.until) return false;
  const { maker, taker } = world.nodes;
  if (maker.done && taker.done && !lurks(maker, world.now) && !lurks(taker, world.now)) return false;
  world.now = next.at;
  world.clock.now = next.at;
  world.steps += 1;
  happen(world, next.item);
  // Each may cause work for the other: continue until both wait.
  const { watcher, scenario } = world;
  const [first, second] = scenario.first === 'maker' ? [maker, taker] : [taker, maker];
  while ((maker.alive && maker.dirty) || (taker.alive && taker.dirty) || watcher?.dirty === true) {
    if (first.alive && first.dirty) runNode(world, first);
    if (second.alive && second.dirty) runNode(world, second);
    if (watcher?.dirty === true) {
      world.acting = 'watcher';
      runWatcher(watcher, watcherTurn(world));
    }
  }
  world.observer.settled?.(world);
  return true;
}

function watcherTurn({ now, queue }: World): WatcherTurn {
  return {
    now: now as Millis,
    wakeAt: (at, token) => queue.push(Math.max(at, now + 1000), { kind: 'wakeWatcher', of: null, given: token }),
    reviveAfter: (seconds) => queue.push(now + seconds * 1000 + 1, { kind: 'reviveWatcher', of: null, given: null }),
  };
}

/**
 * Runs a world to its end.
 *
 * @example
 * ```ts
 * import { createWorld, crashAt, runWorld, scenario } from 'swapfold/testing';
 *
 * const world = createWorld(scenario(crashAt('maker', { at: 5, when: 'before', downFor: 60 })));
 * runWorld(world);
 * [world.nodes.maker.restarts, world.nodes.maker.done]; // → [1, true]
 * ```
 */
export function runWorld(world: World): void {
  while (advance(world));
}

function happen(world: World, item: Happening): void {
  switch (item.kind) {
    case 'wake':
      ring(world, item.of, item.given);
      return;
    case 'revive':
      world.acting = item.of.name;
      revive(item.of);
      return;
    case 'deliver':
      deliver(world, item.of, item.given);
      return;
    case 'watch':
      if (world.watcher !== null)
        tellWatcher(world.watcher, { message: item.given, from: item.of, now: world.now as Millis });
      return;
    case 'wakeWatcher':
      if (world.watcher?.alive === true && world.watcher.wake === item.given) world.watcher.dirty = true;
      return;
    case 'reviveWatcher':
      if (world.watcher !== null) reviveWatcher(world.watcher);
      return;
    case 'mine':
      mineBlock(world, item.of);
      scheduleBlock(world, item.of);
      return;
    case 'chain':
      disturb(world, item.given);
      return;
    case 'jump':
      if (!isOver(item.of)) world.fired.add(item.given);
      item.of.skew = item.given.skew;
      return;
    case 'order':
      order(world, item.of, item.given);
      return;
    case 'answer':
      hearAnswer(world, item.of, item.given);
      return;
    case 'undo':
      undo(world, item.of, item.given);
      return;
    default:
      item satisfies never;
  }
}

/** Operators whose order was not accepted ask again at the next full minute, in the order of their orders; in milliseconds. */
const ASK_AGAIN = 60_000;

/**
 * An operator's order is in the log before the engine sees it. If the process is dead, the operator asks again, and keeps later orders back: a pause
 * that overtook its own end would hold the swap forever.
 */
function order(world: World, node: SimNode, given: Order): void {
  if (isOver(node)) return;
  if (!node.alive || waitsBehind(world, node, given)) {
    world.queue.push((Math.floor(world.now / ASK_AGAIN) + 1) * ASK_AGAIN, { kind: 'order', of: node, given });
    return;
  }
  world.fired.add(given);
  const event = { type: 'OperatorActed', data: { action: given.action, reason: null } };
  const records = recordsOf(node.runner, [event], localNow(world, node));
  if (node.behaviour.publishFirst) publish(node, records);
  commit(node, records);
  world.observer.appended?.(world, node, records);
  node.dirty = true;
}

/** Whether an earlier order of the same operator still waits. */
function waitsBehind({ fired }: World, { plan }: SimNode, given: Order): boolean {
  const place = plan.orders.indexOf(given);
  return plan.orders.some((other, index) => {
    return !fired.has(other) && (other.at < given.at || (other.at === given.at && index < place));
  });
}

function deliver(world: World, node: SimNode, message: SwapMessage): void {
  if (!node.alive || isOver(node)) return;
  world.acting = node.name;
  const heard = node.hooks === null ? message : node.hooks.hears(message, localNow(world, node), node);
  if (heard === null) return;
  receive(node.runner, heard);
  node.letters += 1;
  node.dirty = true;
}

function ring(world: World, node: SimNode, at: number): void {
  if (node.timerAt !== at) return;
  node.timerAt = Number.POSITIVE_INFINITY;
  if (!node.alive || isOver(node) || node.wakeAt === Number.POSITIVE_INFINITY) return;
  if (node.wakeAt <= at) node.dirty = true;
  else wakeNode(world, node, node.wakeAt);
}

function disturb(world: World, event: ChainEvent): void {
  const chain = onLeg(world.chains, event.chain);
  if (event.kind === 'dropMempool') {
    if (chain.ledger.transactions().some(({ confirmations }) => confirmations === 0)) world.fired.add(event);
    chain.expire(Math.floor(world.now / 1000 + 1) as UnixSeconds);
    return;
  }
  const { startHeight } = onLeg(world.scenario.chains, event.chain);
  const depth = Math.min(event.depth, chain.height() - startHeight);
  if (depth <= 0) return;
  if (changesAnything(chain, depth)) {
    world.reorgs.push({ chain: event.chain, depth, at: event.at });
    world.fired.add(event);
  }
  chain.reorg(event.drop ? { depth, drop: 'all' } : { depth });
}

/** Whether the last blocks hold a transaction; a chain that refunds automatically may have done so in any of them. */
function changesAnything({ kind, ledger }: SimChain, depth: number): boolean {
  if (kind === 'autoRefund') return true;
  return ledger.transactions().some(({ confirmations }) => confirmations > 0 && confirmations <= depth);
}

const MOST_COMMANDS_AT_ONCE = 2_000;

/** Lets a node's engine work until it waits, ends or dies. */
function runNode(world: World, node: SimNode): void {
  node.dirty = false;
  world.acting = node.name;
  if (node.asking) return;
  for (let count = 0; count < MOST_COMMANDS_AT_ONCE; count += 1) {
    const command = node.behaviour.decide(node.runner, localNow(world, node), node);
    switch (command.kind) {
      case 'done':
        node.done = true;
        return;
      case 'wait':
        waitUntil(world, node, command.until);
        return;
      case 'append':
        if (appendTo(world, node, command.events) === 'dead') return;
        break;
      case 'send':
        if (sendFrom(world, node, command) === 'dead') return;
        break;
      case 'ask':
        if (askFor(world, node, command) !== 'alive') return;
        break;
      default:
        command satisfies never;
    }
  }
  throw new Error(`${node.name} in state ${stateOf(node.runner)} did not come to rest`);
}

function waitUntil(world: World, node: SimNode, until: Millis): void {
  node.wakeAt = Number.POSITIVE_INFINITY;
  world.observer.waits?.(world, node, until);
  if (until >= Number.MAX_SAFE_INTEGER) return;
  wakeNode(world, node, Math.max(until - node.skew * 1000, world.now + 1000));
}

/** Whether the process of a node outlived what it did. */
type Fate = 'alive' | 'dead';

function appendTo(world: World, node: SimNode, events: readonly NewEvent[]): Fate {
  if (begun(world, node) === 'dead') return 'dead';
  const records = recordsOf(node.runner, events, localNow(world, node));
  if (node.behaviour.publishFirst) publish(node, records);
  node.behaviour.beforeAppend(node, events);
  const { storage } = node.plan;
  const fault = storage.length === 0 ? undefined : storage.find(({ at }) => at === node.commands);
  if (fault !== undefined) {
    // The answer is an error: only reading the log again shows what is stored.
    world.fired.add(fault);
    if (fault.how === 'unanswered') store(node, records);
    world.observer.crashed?.(world, node, 'storage');
    die(node);
    revive(node);
    if (fault.how === 'unanswered') world.observer.appended?.(world, node, records);
    return 'alive';
  }
  commit(node, records);
  world.observer.appended?.(world, node, records);
  return boundary(world, node, 'after') === 'dead' ? 'dead' : vanish(world, node, records);
}

function sendFrom(world: World, node: SimNode, command: Extract<Command, { kind: 'send' }>): Fate {
  if (begun(world, node) === 'dead') return 'dead';
  send(world, node, command);
  if (boundary(world, node, 'after') === 'dead') return 'dead';
  sent(node.runner, { message: command.message, now: localNow(world, node) });
  return 'alive';
}

function askFor(world: World, node: SimNode, command: Extract<Command, { kind: 'ask' }>): Fate | 'waiting' {
  if (begun(world, node) === 'dead') return 'dead';
  const wallet = onLeg(node.wallets, command.leg);
  const late = wallet.latency();
  const real = askChain(wallet, command.question, node.runner) as AskResult;
  const result = node.behaviour.answer(command.question, real, node);
  world.observer.answered?.(world, node, { command, result });
  if (world.schemers.length > 0 && command.question.op === 'broadcast' && isSchemer(node)) {
    afterHanding(world, node, { leg: command.leg, transaction: command.question.transaction });
  }
  if (late > 0) {
    node.asking = true;
    const { restarts } = node;
    const given: LateAnswer = { command, result, took: late * 1000, restarts };
    world.queue.push(world.now + late * 1000, { kind: 'answer', of: node, given });
    return 'waiting';
  }
  if (boundary(world, node, 'after') === 'dead') return 'dead';
  absorb(node.runner, command, { result, now: localNow(world, node) });
  return 'alive';
}

/** A delayed answer; nobody hears it if the process died. */
function hearAnswer(world: World, node: SimNode, { command, result, took, restarts }: LateAnswer): void {
  if (!node.asking || node.restarts !== restarts) return;
  node.asking = false;
  world.acting = node.name;
  if (boundary(world, node, 'after') === 'dead') return;
  absorb(node.runner, command, { result, now: localNow(world, node), took });
  node.dirty = true;
}

/** Counts a command, whose number is that of its input or output. */
function begun(world: World, node: SimNode): Fate {
  node.commands += 1;
  return boundary(world, node, 'before');
}

function boundary(world: World, node: SimNode, when: 'before' | 'after'): Fate {
  const { crashes } = node.plan;
  if (crashes.length === 0) return 'alive';
  const crash = crashes.find((plan) => plan.at === node.commands && plan.when === when);
  if (crash === undefined) return 'alive';
  world.fired.add(crash);
  world.observer.crashed?.(world, node, crash);
  die(node);
  world.queue.push(world.now + crash.downFor * 1000 + 1, { kind: 'revive', of: node, given: null });
  return 'dead';
}

/** A party that stops deliberately, for a while or for good. */
function vanish(world: World, node: SimNode, records: readonly { readonly type: string }[]): Fate {
  const { conduct } = node.plan;
  if (conduct.kind !== 'vanish' || !records.some(({ type }) => type === conduct.after)) return 'alive';
  node.strayed = true;
  die(node);
  if (conduct.backAfter === null) node.done = true;
  else world.queue.push(world.now + conduct.backAfter * 1000 + 1, { kind: 'revive', of: node, given: null });
  return 'dead';
}

function send(world: World, node: SimNode, { message, signer }: Extract<Command, { kind: 'send' }>): void {
  if (node.hooks === null) {
    post(world, node, { message, signer });
    return;
  }
  for (const said of node.hooks.says(message, localNow(world, node), node))
    post(world, node, { message: said, signer });
}

/** As the real node writes it. */
function plain(message: Extract<SwapMessage, { readonly kind: 'watcher' }>): SwapMessage {
  return { ...message, watch: { ...message.watch, maker_amount: null, taker_amount: null } };
}

type Letter = { readonly message: SwapMessage; readonly signer: string | undefined };

function post(world: World, node: SimNode, { message, signer }: Letter): void {
  const { rng, nodes, scenario, queue, wire } = world;
  if (message.kind === 'negotiation' && node.name === 'maker') wire.offer ??= message.offer;
  if (message.kind === 'negotiationReply' && node.name === 'taker') wire.reply ??= message.reply;
  if (node.name === 'taker' && message.kind === 'takerFee') {
    const asked = rewardIn(message);
    wire.reward ??= asked;
    if (asked === null && !hasPaid(world.chains.maker, 'maker')) wire.saidWithoutReward = true;
  }
  world.observer.sent?.(world, node, message);
  if (message.kind === 'watcher') {
    overhear(world, message);
    if (world.watcher !== null) {
      const given = scenario.watcher?.plain === true ? plain(message) : message;
      queue.push(world.now + 1000, { kind: 'watch', of: signer?.slice(2) ?? KEYS[node.name], given });
    }
    return;
  }
  const { latency, lossPerMille, duplicatePerMille, partitions } = scenario.network;
  const to = node.name === 'maker' ? nodes.taker : nodes.maker;
  if (partitions.length > 0) {
    const now = world.now / 1000 - EPOCH;
    const cut = partitions.find(({ to: whom, from, until }) => whom === to.name && from <= now && now < until);
    if (cut !== undefined) {
      world.fired.add(cut);
      return;
    }
  }
  const delay = () => (latency[0] + rng.below(latency[1] - latency[0] + 1)) * 1000;
  const fate = lossPerMille + duplicatePerMille === 0 ? 1000 : rng.below(1000);
  if (fate < lossPerMille) {
    world.fired.add(LOST);
    return;
  }
  queue.push(world.now + delay(), { kind: 'deliver', of: to, given: message });
  if (fate >= lossPerMille + duplicatePerMille) return;
  world.fired.add(DOUBLED);
  queue.push(world.now + delay() + 1000, { kind: 'deliver', of: to, given: message });
}
