import type { SwapRequest } from '../../events/journal.ts';
import { createInProcessNetwork } from '../../peers/in-process/index.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import { DEFAULT_RUNTIME_POLICY, type RuntimePolicy } from '../../runtime/runtime-policy.ts';
import { createSimChain } from '../chains/create.ts';
import { hex2, hex8 } from '../chains/mix.ts';
import type { SimChain, SimWallet } from '../chains/types.ts';
import { usualRewardOn } from '../world/judge/promises.ts';
import { createEventQueue } from '../world/queue.ts';
import { EPOCH } from '../world/scenario.ts';
import { SIMULATED_POLICY } from '../world/world.ts';
import { type Rng, xorshift32 } from '../xorshift.ts';
import { checkMarket, checkMarketOptions } from './check-market.ts';
import { happenAt, type Timeline } from './host.ts';
import { planOrders } from './orders.ts';
import {
  begin,
  createProcess,
  type Process,
  type ProcessOptions,
  type ProcessWorld,
  startProcess,
  type Tamper,
} from './process.ts';
import { type RogueMind, repeatMessages, rogueMind } from './rogue.ts';
import type { Market, MarketCoin, MarketEvent, MarketParty, MarketSwap } from './scenario.ts';
import { type Scheme, schemeOf } from './schemes.ts';
import { planUser } from './user.ts';

/** Timings of the engines of a market: chains report changes, so polls can be slow. */
export const MARKET_POLICY: RuntimePolicy = { ...DEFAULT_RUNTIME_POLICY, ...SIMULATED_POLICY };

/** A reorganization that removed something from a block. */
export type DeepReorg = { readonly coin: string; readonly at: Seconds; readonly depth: number };

/** A market in progress. Everything in it follows from the scenario. */
export type MarketWorld = ProcessWorld & {
  readonly market: Market;
  readonly processes: readonly Process[];
  readonly reorgs: DeepReorg[];
  /** When blocks came, by coin and height; in milliseconds. */
  readonly minedAt: ReadonlyMap<string, Map<number, number>>;
  /** In milliseconds. */
  readonly until: number;
  steps: number;
};

export type MarketOptions = {
  /** @defaultValue the adapters are left as they are */
  readonly tamper?: Tamper;
};

/** Keys of the parties without their parity byte, by which messages name them. */
export function keyOf(index: number): string {
  return hex2(0xa1 + index).repeat(32);
}

/**
 * A market at its first moment: all nodes run, and none knows of a swap yet.
 *
 * @throws MemberTypeError, MemberValueError for an invalid market or unknown options.
 *
 * @example
 * ```ts
 * import { calmMarket, createMarket } from 'swapfold/testing';
 *
 * const { chains, processes } = createMarket(calmMarket());
 * chains.get('DOC')?.ledger.balance('alice').confirmed; // → 4_000_000_000n
 * processes.map(({ party }) => party.name); // → ['alice', 'bob']
 * ```
 */
export function createMarket(market: Market, options: MarketOptions = {}): MarketWorld {
  checkMarketOptions(options);
  checkMarket(market);
  const { tamper = (_, chain) => chain } = options;
  const rng = xorshift32(market.seed);
  const timeline: Timeline = { now: EPOCH * 1000, queue: createEventQueue(), stirred: false };
  const chains = new Map(market.coins.map((plan) => [plan.coin, chainOf(plan, timeline, rng)]));
  const network = createInProcessNetwork({ policy: delivery(market, timeline, xorshift32(rng.next())) });
  const rewards = usualRewards(market);
  const parts = { timeline, rng: xorshift32(rng.next()), chains, rewards, network, policy: MARKET_POLICY, tamper };
  const processes: Process[] = [];
  const schemes: Scheme[] = [];
  const requests = requestsOf(market, rng);
  for (const [index, party] of market.parties.entries()) {
    const made = processesOf(parts, market, { party, index, requests });
    processes.push(...made);
    if (party.conduct.kind === 'repeater') {
      const topics = [...requests.values()].map(({ maker }) => `swap/${maker.uuid}`);
      repeatMessages(network.peer(keyOf(index)), { timeline, topics, after: party.conduct.after });
    }
    const scheme = schemeOf(party, made);
    if (scheme !== null) schemes.push(scheme);
  }
  const minedAt = new Map(market.coins.map(({ coin }) => [coin, new Map<number, number>()]));
  const until = (EPOCH + market.horizon) * 1000;
  const world: MarketWorld = { ...parts, market, processes, reorgs: [], minedAt, until, steps: 0 };
  for (const coin of market.coins) scheduleBlock(world, coin, schemes);
  for (const event of market.chainEvents) {
    happenAt(timeline, { at: (EPOCH + event.at) * 1000 }, () => disturb(world, event));
  }
  return world;
}

