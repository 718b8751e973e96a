import type { SwapRequest } from '../../events/journal.ts';
import { createMemoryLog, type MemoryLog } from '../../log/memory/index.ts';
import type { InProcessNetwork } from '../../peers/in-process/index.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { RuntimeChain } from '../../runtime/loop/gate.ts';
import { swapKind } from '../../runtime/loop/swap-kind.ts';
import { createRuntime, type Runtime } from '../../runtime/operate/supervisor.ts';
import type { RuntimePolicy } from '../../runtime/runtime-policy.ts';
import { watcherKind } from '../../runtime/watcher/kind.ts';
import { completeFeed } from '../chains/complete-feed.ts';
import type { SimChain, SimWallet } from '../chains/types.ts';
import { compactUtxoCodec } from '../chains/utxo/compact-codec.ts';
import type { Rng } from '../xorshift.ts';
import { type Boundary, boundedChain, boundedClock, boundedLog, boundedPeers } from './boundary.ts';
import { type Counts, countingMetrics, newCounts } from './counts.ts';
import { happenAt, hostClock, type Life, marketRandom, type Timeline } from './host.ts';
import { type RogueMind, rogueChain, roguePeers } from './rogue.ts';
import type { Untruth } from './rules.ts';
import type { MarketParty } from './scenario.ts';

/** One swap, as a process learns of it. */
export type Told = { readonly index: number; readonly request: SwapRequest; readonly at: Seconds };

/** A shipped engine of one party, with what outlives its process: the log and the wallets. */
export type Process = {
  readonly party: MarketParty;
  readonly log: MemoryLog;
  readonly wallets: ReadonlyMap<string, SimWallet>;
  /** Swaps that its user asks for, and whether each is due. */
  readonly told: readonly Told[];
  readonly due: Set<number>;
  readonly count: { value: number };
  /** When it was offline, in seconds of true time since 1970. */
  readonly absences: { readonly from: Seconds; until: Seconds | null }[];
  /** Refusals of requests, in order: a swap that did not start loses nothing. */
  readonly refusals: string[];
  /** What its node said that was untrue. */
  readonly untruths: Untruth[];
  /** The balances that each quote reported for its wallets, in coin units, by ticker. */
  readonly quoted: Map<string, Set<string>>;
  /** What this life of it has asked of the world, and what it counted. */
  counts: Counts;
  runtime: Runtime | null;
  life: Life;
  restarts: number;
  /** It was stopped because it did not come to rest. */
  restless: boolean;
};

export type ProcessWorld = {
  readonly timeline: Timeline;
  readonly rng: Rng;
  readonly chains: ReadonlyMap<string, SimChain>;
  /** By ticker, what a payment usually promises to watchers, in coin units; a coin whose payments promise nothing is absent. */
  readonly rewards: ReadonlyMap<string, DecimalText>;
  readonly network: InProcessNetwork;
  readonly policy: Partial<RuntimePolicy>;
  readonly tamper: Tamper;
};

/** Changes the adapters of a party that follows the protocol, to see whether the rules notice the consequences. */
export type Tamper = (party: MarketParty, chain: RuntimeChain) => RuntimeChain;

export type ProcessOptions = {
  readonly party: MarketParty;
  readonly key: string;
  readonly wallets: ReadonlyMap<string, SimWallet>;
  readonly told: readonly Told[];
  /** Null for a party that follows the protocol. */
  readonly mind: RogueMind | null;
  /** Topics of all swaps of the party. */
  readonly topics: readonly string[];
  /** Swaps of the market whose takers want them watched. */
  readonly watched: readonly string[];
};

/** The longest pause between two notifications of a complete feed, in seconds. */
const HEARTBEAT = 45;

/** A process that is not yet running. */
export function createProcess({ party, wallets, told }: ProcessOptions): Process {
  return {
    party,
    log: createMemoryLog(),
    wallets,
    told,
    due: new Set(),
    count: { value: 0 },
    absences: [],
    refusals: [],
    untruths: [],
    quoted: new Map(),
    counts: newCounts(),
    runtime: null,
    life: { over: true },
    restarts: -1,
    restless: false,
  };
}

