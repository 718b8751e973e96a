import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Fidelity, NetworkFault, NodeFault, SimChainKind } from '../chains/types.ts';

/** The first moment of every simulated world: 14 November 2023, 22:13:20 UTC. */
export const EPOCH = 1_700_000_000 as UnixSeconds;

export type PartyName = 'maker' | 'taker' | 'watcher';
export type ChainName = 'maker' | 'taker';

export type ChainPlan = {
  readonly kind: SimChainKind;
  readonly coin: string;
  /** Mean time between blocks, in seconds. */
  readonly blockTime: Seconds;
  readonly finality: number;
  /** Digits after the point of one coin unit. */
  readonly decimals: number;
  /** Price of one byte or one unit of gas at urgency 0, in base units; null for the default of its kind of chain. */
  readonly feeRate: number | null;
  /** A block is notarized every this many heights, on UTXO chains; null if the chain cannot tell. */
  readonly notariseEvery: number | null;
  /** True pace of the blocks: the mean time of one, in thousandths of the nominal time. */
  readonly pace: number;
  /** Height of the tip at the start, at least 11. */
  readonly startHeight: number;
  /** Faults of the network; times in seconds from the start of the world. */
  readonly faults: readonly NetworkFault[];
  /** Whether payments may promise a reward to anyone who ends them for a party, on chains with accounts. @defaultValue false */
  readonly rewards?: boolean;
};

/** A process that dies at one of its numbered inputs or outputs, before or after it happened, and restarts. */
export type CrashPlan = {
  /** Number of the party's command, from 1. */
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly downFor: Seconds;
};

/** An append whose answer is an error: nothing was stored, or everything was. */
export type StorageFault = { readonly at: number; readonly how: 'lost' | 'unanswered' };

/** What a party does with its side of the swap. All but `honest` break the protocol on purpose. */
export type Conduct =
  | { readonly kind: 'honest' }
  /** Stops for good, or comes back, once its log holds an event of this type. */
  | { readonly kind: 'vanish'; readonly after: string; readonly backAfter: Seconds | null }
  /** A maker that locks for less time than agreed, and says so or conceals it. */
  | { readonly kind: 'shortLock'; readonly seconds: Seconds; readonly admit: boolean }
  /** Pays less than agreed. */
  | { readonly kind: 'underpay' }
  /** Claims, and refunds its own payment as soon as the chain allows it. */
  | { readonly kind: 'greedy' }
  /** Sends untrue messages: all that it can, or those of one kind. */
  | { readonly kind: 'liar'; readonly about?: LieTopic }
  /**
   * Keeps its transaction in the mempool on purpose: allied miners leave it out for this long, and this many cheap transactions depend on it, so that
   * anyone who replaces it pays for all of them (UTXO chains).
   */
  | {
      readonly kind: 'pin';
      readonly what: 'payment' | 'claim' | 'refund';
      readonly children: number;
      readonly seconds: Seconds;
    }
  /** Replaces its payment in the mempool by a dearer transaction to itself, this long after it was sent. */
  | { readonly kind: 'replace'; readonly after: Seconds }
  /** Mines its own branch once its payment has this many confirmations; there its coins went back. */
  | { readonly kind: 'rewrite'; readonly depth: number }
  /** Refunds its payment at a high fee as soon as a block permits it, even against a waiting claim, and even after the swap's end. */
  | { readonly kind: 'race' }
  /** A maker that claims this long before the lock of the taker's payment ends; after it if negative. */
  | { readonly kind: 'lastSecond'; readonly margin: Seconds }
  /** A maker that asks watchers in the taker's name before the taker does, and publishes what the taker signed for them. */
  | { readonly kind: 'frontRun' }
  /** The tester's program, by the name under which the run gets it. */
  | { readonly kind: 'custom'; readonly name: string };

/** Messages that a liar can falsify. */
export const LIE_TOPICS = ['negotiation', 'takerFee', 'makerPayment', 'takerPayment'] as const;

export type LieTopic = (typeof LIE_TOPICS)[number];

/** From this moment, a clock is this far ahead; behind if negative. */
export type ClockJump = { readonly at: Seconds; readonly skew: Seconds };

