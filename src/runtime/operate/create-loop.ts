import { checkedProfile, KDF_NETWORK, type NetworkProfile } from '../../htlc/network-profile.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Peers } from '../../ports/peers.ts';
import type { Claims } from '../claims.ts';
import { shortReason } from '../errors.ts';
import { createHeldLedger } from '../held.ts';
import type { Metrics } from '../host/metrics.ts';
import { quietLogger, quietMetrics } from '../host/quiet.ts';
import { systemRandom } from '../host/random-system.ts';
import { steadyClock } from '../host/steady-clock.ts';
import { createBatches } from '../loop/batches.ts';
import { createClaimBook } from '../loop/claim-book.ts';
import { type CoinIndex, createCoinIndex } from '../loop/coin-index.ts';
import type { DrivableInputs, DrivableKind, WatchSettings } from '../loop/drivable.ts';
import { drive, poke } from '../loop/drive.ts';
import { createFeeds, type Feeds } from '../loop/feeds.ts';
import { createChainGate, type RuntimeChain } from '../loop/gate.ts';
import { hear } from '../loop/hear.ts';
import { createTopics, type Topics } from '../loop/hearing.ts';
import { about, type Loop, move } from '../loop/loop.ts';
import { paidFees } from '../loop/paid-fees.ts';
import { createRedactor } from '../loop/redactor.ts';
import { createScheduleIds } from '../loop/schedule-ids.ts';
import { createScheduler } from '../loop/scheduler.ts';
import { LEG_BITS, type Slot } from '../loop/slot.ts';
import { swapKind } from '../loop/swap-kind.ts';
import { tellHold, tellHolds } from '../loop/tell-holds.ts';
import { DEFAULT_RUNTIME_POLICY, type RuntimePolicy } from '../runtime-policy.ts';
import { createWatchCalls, type WatchCalls } from '../watcher/calls.ts';

export type RuntimeOptions = {
  readonly log: EventLog;
  /** Active chains with this node's wallets; others can be added and removed later. */
  readonly chains: readonly RuntimeChain[];
  readonly peers: Peers;
  readonly clock: Clock;
  /** Source of makers' secrets. @defaultValue that of the platform */
  readonly random?: Random;
  readonly logger?: Logger;
  /**
   * Texts that never appear in a log line, event, status or error, such as the passwords of nodes. The secrets of swaps
   * need not be listed.
   *
   * @defaultValue none
   */
  readonly hide?: readonly string[];
  readonly metrics?: Metrics;
  readonly policy?: Partial<RuntimePolicy>;
  /**
   * The trading fee and the script scheme of the trading network. Both sides of a swap must use the same, and so must
   * the chain adapters, which pay and check the fee. A running swap keeps no copy: it continues with the one given now.
   * @defaultValue KDF's network
   */
  readonly network?: NetworkProfile;
  /** Which streams are driven, and how. @defaultValue both roles' swaps */
  readonly kinds?: readonly DrivableKind[];
};

/** The parts of a runtime, wired. */
export type LoopParts = {
  readonly loop: Loop;
  readonly feeds: Feeds;
  readonly concerned: CoinIndex;
  readonly topics: Topics;
  readonly calls: WatchCalls;
  readonly random: Random;
  /** A chain can be asked from now on; it replaces an earlier one for the same coin. */
  readonly openGate: (chain: RuntimeChain) => void;
};

/** Wires the parts. @throws NetworkProfileError for a profile that no node could trade by. */
export function createLoop(options: RuntimeOptions): LoopParts {
  const { log, peers, clock, chains, random = systemRandom, kinds = [swapKind('taker'), swapKind('maker')] } = options;
  const { policy, network } = settingsOf(options);
  const ids = createScheduleIds((slot, now) => drive(loop, slot, now));
  const steady = steadyClock(clock);
  const scheduler = createScheduler({ clock: steady, run: ids.give });
  const [gates, concerned] = [new Map() as Loop['gates'], createCoinIndex()];
  const slots: Loop['slots'] = new Map();
  const [locks, claims] = [createHeldLedger((stream, coin) => tellHold(loop, stream, coin)), createClaimBook(log)];
  const actions = { scheduler, register: ids.takeAction, unregister: ids.free };
  const feeds = createFeeds({
    clock: steady,
    ...actions,
    pause: policy.feedPause,
    onChange: (coin) => pokeAll(loop, concerned.of(coin)),
    onTrust: (coin, whole) => trustAll(loop, concerned.of(coin), whole),
  });
  const calls = createWatchCalls(() => loop, watchesOf(kinds));
  const sides = sideChannelsOf(options);
  const batches = createBatches({ ...actions, logger: sides.logger });
  const topics = topicsOf(peers, () => loop);
  const loop: Loop = {
    log,
    clock,
    steady,
    peers,
    ...sides,
    policy,
    kinds: new Map(kinds.map((kind) => [kind.machine, kind])),
    scheduler,
    batches,
    gates,
    locks,
    resumed: new Set(),
    claims,
    slots,
    atRisk: new Map(),
    ids,
    inputs: inputsOf({ policy, gates, locks, claims, slots }, network),
    attach(slot) {
      concerned.add(slot);
      tellTrust(slot, feeds);
      calls.add(slot);
      listen(loop, topics, slot);
    },
    detach(slot) {
      concerned.remove(slot);
      calls.remove(slot);
      topics.remove(slot);
    },
    held: true,
    draining: false,
    underWay: 0,
    onIdle: null,
  };
  const openGate = gateOpener(loop, { feeds, calls });
  for (const chain of chains) openGate(chain);
  return { loop, feeds, concerned, topics, calls, random, openGate };
}