function chainOf(plan: MarketCoin, timeline: Timeline, rng: Rng): SimChain {
  const { coin, kind, nominalBlockTime, finality, decimals, feeRate, notariseEvery, faults, rewards } = plan;
  const chain = createSimChain(kind, {
    coin,
    blockTime: nominalBlockTime,
    finality,
    decimals,
    feeRate,
    ...(notariseEvery === null ? {} : { notariseEvery }),
    ...(rewards === true ? { rewards } : {}),
    now: () => Math.floor(timeline.now / 1000) as UnixSeconds,
    rng: xorshift32(rng.next()),
  });
  if (faults.length > 0) chain.setFaults(faults.map((fault) => ({ ...fault, ...shifted(fault) })));
  return chain;
}

/** By ticker, what a payment usually promises, in coin units; a coin without rewards is absent. */
function usualRewards({ coins }: Market): ProcessWorld['rewards'] {
  const paying = coins.filter((plan) => plan.rewards === true);
  return new Map(paying.map((plan) => [plan.coin, fromBaseUnits(usualRewardOn(plan), plan.decimals)]));
}

function shifted({ from, until }: { readonly from: number; readonly until: number }) {
  return { from: (EPOCH + from) as UnixSeconds, until: (EPOCH + until) as UnixSeconds };
}

/** Messages are late, lost or repeated, and do not cross the parts of a partitioned network. */
function delivery(market: Market, timeline: Timeline, rng: Rng) {
  const { latency, lossPerMille, duplicatePerMille } = market.network;
  const names = new Map(market.parties.map(({ name }, index) => [keyOf(index), name]));
  const wait = () => (latency[0] + rng.below(latency[1] - latency[0] + 1)) * 1000;
  const isParted = (from: string, to: string): boolean => {
    const at = timeline.now / 1000 - EPOCH;
    return market.partitions.some(
      (part) => part.from <= at && at < part.until && part.group.includes(from) !== part.group.includes(to),
    );
  };
  return ({
    envelope,
    to,
    deliver,
  }: {
    envelope: { readonly from: string };
    to: string;
    deliver: () => void;
  }): void => {
    if (isParted(names.get(envelope.from) ?? '', names.get(to) ?? '')) return;
    const fate = rng.below(1000);
    if (fate < lossPerMille) return;
    happenAt(timeline, { at: timeline.now + wait() }, deliver);
    if (fate < lossPerMille + duplicatePerMille) happenAt(timeline, { at: timeline.now + wait() + 1000 }, deliver);
  };
}

type PartyParts = {
  readonly party: MarketParty;
  readonly index: number;
  readonly requests: ReadonlyMap<MarketSwap, Readonly<Record<'maker' | 'taker', SwapRequest>>>;
};

/** One engine for all swaps of an honest party, one for each swap of another. */
function processesOf(parts: ProcessWorld, market: Market, { party, index, requests }: PartyParts): readonly Process[] {
  const { chains, timeline } = parts;
  const wallets = new Map([...chains].map(([coin, chain]) => [coin, walletOf(party, coin, chain)]));
  const told = market.swaps.flatMap((swap, place) => {
    const request = requests.get(swap);
    if (request === undefined) return [];
    const role = swap.maker === party.name ? 'maker' : swap.taker === party.name ? 'taker' : null;
    if (role === null) return [];
    return [{ index: place, request: request[role], at: role === 'maker' ? swap.at : swap.at + swap.takerLater }];
  });
  const honest = party.conduct.kind === 'honest';
  const mind: RogueMind | null = honest ? null : rogueMind(party.conduct, timeline);
  const topics = told.map(({ request }) => `swap/${request.uuid}`);
  const watched = [...requests].flatMap(([swap, { taker }]) => (swap.useWatchers ? [taker.uuid] : []));
  const shares = honest ? [told] : told.map((one) => [one]);
  return shares.map((share) => {
    const options: ProcessOptions = { party, key: keyOf(index), wallets, told: share, mind, topics, watched };
    const process = createProcess(options);
    startProcess(parts, process, options);
    for (const one of share) {
      happenAt(timeline, { at: (EPOCH + one.at) * 1000 }, () => begin(parts, process, one));
    }
    planOrders(timeline, process);
    if (honest) planUser(parts, process);
    return process;
  });
}