/** What an operator orders; if the process is dead, repeatedly until it runs. */
export type Order = { readonly at: Seconds; readonly action: 'pause' | 'resume' | 'retry' };

/** Timings of an engine, in seconds, for a lock of 7800 s; the poll intervals of a spend and a refund grow with the lock. */
export type Timing = {
  readonly confirmationPoll: Seconds;
  readonly spendPoll: Seconds;
  readonly refundPoll: Seconds;
  readonly freshness: Seconds;
  readonly bumpAfter: Seconds;
  readonly dropAfter: Seconds;
};

/** One depth for all payments; or steps: the highest that an amount reaches counts, and below all of them the chain's own depth. */
export type FinalityPlan = number | readonly FinalityStep[] | null;

/** How many confirmations are final from an amount on, in coin units. */
export type FinalityStep = { readonly from: DecimalText; readonly depth: number };

/**
 * What the feed of a node promises: to report every block and every change, so that nobody needs to poll between its notifications. A node with
 * faults promises nothing. Null for no promise.
 */
export type CompleteFeedPlan = { readonly losesPerMille: number } | null;

/** A third party that watches, with what goes wrong around it. */
export type WatcherPlan = {
  readonly crashes: readonly CrashPlan[];
  /** What the feeds of its nodes promise. @defaultValue nothing */
  readonly completeFeeds?: Readonly<Record<ChainName, CompleteFeedPlan>>;
  /** What is wrong with its nodes; times in seconds from the start of the world. */
  readonly nodes: Readonly<Record<ChainName, readonly NodeFault[]>>;
  /** Takers ask it as the real node does: their messages state no amounts. @defaultValue false */
  readonly plain?: boolean;
  /** How long miners leave out what it sends, so that others who act meanwhile come first. @defaultValue 0 */
  readonly late?: Seconds;
  /** It hears no taker, so payments promise rewards in vain. @defaultValue false */
  readonly absent?: boolean;
  /**
   * A stranger with allied miners makes every call for which a reward pays the caller, as soon as the contract accepts it and before anything else in
   * its block. @defaultValue false
   */
  readonly greedy?: boolean;
};

export type PartyPlan = {
  /** How far ahead its clock is at the start. */
  readonly skew: Seconds;
  /** How it changes, in order. */
  readonly jumps: readonly ClockJump[];
  readonly orders: readonly Order[];
  /** The funds of its wallet in each coin at the start; null for plenty. */
  readonly funds: Readonly<Record<ChainName, DecimalText | null>>;
  /** Whether each swap has its own keys on UTXO chains. */
  readonly keyPerSwap: boolean;
  /** Whether its nodes report changes; if not, only polls find them. */
  readonly pushes: Readonly<Record<ChainName, boolean>>;
  /** What the nodes that report changes promise about this. */
  readonly completeFeeds: Readonly<Record<ChainName, CompleteFeedPlan>>;
  /** Null for {@link SIMULATED_POLICY}. */
  readonly timing: Timing | null;
  /** Confirmations that it counts as final, for all payments or from an amount on; null for the chain's default. */
  readonly finality: Readonly<Record<ChainName, FinalityPlan>>;
  readonly crashes: readonly CrashPlan[];
  readonly storage: readonly StorageFault[];
  readonly conduct: Conduct;
  /** What is wrong with its nodes; times in seconds from the start of the world. */
  readonly nodes: Readonly<Record<ChainName, readonly NodeFault[]>>;
};

export type NetworkPlan = {
  readonly latency: readonly [least: Seconds, most: Seconds];
  /** How many of a thousand messages are lost, and how many arrive twice. */
  readonly lossPerMille: number;
  readonly duplicatePerMille: number;
  /** When nothing arrives at a party. */
  readonly partitions: readonly Partition[];
};

export type Partition = { readonly to: 'maker' | 'taker'; readonly from: Seconds; readonly until: Seconds };

/** What happens to a chain at a moment. */
export type ChainEvent =
  | {
      readonly at: Seconds;
      readonly chain: ChainName;
      readonly kind: 'reorg';
      readonly depth: number;
      readonly drop: boolean;
    }
  | { readonly at: Seconds; readonly chain: ChainName; readonly kind: 'dropMempool' };