function watchesOf(kinds: readonly DrivableKind[]): WatchSettings | null {
  return kinds.find(({ watches }) => watches !== undefined)?.watches ?? null;
}

function gateOpener(loop: Loop, { feeds, calls }: Pick<LoopParts, 'feeds' | 'calls'>): LoopParts['openGate'] {
  const { gates, policy } = loop;
  return (chain) => {
    const { coin } = chain.traits;
    gates.set(
      coin,
      createChainGate<Slot>({
        coin,
        chain,
        limit: policy.callsPerChain,
        // It decides anew: much may have changed while it queued.
        grant: (slot) => void move(loop, slot, { type: 'granted' }),
        isQueued: ({ state: { doing } }, gate) => doing.mode === 'queued' && doing.gate === gate,
      }),
    );
    tellHolds(loop, coin);
    feeds.open(coin, chain);
    calls.open(coin);
  };
}

type Shared = Pick<Loop, 'policy' | 'gates' | 'locks' | 'claims' | 'slots'>;

function inputsOf({ policy, gates, locks, claims, slots }: Shared, network: NetworkProfile): DrivableInputs {
  const claimsOf = (stream: string): Claims => {
    return { ...claims.of(stream), fees: (coin) => paidFees(slots, { stream, coin }) };
  };
  return { policy, network, chain: (coin) => gates.get(coin)?.chain, others: locks.others, claims: claimsOf };
}

function topicsOf(peers: Peers, loop: () => Loop): Topics {
  return createTopics({
    peers,
    deliver: (slot, envelope) => hear(loop(), slot, envelope),
    ignored: () => loop().metrics.dropped({ from: 'counterparty', why: 'stranger' }),
  });
}

/** Where the engine tells of itself, behind the redactor. */
function sideChannelsOf({ logger, metrics, hide }: RuntimeOptions): Pick<Loop, 'logger' | 'metrics' | 'redactor'> {
  const redactor = createRedactor(hide);
  return { logger: quietLogger(logger, redactor.fields), metrics: quietMetrics(metrics), redactor };
}

type Settings = { readonly policy: RuntimePolicy; readonly network: NetworkProfile };

function settingsOf({ policy, network = KDF_NETWORK }: RuntimeOptions): Settings {
  return { policy: { ...DEFAULT_RUNTIME_POLICY, ...policy }, network: checkedProfile(network) };
}

function listen({ logger }: Loop, topics: Topics, slot: Slot): void {
  try {
    topics.add(slot);
  } catch (error) {
    // Without messages, a swap that has not started fails, and one that has paid continues by what the chains show.
    logger.error('cannot listen', about(slot, { reason: shortReason(error) }));
  }
}

function pokeAll(loop: Loop, slots: ReturnType<CoinIndex['of']>): void {
  for (const [slot, legs] of slots) {
    if ((legs & LEG_BITS.maker) !== 0) poke(loop, slot, 'maker');
    if ((legs & LEG_BITS.taker) !== 0) poke(loop, slot, 'taker');
  }
}

function tellTrust({ driven }: Slot, { isWhole }: Feeds): void {
  for (const leg of ['maker', 'taker'] as const) driven?.trust?.(leg, isWhole(driven.coins[leg] ?? ''));
}

/** Waiting slots decide again: without the feed, they look immediately. */
function trustAll(loop: Loop, slots: ReturnType<CoinIndex['of']>, whole: boolean): void {
  for (const [slot, legs] of slots) {
    if ((legs & LEG_BITS.maker) !== 0) slot.driven?.trust?.('maker', whole);
    if ((legs & LEG_BITS.taker) !== 0) slot.driven?.trust?.('taker', whole);
    if (!whole) move(loop, slot, { type: 'wake' });
  }
}