function walletOf({ name, funds, keyPerSwap, nodes }: MarketParty, coin: string, chain: SimChain): SimWallet {
  const held = funds[coin];
  const wallet = chain.wallet({
    party: name,
    keyPerSwap,
    ...(held === undefined ? {} : { funds: held.amount, coins: held.coins }),
  });
  const faults = nodes[coin] ?? [];
  if (faults.length > 0) wallet.setFaults(faults.map((fault) => ({ ...fault, ...shifted(fault) })));
  return wallet;
}

/** Mines the chain's next block after a random wait around the mean. */
function scheduleBlock(world: MarketWorld, plan: MarketCoin, schemes: readonly Scheme[]): void {
  const { timeline, rng, chains, minedAt } = world;
  const chain = chains.get(plan.coin) as SimChain;
  const wait = Math.max(1, Math.floor((plan.blockTime * (200 + rng.below(1600))) / 1000));
  happenAt(timeline, { at: timeline.now + wait * 1000 }, () => {
    // Half of the miners are honest: if none were, the chain's clock could stand still forever.
    chain.mine(rng.below(2) === 0 ? {} : blockTime(plan, chain, timeline));
    minedAt.get(plan.coin)?.set(chain.height(), timeline.now);
    for (const scheme of schemes) scheme(plan.coin, chain);
    scheduleBlock(world, plan, schemes);
  });
}

/** A miner chooses the time of its block within the rules. */
function blockTime({ blockClock }: MarketCoin, chain: SimChain, { now }: Timeline): { readonly time?: UnixSeconds } {
  if (blockClock === 'true') return {};
  const seconds = Math.floor(now / 1000);
  const wanted = blockClock === 'least' ? chain.clock() + 1 : seconds + blockClock.ahead;
  return { time: Math.max(wanted, chain.clock() + 1) as UnixSeconds };
}

function disturb(world: MarketWorld, event: MarketEvent): void {
  const { timeline, chains, reorgs } = world;
  const chain = chains.get(event.coin);
  if (chain === undefined) return;
  if (event.kind === 'dropMempool') {
    chain.expire(Math.floor(timeline.now / 1000 + 1) as UnixSeconds);
    return;
  }
  const depth = Math.min(event.depth, chain.height() - 1000);
  if (depth <= 0) return;
  reorgs.push({ coin: event.coin, at: event.at, depth });
  chain.reorg(event.drop ? { depth, drop: 'all' } : { depth });
}

function requestsOf(market: Market, rng: Rng): PartyParts['requests'] {
  const indexOf = (name: string) => market.parties.findIndex((party) => party.name === name);
  const shared = secretOf(rng);
  return new Map(
    market.swaps.map((swap) => {
      const uuid = uuidOf(rng);
      const own = secretOf(rng);
      const reuses = market.parties[indexOf(swap.maker)]?.conduct.kind === 'oneSecret';
      const both = {
        uuid,
        my_order_uuid: uuid,
        maker_coin: swap.makerCoin,
        taker_coin: swap.takerCoin,
        maker_amount: swap.makerAmount,
        taker_amount: swap.takerAmount,
        lock_duration: swap.lockDuration,
        maker_payment_confirmations: swap.confirmations.maker,
        maker_payment_requires_nota: swap.requiresNota.maker,
        taker_payment_confirmations: swap.confirmations.taker,
        taker_payment_requires_nota: swap.requiresNota.taker,
        use_watchers: swap.useWatchers,
      };
      const keys = { maker: keyOf(indexOf(swap.maker)), taker: keyOf(indexOf(swap.taker)) };
      const maker: SwapRequest = {
        role: 'maker',
        counterparty: keys.taker,
        my_persistent_pub: `02${keys.maker}`,
        secret: reuses ? shared : own,
        ...both,
      };
      const taker: SwapRequest = {
        role: 'taker',
        counterparty: keys.maker,
        my_persistent_pub: `02${keys.taker}`,
        secret: null,
        ...both,
      };
      return [swap, { maker, taker }];
    }),
  );
}

function secretOf(rng: Rng): string {
  let hex = '';
  for (let word = 0; word < 8; word += 1) hex += hex8(rng.next());
  return hex;
}

function uuidOf(rng: Rng): string {
  const hex = hex8(rng.next()) + hex8(rng.next()) + hex8(rng.next()) + hex8(rng.next());
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