/** Starts the process over its log, and repeats its user's requests that the log does not hold. */
export function startProcess(world: ProcessWorld, process: Process, options: ProcessOptions): void {
  const { timeline, rng, chains, network } = world;
  const { party } = process;
  const life: Life = { over: false };
  process.life = life;
  process.restarts += 1;
  const away = process.absences.at(-1);
  if (away !== undefined) away.until = Math.floor(timeline.now / 1000);
  const die = (downFor: Seconds) => stopProcess(world, process, { downFor, options });
  const counts = newCounts();
  process.counts = counts;
  const giveUp = () => {
    process.restless = true;
    stopProcess(world, process, { downFor: null, options });
  };
  const moment = { at: timeline.now, acts: 0 };
  const { count, quoted } = process;
  const boundary: Boundary = { timeline, life, rng, party, count, die, moment, giveUp, counts, quoted };
  const clock = boundedClock(boundary, hostClock(timeline, party, life));
  const reached = [...process.wallets].map(([coin, wallet]): RuntimeChain => {
    const chain = chains.get(coin) as SimChain;
    const adapter = options.mind === null ? world.tamper(party, wallet) : rogueChain(options.mind, { wallet, chain });
    return boundedChain(
      boundary,
      party.completeFeeds ? completeFeed(adapter, { clock, heartbeat: HEARTBEAT }) : adapter,
    );
  });
  const peers = network.peer(options.key);
  const runtime = createRuntime({
    log: boundedLog(boundary, process.log),
    chains: reached,
    peers: boundedPeers(boundary, options.mind === null ? peers : roguePeers(options.mind, peers, options)),
    clock,
    random: marketRandom(rng),
    policy: { ...world.policy, ...party.policy },
    kinds: kindsOf(party),
    metrics: countingMetrics(counts),
  });
  process.runtime = runtime;
  timeline.stirred = true;
  runtime.resumeAll().catch(() => retryResume(world, process, options));
  for (const told of process.told) if (process.due.has(told.index)) begin(world, process, told);
}

/** If the log fails at the start, the supervisor of the process tries again. */
function retryResume({ timeline }: ProcessWorld, { runtime, life }: Process, _options: ProcessOptions): void {
  happenAt(timeline, { at: timeline.now + 5000, life }, () => {
    timeline.stirred = true;
    runtime?.resumeAll().catch(() => {});
  });
}

function kindsOf({ watches }: MarketParty) {
  // Simulated keys are not points of the curve, and a simulated chain has its own rule for ids.
  const keyRule = () => null;
  const codec = compactUtxoCodec();
  const watcher = watcherKind({ idOf: (hex) => codec.decode(hex)?.id ?? '' });
  const swaps = [swapKind('taker', { keyRule }), swapKind('maker', { keyRule })];
  return watches ? [...swaps, watcher] : swaps;
}

/** Asks the engine for a swap, repeatedly, until it starts or is refused for good. */
export function begin(world: ProcessWorld, process: Process, told: Told): void {
  const { timeline } = world;
  const { runtime, life } = process;
  process.due.add(told.index);
  if (runtime === null || life.over) return;
  timeline.stirred = true;
  runtime.startSwap(told.request).catch((error: unknown) => {
    if (life.over) return;
    const { code = '' } = error as { readonly code?: string };
    if (code !== 'LOG_UNAVAILABLE' && !String(error).includes('log')) {
      process.refusals.push(`${told.index}: ${code}`);
      return;
    }
    happenAt(timeline, { at: timeline.now + 5000, life }, () => begin(world, process, told));
  });
}

type Stop = { readonly downFor: Seconds | null; readonly options: ProcessOptions };

/** The process is gone: what was not in the log or on a chain is lost. It returns unless it is gone for good. */
export function stopProcess(world: ProcessWorld, process: Process, { downFor, options }: Stop): void {
  const { timeline } = world;
  if (process.life.over) return;
  process.life.over = true;
  process.runtime = null;
  for (const wallet of process.wallets.values()) wallet.restart();
  process.absences.push({ from: Math.floor(timeline.now / 1000), until: null });
  if (downFor === null) return;
  happenAt(timeline, { at: timeline.now + downFor * 1000 + 1 }, () => startProcess(world, process, options));
}
