import { acceptWatch } from '../../../machines/watcher/accept.ts';
import { defaultWatchTiming, type Watch } from '../../events/watcher.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis, UnixSeconds } from '../../primitives/time.ts';
import { askChain } from '../../runtime/ask.ts';
import { type AskResult, type Command, resultOf } from '../../runtime/command.ts';
import type { Policy } from '../../runtime/policy.ts';
import { absorb, applyRecords, poke, receive, recordsOf, sent, stateOf, trust } from '../../runtime/swap/runner.ts';
import { decideWatcher } from '../../runtime/watcher/decide.ts';
import { promisedBy } from '../../runtime/watcher/promised.ts';
import { createWatcherRunner, type WatcherRunner } from '../../runtime/watcher/runner.ts';
import { utxoTransactionId, watchOf } from '../../runtime/watcher/terms.ts';
import type { Fidelity, SimWallet } from '../chains/types.ts';
import { compactUtxoCodec } from '../chains/utxo/compact-codec.ts';
import type { Rng } from '../xorshift.ts';
import { completeFeedOf, hearFeed, lossesOf } from './complete-feeds.ts';
import type { ChainName, CrashPlan, WatcherPlan } from './scenario.ts';
import { forgetAsks, noAsks, noteAsk, type WatchAsks } from './told/watch-asks.ts';

/** One watch with its log. */
export type Watching = {
  readonly records: NewRecord[];
  /** For each record, the later of both chains' clocks as last reported before it; 0 for none yet. */
  readonly clocks: UnixSeconds[];
  /** Each chain's clock, as last reported to this process. */
  told: Readonly<Record<ChainName, UnixSeconds>>;
  readonly asks: WatchAsks;
  runner: WatcherRunner;
  done: boolean;
};

const UNTOLD: Watching['told'] = { maker: 0 as UnixSeconds, taker: 0 as UnixSeconds };

/** A third party's process that watches for anyone who asks, with what survives it: its logs and its wallets. */
export type WatcherNode = {
  readonly wallets: Readonly<Record<ChainName, SimWallet>>;
  readonly plan: WatcherPlan;
  /** Which notifications of its feeds are lost. */
  readonly losses: Rng;
  /** By the key that signed the message. */
  readonly watches: Map<string, Watching>;
  alive: boolean;
  dirty: boolean;
  commands: number;
  /** Crashes of its plan that happened. */
  readonly fired: Set<CrashPlan>;
  wake: number;
  readonly create: (uuid: string) => WatcherRunner;
};

export type WatcherNodeOptions = {
  readonly wallets: Readonly<Record<ChainName, SimWallet>>;
  readonly plan: WatcherPlan;
  readonly policy: Policy;
  readonly fidelity: Fidelity;
  /** Of the scenario. */
  readonly seed: number;
};

export function createWatcherNode({ wallets, plan, policy, fidelity, seed }: WatcherNodeOptions): WatcherNode {
  const codec = compactUtxoCodec();
  const idOf = (hex: string): string => (fidelity === 'real' ? utxoTransactionId(hex) : (codec.decode(hex)?.id ?? ''));
  const traits = { maker: wallets.maker.traits, taker: wallets.taker.traits };
  const node: WatcherNode = {
    wallets,
    plan,
    losses: lossesOf(seed, 'watcher'),
    watches: new Map(),
    alive: true,
    dirty: false,
    commands: 0,
    fired: new Set(),
    wake: 0,
    create: (uuid) => createWatcherRunner({ uuid, traits, policy, idOf, promised: promisedBy(wallets) }),
  };
  listen(node);
  return node;
}

/** A watch rests while its feeds promise to report everything. */
function rest({ plan }: WatcherNode, runner: WatcherRunner): void {
  for (const leg of ['maker', 'taker'] as const) if (completeFeedOf(plan, leg) !== null) trust(runner, leg, true);
}

function listen(node: WatcherNode): void {
  for (const leg of ['maker', 'taker'] as const) {
    const plan = completeFeedOf(node.plan, leg);
    hearFeed({ wallet: onLeg(node.wallets, leg), plan, losses: node.losses }, () => {
      if (!node.alive || node.watches.size === 0) return;
      for (const { runner } of node.watches.values()) poke(runner, leg);
      node.dirty = true;
    });
  }
}

/** A message on its way to a watcher. `from`: the key that signed it, without its parity byte. */
export type Told = { readonly message: SwapMessage; readonly from: string; readonly now: Millis };

