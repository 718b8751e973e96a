import type { Purpose } from '../../events/journal.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { OperatorAction } from '../../runtime/operate/operate.ts';
import type { RuntimePolicy } from '../../runtime/runtime-policy.ts';
import type { NetworkFault, NodeFault, SimChainKind } from '../chains/types.ts';
import type { CrashPlan, NetworkPlan, StorageFault } from '../world/scenario.ts';

/** A chain of a market. All times in a scenario are seconds from the start of the world. */
export type MarketCoin = {
  readonly coin: string;
  readonly kind: SimChainKind;
  /** Mean time between blocks. */
  readonly blockTime: Seconds;
  /** The block time that the chain states; blocks come as much faster or slower as the two differ. */
  readonly nominalBlockTime: Seconds;
  readonly finality: number;
  readonly decimals: number;
  readonly feeRate: number;
  /** A block is notarized every this many heights; null for a chain that is not notarized. */
  readonly notariseEvery: number | null;
  readonly faults: readonly NetworkFault[];
  /** Which time half of the miners write into their blocks: the true one, the least allowed, or one this many seconds ahead. */
  readonly blockClock: 'true' | 'least' | { readonly ahead: Seconds };
  /** Whether payments may promise a reward to anyone who ends them for a party, on chains with accounts. @defaultValue false */
  readonly rewards?: boolean;
};

/**
 * What a party does with its swaps. All but `honest` break the protocol on purpose. Such a party runs a separate engine for each swap, so that no log
 * keeps it from using one thing twice.
 */
export type MarketConduct =
  | { readonly kind: 'honest' }
  /** A maker that gives all its swaps one secret, so that payments under equal terms are one payment. */
  | { readonly kind: 'oneSecret' }
  /** A taker that shows every maker the first fee it paid. */
  | { readonly kind: 'oneFee' }
  /** Pays what only nearly fits: base units less, or seconds less of lock. */
  | { readonly kind: 'nearly'; readonly member: 'amount' | 'lock'; readonly by: number }
  /** Voids its own payment before it is in a block. */
  | { readonly kind: 'replacer'; readonly after: Seconds }
  /** Keeps its transactions for these purposes from the network for a while. */
  | { readonly kind: 'withholder'; readonly purposes: readonly Purpose[]; readonly for: Seconds }
  /** Shows the secret this many seconds before the other side can refund. */
  | { readonly kind: 'lastSecond'; readonly margin: Seconds }
  /** Refunds its own payments whenever the chain allows it, whatever was said. */
  | { readonly kind: 'grabber' }
  /** Mines a branch in which its own payment, once this deep, was never made. */
  | { readonly kind: 'rewriter'; readonly depth: number }
  /** Stops for good once a log of its own holds an event of this type. */
  | { readonly kind: 'deserter'; readonly after: string }
  /** Repeats what it hears and says on the topics of all its swaps. */
  | { readonly kind: 'gossip' }
  /** A taker that asks watchers to watch the payments of its swap once more, under another uuid and another secret hash. */
  | { readonly kind: 'watchedTwice' }
  /**
   * Repeats the messages of one swap in all others, in the name of their signer, as anyone may on a network whose signatures do not cover the topic.
   * Some seconds later, or before the message itself arrives.
   */
  | { readonly kind: 'repeater'; readonly after: Seconds }
  /** Refunds every payment for its sender, or claims it for its receiver, whenever a reward pays for that and the chain lets anyone do it. */
  | { readonly kind: 'raker' };

export type Funds = { readonly amount: DecimalText /** Number of outputs that hold it. */; readonly coins: number };

/** A request that its node must refuse, made from the request for one of its swaps. */
export type Mistake = {
  readonly at: Seconds;
  readonly swap: number;
  /** A secret that this swap has used, one coin for both sides, the own key for that of the other side, or a count below zero. */
  readonly kind: 'usedSecret' | 'oneCoin' | 'ownKey' | 'confirmations';
};

/** What one of its swaps may pay in fees on a chain, in units of the coin that pays them. */
export type MarketAllowance = {
  readonly at: Seconds;
  readonly swap: number;
  readonly leg: 'maker' | 'taker';
  readonly most: DecimalText;
};

