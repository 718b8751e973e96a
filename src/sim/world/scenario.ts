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
  /** Price of one byte or one unit of gas without urgency, in base units; null for what its kind of chain has. */
  readonly feeRate: number | null;
  /** Every so many heights a block is notarized, on UTXO chains; null where the chain cannot tell. */
  readonly notariseEvery: number | null;
  /** True pace of the blocks: how long one takes in the mean, in thousandths of the nominal time. */
  readonly pace: number;
  /** Height of the tip at the start, at least 11. */
  readonly startHeight: number;
  /** What is wrong with the network; times in seconds from the start of the world. */
  readonly faults: readonly NetworkFault[];
  /** Whether payments may promise a reward to whoever ends them for a party, on chains with accounts. @defaultValue false */
  readonly rewards?: boolean;
};

/** A process that dies at one of its numbered inputs or outputs, before it happened or after, and comes back. */
export type CrashPlan = {
  /** Count of commands that the party has begun, from 1. */
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
  /** A maker that locks for less time than agreed and says so, or says nothing of it. */
  | { readonly kind: 'shortLock'; readonly seconds: Seconds; readonly admit: boolean }
  /** Pays less than agreed. */
  | { readonly kind: 'underpay' }
  /** Claims, and takes its own payment back as soon as the chain lets it. */
  | { readonly kind: 'greedy' }
  /** Sends messages that say what is not so: all that it can, or those of one kind. */
  | { readonly kind: 'liar'; readonly about?: LieTopic }
  /**
   * Leaves what it sent in the mempool on purpose: miners who are its friends leave it out for so long, and so many transactions
   * that pay little depend on it, so that whoever wants to replace it pays for all of them (UTXO chains).
   */
  | {
      readonly kind: 'pin';
      readonly what: 'payment' | 'claim' | 'refund';
      readonly children: number;
      readonly seconds: Seconds;
    }
  /** Takes its payment back out of the mempool, by one that pays more, so long after it was sent. */
  | { readonly kind: 'replace'; readonly after: Seconds }
  /** Mines a branch of its own once its payment has so many confirmations: there its coins went back. */
  | { readonly kind: 'rewrite'; readonly depth: number }
  /** Takes its payment back at a high price as soon as a block permits it, also against a claim that waits, and also after its end. */
  | { readonly kind: 'race' }
  /** A maker that claims so long before the lock of the taker's payment ends; after it where that is negative. */
  | { readonly kind: 'lastSecond'; readonly margin: Seconds }
  /** A maker that asks watchers in the taker's name before it does, and hands out what the taker signed for them. */
  | { readonly kind: 'frontRun' }
  /** A program of one's own, by the name under which the run is given it. */
  | { readonly kind: 'custom'; readonly name: string };

/** Messages that a liar can falsify. */
export const LIE_TOPICS = ['negotiation', 'takerFee', 'makerPayment', 'takerPayment'] as const;

export type LieTopic = (typeof LIE_TOPICS)[number];

/** From this moment on a clock is ahead by so much; behind where it is negative. */
export type ClockJump = { readonly at: Seconds; readonly skew: Seconds };

/** What an operator orders; of a dead process again and again until it is there. */
export type Order = { readonly at: Seconds; readonly action: 'pause' | 'resume' | 'retry' };

/** Timings of an engine, in seconds; for a lock of 7800 s, the polls of a spend and a refund grow with the lock. */
export type Timing = {
  readonly confirmationPoll: Seconds;
  readonly spendPoll: Seconds;
  readonly refundPoll: Seconds;
  readonly freshness: Seconds;
  readonly bumpAfter: Seconds;
  readonly dropAfter: Seconds;
};

/** One depth for all payments; or steps, of which the highest that an amount reaches counts, and below all of them the chain's own number. */
export type FinalityPlan = number | readonly FinalityStep[] | null;

/** From an amount on, in coin units, how many confirmations are final. */
export type FinalityStep = { readonly from: DecimalText; readonly depth: number };

/**
 * What the feed of a node promises: to tell of every block and of every change, so that nobody need ask between its words. It does not
 * where the node has faults of its own. Null for no promise.
 */
export type CompleteFeedPlan = { readonly losesPerMille: number } | null;

/** A third party that watches, with what goes wrong around it. */
export type WatcherPlan = {
  readonly crashes: readonly CrashPlan[];
  /** What the feeds of its nodes promise. @defaultValue nothing */
  readonly completeFeeds?: Readonly<Record<ChainName, CompleteFeedPlan>>;
  /** What is wrong with its nodes; times in seconds from the start of the world. */
  readonly nodes: Readonly<Record<ChainName, readonly NodeFault[]>>;
  /** Takers ask it as the real node does: their messages tell no amounts. @defaultValue false */
  readonly plain?: boolean;
  /** No miner takes what it sends before so much later, so that whoever acts meanwhile is first. @defaultValue 0 */
  readonly late?: Seconds;
  /** It hears no taker, so that payments promise rewards for nothing. @defaultValue false */
  readonly absent?: boolean;
  /**
   * A stranger beside it, with friends who mine, makes every call for which a reward pays whoever makes it, as soon as the contract takes it and before
   * anything else in its block. @defaultValue false
   */
  readonly greedy?: boolean;
};

export type PartyPlan = {
  /** How much its clock is ahead at the start. */
  readonly skew: Seconds;
  /** How it changes, in order. */
  readonly jumps: readonly ClockJump[];
  readonly orders: readonly Order[];
  /** What its wallet has of each coin at the start; null for plenty. */
  readonly funds: Readonly<Record<ChainName, DecimalText | null>>;
  /** Whether each swap has keys of its own on UTXO chains. */
  readonly keyPerSwap: boolean;
  /** Whether its nodes tell of changes; where they do not, only polls find them. */
  readonly pushes: Readonly<Record<ChainName, boolean>>;
  /** What those that tell of changes promise of it. */
  readonly completeFeeds: Readonly<Record<ChainName, CompleteFeedPlan>>;
  /** Null for {@link SIMULATED_POLICY}. */
  readonly timing: Timing | null;
  /** Confirmations that are final for it, of all payments or from an amount on; null for what the chain says. */
  readonly finality: Readonly<Record<ChainName, FinalityPlan>>;
  readonly crashes: readonly CrashPlan[];
  readonly storage: readonly StorageFault[];
  readonly conduct: Conduct;
  /** What is wrong with its nodes; times in seconds from the start of the world. */
  readonly nodes: Readonly<Record<ChainName, readonly NodeFault[]>>;
};

export type NetworkPlan = {
  readonly latency: readonly [least: Seconds, most: Seconds];
  /** Of a thousand messages: how many are lost, and how many arrive twice. */
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
  /** Whether a payment must be notarized before it counts as confirmed. */
  readonly requiresNota: Readonly<Record<ChainName, boolean>>;
  /** Whose engine acts first where both can. */
  readonly first: 'maker' | 'taker';
  readonly useWatchers: boolean;
  /** A third party's process; null where nobody watches. */
  readonly watcher: WatcherPlan | null;
  readonly parties: Readonly<Record<'maker' | 'taker', PartyPlan>>;
  readonly network: NetworkPlan;
  readonly chainEvents: readonly ChainEvent[];
  /** The run ends here at the latest. */
  readonly horizon: Seconds;
};

type Loose<T> = Partial<{ readonly [K in keyof T]: T[K] | undefined }>;

/** Members that scenarios of earlier versions do not have, with what held then. */
const CHAIN_DEFAULTS = { decimals: 8, feeRate: null, notariseEvery: null, pace: 1000, startHeight: 1000 } as const;
const NOTHING = { maker: null, taker: null } as const;
const NOWHERE = { maker: false, taker: false } as const;
const EVERYWHERE = { maker: true, taker: true } as const;

/**
 * The same scenario with its own members, and those of its chains, parties and network, in one order. What reads scenarios by the
 * million is quick only where all of them are made alike, and a builder's changes leave the members in any order. What a scenario
 * of an earlier version lacks is added.
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

/** A third party that watches, and with which nothing is wrong. */
export function soundWatcher(): WatcherPlan {
  return { crashes: [], completeFeeds: NOTHING, nodes: SOUND_NODES };
}

function uniformWatcher(plan: WatcherPlan | null): WatcherPlan | null {
  if (plan === null) return null;
  const { nodes = SOUND_NODES, completeFeeds = NOTHING, plain = false }: Loose<WatcherPlan> = plan;
  const { late = 0, absent = false, greedy = false }: Loose<WatcherPlan> = plan;
  // Named only where it is so: what says nothing of it is what it was.
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