/** Takes a message from anyone who claims to be the taker; for each key, the first one that a watcher accepts starts a watch. */
export function tellWatcher(node: WatcherNode, { message, from, now }: Told): void {
  if (!node.alive || node.plan.absent === true || message.kind !== 'watcher') return;
  const watch = watchOf(message.watch);
  if (watch === null) return;
  const { maker, taker } = node.wallets;
  const accepted = acceptWatch(watch, {
    from,
    now,
    timing: defaultWatchTiming,
    takesPart: () => false,
    isWatched: (one) => isWatched(node, one, from),
    watchable: (coin) => [maker, taker].find(({ traits }) => traits.coin === coin)?.traits.watchers,
  });
  if (!accepted.ok) return;
  const runner = node.create(watch.uuid);
  node.watches.set(from, { records: [], clocks: [], told: UNTOLD, asks: noAsks(), runner, done: false });
  rest(node, runner);
  receive(runner, message);
  node.dirty = true;
}

/** Until its fee is found, a watch may come from anyone who has heard of that fee. */
const UNPROVEN: ReadonlySet<string> = new Set(['created', 'validatingTakerFee']);

function isWatched({ watches }: WatcherNode, { taker_fee_hash: fee }: Watch, from: string): boolean {
  if (watches.has(from)) return true;
  for (const { records, runner } of watches.values()) {
    const [first] = records;
    const { watch } = (first?.data ?? {}) as { readonly watch?: Watch };
    if (watch?.taker_fee_hash === fee && !UNPROVEN.has(stateOf(runner))) return true;
  }
  return false;
}

export type WatcherTurn = {
  readonly now: Millis;
  readonly wakeAt: (at: Millis, token: number) => void;
  readonly reviveAfter: (seconds: number) => void;
};

const MOST_COMMANDS_AT_ONCE = 2_000;

/** Lets the watcher work until it waits, ends or dies. */
export function runWatcher(node: WatcherNode, turn: WatcherTurn): void {
  node.dirty = false;
  let until: number = Number.MAX_SAFE_INTEGER;
  for (const watching of node.watches.values()) {
    until = Math.min(until, workOn(node, watching, turn));
    if (!node.alive) return;
  }
  node.wake += 1;
  if (until < Number.MAX_SAFE_INTEGER) turn.wakeAt(until as Millis, node.wake);
}

/** Lets one watch work until it waits, ends or dies; returns until when it waits. */
function workOn(node: WatcherNode, watching: Watching, turn: WatcherTurn): number {
  const { runner } = watching;
  if (watching.done) return Number.MAX_SAFE_INTEGER;
  for (let count = 0; count < MOST_COMMANDS_AT_ONCE; count += 1) {
    const command = decideWatcher(runner, turn.now);
    if (command.kind === 'done') {
      watching.done = true;
      return Number.MAX_SAFE_INTEGER;
    }
    if (command.kind === 'wait') return command.until;
    node.commands += 1;
    if (dies(node, 'before', turn)) return 0;
    perform(node, watching, { command, now: turn.now });
    if (dies(node, 'after', turn)) return 0;
  }
  throw new Error('the watcher did not come to rest');
}

function perform(
  node: WatcherNode,
  watching: Watching,
  { command, now }: { readonly command: Command; readonly now: Millis },
): void {
  const { runner, told } = watching;
  if (command.kind === 'append') {
    const records = recordsOf(runner, command.events, now);
    const latest = Math.max(told.maker, told.taker) as UnixSeconds;
    for (const record of records) {
      watching.records.push(record);
      watching.clocks.push(latest);
    }
    applyRecords(runner, records);
  }
  if (command.kind === 'send') sent(runner, { message: command.message, now });
  if (command.kind !== 'ask') return;
  const result = askChain(onLeg(node.wallets, command.leg), command.question, runner) as AskResult;
  if (command.question.op === 'payment') {
    const look = resultOf(command.question, result);
    if (look.ok) watching.told = { ...told, [command.leg]: look.value.clock };
  }
  noteAsk(watching.asks, { command, result, now });
  absorb(runner, command, { result, now });
}

function dies(node: WatcherNode, when: 'before' | 'after', { reviveAfter }: WatcherTurn): boolean {
  const crash = node.plan.crashes.find((plan) => plan.at === node.commands && plan.when === when);
  if (crash === undefined) return false;
  node.fired.add(crash);
  node.alive = false;
  node.dirty = false;
  for (const leg of ['maker', 'taker'] as const) onLeg(node.wallets, leg).restart();
  reviveAfter(crash.downFor);
  return true;
}

/** A new process over the same logs. */
export function reviveWatcher(node: WatcherNode): void {
  node.alive = true;
  listen(node);
  for (const [from, watching] of node.watches) {
    const { records, runner } = watching;
    const again = node.create(runner.stream.split('/')[1] ?? '');
    // A message that was not logged is gone.
    if (records.length === 0) {
      node.watches.delete(from);
      continue;
    }
    applyRecords(again, records);
    rest(node, again);
    forgetAsks(watching.asks);
    node.watches.set(from, { ...watching, told: UNTOLD, runner: again });
    node.dirty = true;
  }
}