/** A whole run as data: the same scenario gives the same bytes on every machine. */
export type Scenario = {
  readonly seed: number;
  readonly fidelity: Fidelity;
  readonly chains: Readonly<Record<ChainName, ChainPlan>>;
  readonly makerAmount: DecimalText;
  readonly takerAmount: DecimalText;
  readonly lockDuration: Seconds;
  readonly confirmations: Readonly<Record<ChainName, number>>;
  /** Whether a payment must be notarized to count as confirmed. */
  readonly requiresNota: Readonly<Record<ChainName, boolean>>;
  /** Whose engine acts first if both can. */
  readonly first: 'maker' | 'taker';
  readonly useWatchers: boolean;
  /** A third party's process; null if nobody watches. */
  readonly watcher: WatcherPlan | null;
  readonly parties: Readonly<Record<'maker' | 'taker', PartyPlan>>;
  readonly network: NetworkPlan;
  readonly chainEvents: readonly ChainEvent[];
  /** The run ends no later than this. */
  readonly horizon: Seconds;
};

type Loose<T> = Partial<{ readonly [K in keyof T]: T[K] | undefined }>;

/** Members that scenarios of earlier versions lack, with the values that held then. */
const CHAIN_DEFAULTS = { decimals: 8, feeRate: null, notariseEvery: null, pace: 1000, startHeight: 1000 } as const;
const NOTHING = { maker: null, taker: null } as const;
const NOWHERE = { maker: false, taker: false } as const;
const EVERYWHERE = { maker: true, taker: true } as const;

/**
 * The same scenario with its own members, and those of its chains, parties and network, in a fixed order. Code that reads scenarios by the million is
 * fast only if all have one shape, and a builder's changes leave the members in any order. Adds what a scenario of an earlier version lacks.
 */
export function uniformScenario(scenario: Scenario): Scenario {
  const { chains, parties, network, confirmations } = scenario;
  const { requiresNota = NOWHERE, first = 'maker' }: Loose<Scenario> = scenario;
  const { partitions = [] }: Loose<NetworkPlan> = network;
  return {
    seed: scenario.seed,
    fidelity: scenario.fidelity,
    chains: { maker: uniformChain(chains.maker), taker: uniformChain(chains.taker) },
    makerAmount: scenario.makerAmount,
    takerAmount: scenario.takerAmount,
    lockDuration: scenario.lockDuration,
    confirmations: { maker: confirmations.maker, taker: confirmations.taker },
    requiresNota: { maker: requiresNota.maker, taker: requiresNota.taker },
    first,
    useWatchers: scenario.useWatchers,
    watcher: uniformWatcher(scenario.watcher),
    parties: { maker: uniformParty(parties.maker), taker: uniformParty(parties.taker) },
    network: {
      latency: network.latency,
      lossPerMille: network.lossPerMille,
      duplicatePerMille: network.duplicatePerMille,
      partitions,
    },
    chainEvents: scenario.chainEvents,
    horizon: scenario.horizon,
  };
}

const SOUND_NODES: WatcherPlan['nodes'] = { maker: [], taker: [] };

/** A third party that watches, without faults. */
export function soundWatcher(): WatcherPlan {
  return { crashes: [], completeFeeds: NOTHING, nodes: SOUND_NODES };
}

function uniformWatcher(plan: WatcherPlan | null): WatcherPlan | null {
  if (plan === null) return null;
  const { nodes = SOUND_NODES, completeFeeds = NOTHING, plain = false }: Loose<WatcherPlan> = plan;
  const { late = 0, absent = false, greedy = false }: Loose<WatcherPlan> = plan;
  // Present only if true: what does not name it stays as it was.
  const told = {
    ...(plain ? { plain } : {}),
    ...(late > 0 ? { late } : {}),
    ...(absent ? { absent } : {}),
    ...(greedy ? { greedy } : {}),
  };
  return {
    crashes: plan.crashes,
    completeFeeds: { maker: completeFeeds.maker, taker: completeFeeds.taker },
    nodes: { maker: nodes.maker, taker: nodes.taker },
    ...told,
  };
}

