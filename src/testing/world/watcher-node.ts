import { acceptWatch } from '../../../machines/watcher/accept.ts';
import { defaultWatchTiming } from '../../events/watcher.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { SwapMessage } from '../../ports/peers.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis } from '../../primitives/time.ts';
import { askChain } from '../../runtime/ask.ts';
import type { AskResult, Command } from '../../runtime/command.ts';
import type { Policy } from '../../runtime/policy.ts';
import { absorb, applyRecords, poke, receive, recordsOf, sent } from '../../runtime/runner.ts';
import { decideWatcher } from '../../runtime/watcher/decide.ts';
import { createWatcherRunner, type WatcherRunner } from '../../runtime/watcher/runner.ts';
import { utxoTransactionId, watchOf } from '../../runtime/watcher/terms.ts';
import type { Fidelity, SimWallet } from '../chains/types.ts';
import { compactUtxoCodec } from '../chains/utxo/compact-codec.ts';
import type { ChainName, CrashPlan } from './scenario.ts';

/** A third party's process that watches one swap, with what survives it: its log and its wallets. */
export type WatcherNode = {
  readonly wallets: Readonly<Record<ChainName, SimWallet>>;
  readonly records: NewRecord[];
  readonly crashes: readonly CrashPlan[];
  /** Null until a taker's message has come in. */
  runner: WatcherRunner | null;
  alive: boolean;
  dirty: boolean;
  done: boolean;
  commands: number;
  /** Crashes of its plan that happened. */
  readonly fired: Set<CrashPlan>;
  wake: number;
  readonly create: (uuid: string) => WatcherRunner;
};

export type WatcherNodeOptions = {
  readonly wallets: Readonly<Record<ChainName, SimWallet>>;
  readonly crashes: readonly CrashPlan[];
  readonly policy: Policy;
  readonly fidelity: Fidelity;
};

export function createWatcherNode({ wallets, crashes, policy, fidelity }: WatcherNodeOptions): WatcherNode {
  const codec = compactUtxoCodec();
  const idOf = (hex: string): string => (fidelity === 'real' ? utxoTransactionId(hex) : (codec.decode(hex)?.id ?? ''));
  const traits = { maker: wallets.maker.traits, taker: wallets.taker.traits };
  const node: WatcherNode = {
    wallets,
    records: [],
    crashes,
    runner: null,
    alive: true,
    dirty: false,
    done: false,
    commands: 0,
    fired: new Set(),
    wake: 0,
    create: (uuid) => createWatcherRunner({ uuid, traits, policy, idOf }),
  };
  listen(node);
  return node;
}

function listen(node: WatcherNode): void {
  for (const leg of ['maker', 'taker'] as const) {
    onLeg(node.wallets, leg).subscribe(() => {
      if (!node.alive || node.runner === null) return;
      poke(node.runner, leg);
      node.dirty = true;
    });
  }
}

/** A message on its way to a watcher. `from`: the key that signed it, without its parity byte. */
export type Told = { readonly message: SwapMessage; readonly from: string; readonly now: Millis };

/** Takes a taker's message; the first one that a watcher accepts starts the watch. */
export function tellWatcher(node: WatcherNode, { message, from, now }: Told): void {
  if (!node.alive || message.kind !== 'watcher') return;
  const watch = watchOf(message.watch);
  if (watch === null) return;
  const { maker, taker } = node.wallets;
  const accepted = acceptWatch(watch, {
    from,
    now,
    timing: defaultWatchTiming,
    takesPart: () => false,
    isWatched: () => node.runner !== null,
    watchable: (coin) => [maker, taker].find(({ traits }) => traits.coin === coin)?.traits.watchers,
  });
  if (!accepted.ok) return;
  node.runner = node.create(watch.uuid);
  receive(node.runner, message);
  node.dirty = true;
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
  const { runner } = node;
  if (runner === null || node.done) return;
  for (let count = 0; count < MOST_COMMANDS_AT_ONCE; count += 1) {
    const command = decideWatcher(runner, turn.now);
    if (command.kind === 'done') {
      node.done = true;
      return;
    }
    if (command.kind === 'wait') {
      node.wake += 1;
      if (command.until < Number.MAX_SAFE_INTEGER) turn.wakeAt(command.until, node.wake);
      return;
    }
    node.commands += 1;
    if (dies(node, 'before', turn)) return;
    perform(node, runner, { command, now: turn.now });
    if (dies(node, 'after', turn)) return;
  }
  throw new Error('the watcher did not come to rest');
}

function perform(node: WatcherNode, runner: WatcherRunner, { command, now }: { command: Command; now: Millis }): void {
  if (command.kind === 'append') {
    const records = recordsOf(runner, command.events, now);
    node.records.push(...records);
    applyRecords(runner, records);
  }
  if (command.kind === 'send') sent(runner as never, { message: command.message, now });
  if (command.kind !== 'ask') return;
  const result = askChain(onLeg(node.wallets, command.leg), command.question, runner) as AskResult;
  absorb(runner, command, { result, now });
}

function dies(node: WatcherNode, when: 'before' | 'after', { reviveAfter }: WatcherTurn): boolean {
  const crash = node.crashes.find((plan) => plan.at === node.commands && plan.when === when);
  if (crash === undefined) return false;
  node.fired.add(crash);
  node.alive = false;
  node.dirty = false;
  for (const leg of ['maker', 'taker'] as const) onLeg(node.wallets, leg).restart();
  reviveAfter(crash.downFor);
  return true;
}

/** A new process over the same log. */
export function reviveWatcher(node: WatcherNode): void {
  node.alive = true;
  listen(node);
  const uuid = node.runner?.stream.split('/')[1];
  node.runner = null;
  if (uuid === undefined || node.records.length === 0) return;
  node.runner = node.create(uuid);
  applyRecords(node.runner, node.records);
  node.dirty = true;
}