/** Who uses a party's node: what they ask, and how often the judge compares its answers with the truth. */
export type MarketUser = {
  /** Null for a user who never looks. */
  readonly looksEvery: Seconds | null;
  readonly mistakes: readonly Mistake[];
  readonly allowances: readonly MarketAllowance[];
};

export type MarketParty = {
  readonly name: string;
  readonly conduct: MarketConduct;
  /** How far ahead its clock is at the start. */
  readonly skew: Seconds;
  /** The host's clock is set forward, or back for a negative number. Timers of the host do not notice. */
  readonly jumps: readonly { readonly at: Seconds; readonly by: Seconds }[];
  /** By ticker. @defaultValue none of a coin that is not named */
  readonly funds: Readonly<Record<string, Funds>>;
  readonly keyPerSwap: boolean;
  /** Whether its adapters report changes. */
  readonly feeds: boolean;
  /** The feeds of its adapters promise to report everything, so that the engine hardly polls a node without news. They keep the promise. */
  readonly completeFeeds: boolean;
  /** Its host reports elapsed time, whatever its clock is set to. */
  readonly tellsElapsed: boolean;
  /** Whether it watches the swaps of others. */
  readonly watches: boolean;
  /** By ticker, what is wrong with its nodes. */
  readonly nodes: Readonly<Record<string, readonly NodeFault[]>>;
  /** By ticker, how long its nodes take to answer. @defaultValue no time */
  readonly latency: Readonly<Record<string, readonly [least: Seconds, most: Seconds]>>;
  /** Processes that die at one of their numbered inputs or outputs; each plan counts from the start of the party. */
  readonly crashes: readonly CrashPlan[];
  readonly storage: readonly StorageFault[];
  /** What its operator orders for one of its swaps. */
  readonly orders: readonly {
    readonly at: Seconds;
    readonly swap: number;
    readonly action: OperatorAction['action'];
  }[];
  readonly policy: Partial<RuntimePolicy>;
  readonly user: MarketUser;
  /** Its log answers with promises, as one over a network does, and not at once. */
  readonly promisedLog: boolean;
};

/** An order that matched. Its amounts differ from all others in the market, so that the chains alone show whose payment is whose. */
export type MarketSwap = {
  readonly maker: string;
  readonly taker: string;
  readonly makerCoin: string;
  readonly takerCoin: string;
  readonly makerAmount: DecimalText;
  readonly takerAmount: DecimalText;
  readonly confirmations: { readonly maker: number; readonly taker: number };
  readonly requiresNota: { readonly maker: boolean; readonly taker: boolean };
  readonly lockDuration: Seconds;
  readonly useWatchers: boolean;
  /** When the maker's node learns of it. */
  readonly at: Seconds;
  /** How much later the taker's node learns of it. */
  readonly takerLater: Seconds;
};

/** Nobody in the group hears anyone outside it. */
export type Partition = { readonly from: Seconds; readonly until: Seconds; readonly group: readonly string[] };

export type MarketEvent = { readonly at: Seconds; readonly coin: string } & (
  | { readonly kind: 'reorg'; readonly depth: number; readonly drop: boolean }
  | { readonly kind: 'dropMempool' }
);

/** A whole run as data: the same market gives the same bytes on every machine. */
export type Market = {
  readonly seed: number;
  readonly coins: readonly MarketCoin[];
  readonly parties: readonly MarketParty[];
  readonly swaps: readonly MarketSwap[];
  readonly network: Omit<NetworkPlan, 'partitions'>;
  readonly partitions: readonly Partition[];
  readonly chainEvents: readonly MarketEvent[];
  /** The run ends no later than this. */
  readonly horizon: Seconds;
};

const QUIET = {
  conduct: { kind: 'honest' },
  skew: 0,
  jumps: [],
  keyPerSwap: false,
  feeds: true,
  completeFeeds: false,
  tellsElapsed: false,
  watches: false,
  nodes: {},
  latency: {},
  crashes: [],
  storage: [],
  orders: [],
  policy: {},
  user: { looksEvery: 600, mistakes: [], allowances: [] },
  promisedLog: false,
} as const;

/**
 * A party that follows the protocol on a sound host, with the given changes.
 *
 * @example
 * ```ts
 * import { decimalOf } from 'swapfold';
 * import { calmParty } from 'swapfold/testing';
 *
 * const funds = { DOC: { amount: decimalOf('40'), coins: 5 } };
 * const { conduct, skew, funds: held } = calmParty('carol', funds, { skew: -20 });
 * [conduct.kind, skew, held['DOC']?.coins]; // → ['honest', -20, 5]
 * ```
 */