function uniformChain(plan: ChainPlan): ChainPlan {
  const { kind, coin, blockTime, finality, faults } = plan;
  const {
    decimals = CHAIN_DEFAULTS.decimals,
    feeRate = CHAIN_DEFAULTS.feeRate,
    notariseEvery = CHAIN_DEFAULTS.notariseEvery,
    pace = CHAIN_DEFAULTS.pace,
    startHeight = CHAIN_DEFAULTS.startHeight,
    rewards = false,
  }: Loose<ChainPlan> = plan;
  const uniform = { kind, coin, blockTime, finality, decimals, feeRate, notariseEvery, pace, startHeight, faults };
  return rewards ? { ...uniform, rewards } : uniform;
}

function uniformParty(plan: PartyPlan): PartyPlan {
  const { skew, crashes, storage, conduct, nodes } = plan;
  const {
    jumps = [],
    orders = [],
    funds = NOTHING,
    keyPerSwap = false,
    pushes = EVERYWHERE,
    completeFeeds = NOTHING,
    timing = null,
    finality = NOTHING,
  }: Loose<PartyPlan> = plan;
  return {
    skew,
    jumps,
    orders,
    funds: { maker: funds.maker, taker: funds.taker },
    keyPerSwap,
    pushes: { maker: pushes.maker, taker: pushes.taker },
    completeFeeds: { maker: completeFeeds.maker, taker: completeFeeds.taker },
    timing,
    finality: { maker: finality.maker, taker: finality.taker },
    crashes,
    storage,
    conduct,
    nodes: { maker: nodes.maker, taker: nodes.taker },
  };
}

const HONEST: PartyPlan = {
  skew: 0,
  jumps: [],
  orders: [],
  funds: NOTHING,
  keyPerSwap: false,
  pushes: EVERYWHERE,
  completeFeeds: NOTHING,
  timing: null,
  finality: NOTHING,
  crashes: [],
  storage: [],
  conduct: { kind: 'honest' },
  nodes: { maker: [], taker: [] },
};

/**
 * A scenario in which nothing goes wrong, with the given changes.
 *
 * @example
 * ```ts
 * import { calmScenario } from 'swapfold/testing';
 *
 * const { takerAmount, lockDuration, chains } = calmScenario({ lockDuration: 3600 });
 * [takerAmount, lockDuration, chains.taker.coin]; // → ['3', 3600, 'MARTY']
 * ```
 */
export function calmScenario(changes: Partial<Scenario> = {}): Scenario {
  const chain = (coin: string): ChainPlan => ({
    kind: 'utxo',
    coin,
    blockTime: 60,
    finality: 3,
    ...CHAIN_DEFAULTS,
    faults: [],
  });
  return {
    seed: 1,
    fidelity: 'compact',
    chains: { maker: chain('DOC'), taker: chain('MARTY') },
    makerAmount: '1.5' as DecimalText,
    takerAmount: '3' as DecimalText,
    lockDuration: 7800,
    confirmations: { maker: 1, taker: 1 },
    requiresNota: NOWHERE,
    first: 'maker',
    useWatchers: false,
    watcher: null,
    parties: { maker: HONEST, taker: HONEST },
    network: { latency: [0, 2], lossPerMille: 0, duplicatePerMille: 0, partitions: [] },
    chainEvents: [],
    horizon: 60_000,
    ...changes,
  };
}

/**
 * A party that follows the protocol, with the given changes.
 *
 * @example
 * ```ts
 * import { honestParty, scenario } from 'swapfold/testing';
 *
 * const taker = honestParty({ skew: -20, orders: [{ at: 600, action: 'pause' }] });
 * const { parties } = scenario({ parties: { maker: honestParty(), taker } });
 * [parties.taker.skew, parties.taker.conduct.kind, parties.maker.skew]; // → [-20, 'honest', 0]
 * ```
 */
export function honestParty(changes: Partial<PartyPlan> = {}): PartyPlan {
  return { ...HONEST, ...changes };
}
