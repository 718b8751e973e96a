import type { PreparedRecord } from '../../../machines/journal/context.ts';
import type { SwapRequest } from '../../events/journal.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { knownAs } from '../../primitives/known-as.ts';
import { onLeg, setOnLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import type { AskResult, Command, Question } from '../../runtime/command.ts';
import type { Policy } from '../../runtime/policy.ts';
import { decideSwap } from '../../runtime/swap/decide.ts';
import { makerKind, takerKind } from '../../runtime/swap/roles.ts';
import {
  absorb,
  applyRecords,
  createSwapRunner,
  poke,
  recordsOf,
  type SwapRunner,
  sent,
  trust,
} from '../../runtime/swap/runner.ts';
import { decideWatcher } from '../../runtime/watcher/decide.ts';
import { asWatcherRunner } from '../../runtime/watcher/runner.ts';
import type { SimWallet } from '../chains/types.ts';
import type { Rng } from '../xorshift.ts';
import { completeFeedOf, hearFeed, lossesOf } from './complete-feeds.ts';
import { engineError } from './own-parts.ts';
import type { ChainName, PartyPlan } from './scenario.ts';

/** The parts of a party's engine: those of the product, unless a test replaces one to see whether the rules notice. */
export type Behaviour = {
  readonly decide: (runner: SwapRunner, now: Millis, node: SimNode) => Command;
  /** Changes an answer before the engine sees it. */
  readonly answer: (question: Question, result: AskResult, node: SimNode) => AskResult;
  /** Called before the records are durable. The sound engine does nothing here. */
  readonly beforeAppend: (node: SimNode, events: readonly { readonly type: string; readonly data: unknown }[]) => void;
  /** The records that a restarted engine folds. The sound engine folds all. */
  readonly load: (records: readonly NewRecord[]) => readonly NewRecord[];
  /** Whether subscribers learn of records before these are durable. The sound engine tells them afterwards. */
  readonly publishFirst: boolean;
};

export const SOUND: Behaviour = {
  decide(runner, now) {
    try {
      const watcher = asWatcherRunner(runner);
      return watcher === null ? decideSwap(runner, now) : decideWatcher(watcher, now);
    } catch (error) {
      throw engineError(error);
    }
  },
  answer: (_, result) => result,
  beforeAppend: () => {},
  load: (records) => records,
  publishFirst: false,
};

/** The hooks of a conduct that the tester wrote; they mark the node when they change anything. */
export type Hooks = {
  readonly command: (usual: Command, now: Millis, node: SimNode) => Command;
  readonly says: (message: SwapMessage, now: Millis, node: SimNode) => readonly SwapMessage[];
  readonly hears: (message: SwapMessage, now: Millis, node: SimNode) => SwapMessage | null;
};

/** One party's process in the simulated world, with what survives it: its log and its wallets. */
export type SimNode = {
  readonly name: 'maker' | 'taker';
  readonly plan: PartyPlan;
  readonly behaviour: Behaviour;
  readonly wallets: Readonly<Record<ChainName, SimWallet>>;
  readonly policy: Policy;
  /** The durable log. */
  readonly records: NewRecord[];
  /** What subscribers were told, by position. */
  readonly published: string[];
  runner: SwapRunner;
  alive: boolean;
  /** Something happened, so ask the engine what to do. */
  dirty: boolean;
  done: boolean;
  /** The number of commands begun so far; a crash or a storage fault names one of them. */
  commands: number;
  restarts: number;
  /** Hooks of the tester's conduct; null without one. */
  readonly hooks: Hooks | null;
  /** Whether it has done anything that an honest party would not. */
  strayed: boolean;
  /** When its scheme ends or ended, in milliseconds of true time; null before it began. */
  schemeUntil: number | null;
  /** How far ahead the host's clock is now, in seconds. */
  skew: number;
  /** How many changes its feeds have reported. */
  readonly news: Record<ChainName, number>;
  /** The host's clock, in seconds. */
  readonly hostClock: () => number;
  /** Whether an answer is outstanding: one question at a time. */
  asking: boolean;
  /** How many messages of the other side it has heard. */
  letters: number;
  /** Which notifications of its feeds are lost. */
  readonly losses: Rng;
  /** When to wake the engine, in milliseconds of true time; infinite for never. */
  wakeAt: number;
  /** When the current timer fires; older ones are ignored. Infinite without any. */
  timerAt: number;
};

export type NodeOptions = {
  readonly name: 'maker' | 'taker';
  readonly plan: PartyPlan;
  readonly behaviour: Behaviour;
  readonly wallets: Readonly<Record<ChainName, SimWallet>>;
  readonly policy: Policy;
  readonly request: SwapRequest;
  /** Of the scenario. */
  readonly seed: number;
  readonly hooks: Hooks | null;
  /** True time, in seconds. */
  readonly hostClock: () => number;
};

/** A node with an empty log, about to append the request. */
export function createNode(options: NodeOptions): SimNode {
  const { name, plan, behaviour, wallets, policy, request } = options;
  const node: SimNode = {
    name,
    plan,
    behaviour,
    wallets,
    policy,
    records: [],
    published: [],
    runner: newRunner(options, request.uuid),
    alive: true,
    dirty: true,
    done: false,
    commands: 0,
    restarts: 0,
    hooks: options.hooks,
    strayed: false,
    schemeUntil: null,
    skew: plan.skew,
    news: { maker: 0, taker: 0 },
    asking: false,
    letters: 0,
    losses: lossesOf(options.seed, name),
    wakeAt: Number.POSITIVE_INFINITY,
    timerAt: Number.POSITIVE_INFINITY,
    hostClock: () => options.hostClock() + node.skew,
  };
  listen(node);
  return node;
}

function newRunner(
  { name, wallets, policy }: Pick<NodeOptions, 'name' | 'wallets' | 'policy'>,
  uuid: string,
): SwapRunner {
  const inputs = {
    keys: { maker: wallets.maker.htlcKey(uuid), taker: wallets.taker.htlcKey(uuid) },
    traits: { maker: wallets.maker.traits, taker: wallets.taker.traits },
    // The point check costs more than a whole simulated swap; simulated keys are not points.
    keyRule: () => null,
  };
  const stream = `${name}-swap/${uuid}`;
  return name === 'taker'
    ? knownAs<SwapRunner>(createSwapRunner({ stream, kind: takerKind, inputs, policy }))
    : knownAs<SwapRunner>(createSwapRunner({ stream, kind: makerKind, inputs, policy }));
}

function listen(node: SimNode): void {
  for (const leg of ['maker', 'taker'] as const) {
    if (!onLeg(node.plan.pushes, leg)) continue;
    const plan = completeFeedOf(node.plan, leg);
    if (plan !== null) trust(node.runner, leg, true);
    hearFeed({ wallet: onLeg(node.wallets, leg), plan, losses: node.losses }, () => {
      if (!node.alive || isOver(node)) return;
      setOnLeg(node.news, leg, onLeg(node.news, leg) + 1);
      poke(node.runner, leg);
      node.dirty = true;
    });
  }
}

/** Whether nothing wakes the node's engine any more. A greedy party keeps looking: a reorganization may give it another chance. */
export function isOver({ done, plan }: SimNode): boolean {
  return done && plan.conduct.kind !== 'greedy';
}

/** Makes records durable, then tells subscribers. */
export function store(node: SimNode, records: readonly NewRecord[]): void {
  for (const record of records) node.records.push(record);
  if (!node.behaviour.publishFirst) publish(node, records);
}

/** Tells subscribers. */
export function publish(node: SimNode, records: readonly { readonly type: string }[]): void {
  for (const { type } of records) node.published.push(type);
}

/** Stores records and applies them. */
export function commit(node: SimNode, records: readonly NewRecord[]): void {
  store(node, records);
  applyRecords(node.runner, records);
}

/** The process is gone: what was not in the log or on a chain is lost. */
export function die(node: SimNode): void {
  node.alive = false;
  node.dirty = false;
  node.asking = false;
  for (const leg of ['maker', 'taker'] as const) onLeg(node.wallets, leg).restart();
}

/** A new process over the same log. */
export function revive(node: SimNode): void {
  const uuid = node.runner.journal.request?.uuid ?? node.runner.stream.split('/')[1] ?? '';
  node.runner = newRunner(node, uuid);
  applyRecords(node.runner, node.behaviour.load(node.records));
  node.runner.length = node.records.length;
  const { prepared } = node.runner.journal;
  for (const leg of ['maker', 'taker'] as const) {
    const own = leg === node.name;
    const { fee, payment, refund, refundChild, paymentChild, claim, claimChild } = prepared;
    const kept = own ? [fee, payment, refund, prepared.void, refundChild, paymentChild] : [claim, claimChild];
    const alive: PreparedRecord['tx'][] = [];
    for (const variants of kept) for (const { tx, dead } of variants) if (!dead) alive.push(tx);
    if (alive.length > 0) onLeg(node.wallets, leg).reserve(alive);
    onLeg(node.wallets, leg).resumed();
  }
  listen(node);
  node.alive = true;
  node.dirty = true;
  node.restarts += 1;
}

export { absorb, recordsOf, sent };
