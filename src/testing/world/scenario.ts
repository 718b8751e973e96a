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
  /** What is wrong with the network; times in seconds from the start of the world. */
  readonly faults: readonly NetworkFault[];
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
  /** A program of one's own, by the name under which the run is given it. */
  | { readonly kind: 'custom'; readonly name: string };

/** Messages that a liar can falsify. */
export const LIE_TOPICS = ['negotiation', 'takerFee', 'makerPayment', 'takerPayment'] as const;

export type LieTopic = (typeof LIE_TOPICS)[number];

export type PartyPlan = {
  /** How much its clock is ahead. */
  readonly skew: Seconds;
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
};

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
  readonly useWatchers: boolean;
  /** A third party's process; null where nobody watches. */
  readonly watcher: { readonly crashes: readonly CrashPlan[] } | null;
  readonly parties: Readonly<Record<'maker' | 'taker', PartyPlan>>;
  readonly network: NetworkPlan;
  readonly chainEvents: readonly ChainEvent[];
  /** The run ends here at the latest. */
  readonly horizon: Seconds;
};

/**
 * The same scenario with its own members, and those of its chains, parties and network, in one order. What reads scenarios by the
 * million is quick only where all of them are made alike, and a builder's changes leave the members in any order.
 */
export function uniformScenario(scenario: Scenario): Scenario {
  const { chains, parties, network, confirmations } = scenario;
  return {
    seed: scenario.seed,
    fidelity: scenario.fidelity,
    chains: { maker: uniformChain(chains.maker), taker: uniformChain(chains.taker) },
    makerAmount: scenario.makerAmount,
    takerAmount: scenario.takerAmount,
    lockDuration: scenario.lockDuration,
    confirmations: { maker: confirmations.maker, taker: confirmations.taker },
    useWatchers: scenario.useWatchers,
    watcher: scenario.watcher,
    parties: { maker: uniformParty(parties.maker), taker: uniformParty(parties.taker) },
    network: {
      latency: network.latency,
      lossPerMille: network.lossPerMille,
      duplicatePerMille: network.duplicatePerMille,
    },
    chainEvents: scenario.chainEvents,
    horizon: scenario.horizon,
  };
}

function uniformChain({ kind, coin, blockTime, finality, faults }: ChainPlan): ChainPlan {
  return { kind, coin, blockTime, finality, faults };
}

function uniformParty({ skew, crashes, storage, conduct, nodes }: PartyPlan): PartyPlan {
  return { skew, crashes, storage, conduct, nodes: { maker: nodes.maker, taker: nodes.taker } };
}

const HONEST: PartyPlan = {
  skew: 0,
  crashes: [],
  storage: [],
  conduct: { kind: 'honest' },
  nodes: { maker: [], taker: [] },
};

/** A scenario in which nothing goes wrong, with the given changes. */
export function calmScenario(changes: Partial<Scenario> = {}): Scenario {
  const chain = (coin: string): ChainPlan => ({ kind: 'utxo', coin, blockTime: 60, finality: 3, faults: [] });
  return {
    seed: 1,
    fidelity: 'compact',
    chains: { maker: chain('DOC'), taker: chain('MARTY') },
    makerAmount: '1.5' as DecimalText,
    takerAmount: '3' as DecimalText,
    lockDuration: 7800,
    confirmations: { maker: 1, taker: 1 },
    useWatchers: false,
    watcher: null,
    parties: { maker: HONEST, taker: HONEST },
    network: { latency: [0, 2], lossPerMille: 0, duplicatePerMille: 0 },
    chainEvents: [],
    horizon: 60_000,
    ...changes,
  };
}

/** A party that follows the protocol, with the given changes. */
export function honestParty(changes: Partial<PartyPlan> = {}): PartyPlan {
  return { ...HONEST, ...changes };
}