export function calmParty(name: string, funds: MarketParty['funds'], changes: Partial<MarketParty> = {}): MarketParty {
  return { name, funds, ...QUIET, ...changes };
}

/**
 * A sound chain, with the given changes.
 *
 * @example
 * ```ts
 * import { calmCoin } from 'swapfold/testing';
 *
 * const { kind, feeRate, finality } = calmCoin('ETH', { kind: 'account', finality: 12 });
 * [kind, feeRate, finality]; // → ['account', 1, 12]
 * calmCoin('MARTY', { blockTime: 90 }).nominalBlockTime; // → 90
 * ```
 */
export function calmCoin(coin: string, changes: Partial<MarketCoin> = {}): MarketCoin {
  const blockTime = changes.blockTime ?? 60;
  return {
    coin,
    kind: 'utxo',
    blockTime,
    nominalBlockTime: blockTime,
    finality: 3,
    decimals: 8,
    feeRate: changes.kind === undefined || changes.kind === 'utxo' ? 2 : 1,
    notariseEvery: null,
    faults: [],
    blockClock: 'true',
    ...changes,
  };
}

/**
 * A swap of one maker with one taker, with the given changes.
 *
 * @example
 * ```ts
 * import { calmMarket, calmSwap, runMarketScenario } from 'swapfold/testing';
 *
 * const who = { maker: 'bob', taker: 'alice' };
 * const swap = calmSwap({ ...who, makerCoin: 'MARTY', takerCoin: 'DOC', at: 30 });
 * const { endings, violations } = await runMarketScenario(calmMarket({ swaps: [swap] }));
 * violations; // → []
 * endings.map(({ party, role, own }) => `${party} ${role} ${own}`); // → [
 * //   'alice taker taken',
 * //   'bob maker taken',
 * // ]
 * ```
 */
export function calmSwap(changes: Partial<MarketSwap> & Pick<MarketSwap, 'maker' | 'taker'>): MarketSwap {
  return {
    makerCoin: 'DOC',
    takerCoin: 'MARTY',
    makerAmount: '1.50000007' as DecimalText,
    takerAmount: '3.00000041' as DecimalText,
    confirmations: { maker: 1, taker: 2 },
    requiresNota: { maker: false, taker: false },
    lockDuration: 7800,
    useWatchers: false,
    at: 0,
    takerLater: 0,
    ...changes,
  };
}

/**
 * Two honest parties and two swaps in opposite directions, with the given changes.
 *
 * @example
 * ```ts
 * import { calmMarket } from 'swapfold/testing';
 *
 * const { coins, parties, swaps } = calmMarket({ seed: 7 });
 * coins.map(({ coin, blockTime }) => `${coin} ${blockTime} s`); // → ['DOC 60 s', 'MARTY 90 s']
 * parties.map(({ name }) => name); // → ['alice', 'bob']
 * swaps.map(({ maker, taker }) => `${maker} to ${taker}`); // → ['alice to bob', 'bob to alice']
 * ```
 */
export function calmMarket(changes: Partial<Market> = {}): Market {
  const funds = (doc: string, marty: string): MarketParty['funds'] => ({
    DOC: { amount: doc as DecimalText, coins: 5 },
    MARTY: { amount: marty as DecimalText, coins: 7 },
  });
  return {
    seed: 1,
    coins: [calmCoin('DOC', { finality: 2 }), calmCoin('MARTY', { blockTime: 90, finality: 4 })],
    parties: [calmParty('alice', funds('40', '30')), calmParty('bob', funds('25', '60'))],
    swaps: [
      calmSwap({ maker: 'alice', taker: 'bob' }),
      calmSwap({
        maker: 'bob',
        taker: 'alice',
        makerAmount: '2.25000013' as DecimalText,
        takerAmount: '4.00000077' as DecimalText,
        confirmations: { maker: 3, taker: 1 },
        at: 30,
        takerLater: 2,
      }),
    ],
    network: { latency: [0, 2], lossPerMille: 0, duplicatePerMille: 0 },
    partitions: [],
    chainEvents: [],
    horizon: 60_000,
    ...changes,
  };
}
