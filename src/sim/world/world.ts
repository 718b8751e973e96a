import type { SwapRequest } from '../../events/journal.ts';
import type { SignedTransaction } from '../../ports/chain.ts';
import type { SwapMessage, WatcherMessage } from '../../ports/peers.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Millis, Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { AskResult, Command } from '../../runtime/command.ts';
import type { FinalityStep } from '../../runtime/finality.ts';
import { DEFAULT_POLICY, type Policy } from '../../runtime/policy.ts';
import { createSimChain } from '../chains/create.ts';
import { hex2, hex8 } from '../chains/mix.ts';
import type { NetworkFault, NodeFault, SimChain, SimWallet } from '../chains/types.ts';
import { type Rng, xorshift32 } from '../xorshift.ts';
import { checkWorldOptions } from './check-options.ts';
import { checkScenario } from './check-scenario.ts';
import { conducted } from './conduct.ts';
import { type CustomConducts, hooksOf } from './custom-conduct.ts';
import { type Behaviour, commit, createNode, publish, recordsOf, type SimNode, SOUND } from './node.ts';
import { ownParts } from './own-parts.ts';
import { createEventQueue, type EventQueue } from './queue.ts';
import {
  type ChainEvent,
  type ChainName,
  type ClockJump,
  type CrashPlan,
  EPOCH,
  type Order,
  type PartyPlan,
  type Scenario,
  type Timing,
  uniformScenario,
} from './scenario.ts';
import { isSchemer } from './schemers.ts';
import { createWatcherNode, type WatcherNode } from './watcher-node.ts';
import type { Wire } from './wire.ts';

/** Timings of a simulated engine for a lock of 7800 s: chains report changes, so polls can be slow. */
export const SIMULATED_POLICY: Policy = {
  ...DEFAULT_POLICY,
  confirmationPoll: 600,
  spendPoll: 600,
  refundPoll: 900,
  freshness: 10,
  backoff: { first: 20, factor: 2, most: 300 },
};

const USUAL_LOCK = 7800;

/** The timings for a lock duration: poll intervals grow with the lock. */
export function simulatedPolicy(lockDuration: Seconds, timing: Timing | null = null): Policy {
  const factor = Math.max(1, lockDuration / USUAL_LOCK);
  const { confirmationPoll, spendPoll, refundPoll, freshness, bumpAfter, dropAfter } = timing ?? SIMULATED_POLICY;
  return {
    ...SIMULATED_POLICY,
    confirmationPoll,
    spendPoll: Math.floor(spendPoll * factor),
    refundPoll: Math.floor(refundPoll * factor),
    freshness,
    bumpAfter,
    dropAfter,
  };
}

function policyOf({ lockDuration, chains }: Scenario, { timing, finality }: PartyPlan): Policy {
  const policy = simulatedPolicy(lockDuration, timing);
  if (finality.maker === null && finality.taker === null) return policy;
  const named: Record<string, readonly FinalityStep[]> = {};
  for (const leg of ['maker', 'taker'] as const) {
    const depth = onLeg(finality, leg);
    if (depth === null) continue;
    named[onLeg(chains, leg).coin] = typeof depth === 'number' ? [{ from: '0' as DecimalText, depth }] : depth;
  }
  return { ...policy, finality: named };
}

/** All of one shape: the party or chain concerned, and the details. */
export type Happening =
  | { readonly kind: 'wake'; readonly of: SimNode; readonly given: number }
  | { readonly kind: 'revive'; readonly of: SimNode; readonly given: null }
  | { readonly kind: 'deliver'; readonly of: SimNode; readonly given: SwapMessage }
  | { readonly kind: 'watch'; readonly of: string; readonly given: SwapMessage }
  | { readonly kind: 'wakeWatcher'; readonly of: null; readonly given: number }
  | { readonly kind: 'reviveWatcher'; readonly of: null; readonly given: null }
  | { readonly kind: 'mine'; readonly of: ChainName; readonly given: null }
  | { readonly kind: 'chain'; readonly of: null; readonly given: ChainEvent }
  | { readonly kind: 'jump'; readonly of: SimNode; readonly given: ClockJump }
  | { readonly kind: 'order'; readonly of: SimNode; readonly given: Order }
  | { readonly kind: 'undo'; readonly of: SimNode; readonly given: SignedTransaction }
  | { readonly kind: 'answer'; readonly of: SimNode; readonly given: LateAnswer };

/** What a slow node answers, if the process that asked is still alive. */
export type LateAnswer = {
  readonly command: Extract<Command, { kind: 'ask' }>;
  readonly result: AskResult;
  readonly took: number;
  readonly restarts: number;
};

/** A run in progress. Everything in it follows from the scenario. */
export type World = {
  readonly scenario: Scenario;
  readonly rng: Rng;
  readonly chains: Readonly<Record<ChainName, SimChain>>;
  readonly nodes: Readonly<Record<'maker' | 'taker', SimNode>>;
  /** Null if nobody watches. */
  readonly watcher: WatcherNode | null;
  /** Where a stranger takes every reward that it can; null on chains without rewards, or without a stranger. */
  readonly grabber: Readonly<Record<ChainName, SimWallet | null>> | null;
  readonly queue: EventQueue<Happening>;
  /** True time, in milliseconds. */
  now: number;
  /** The same, for chains and hosts. */
  readonly clock: { now: number };
  /** The number of steps so far. */
  steps: number;
  readonly observer: Observer;
  readonly uuid: string;
  /** The maker's secret from the scenario, 32 bytes in hex. */
  readonly secret: string;
  /** What both sides stated when they negotiated. */
  readonly wire: Wire;
  /** Reorganizations so far that removed something from a block. */
  readonly reorgs: Reorg[];
  /** The run ends no later than this; in milliseconds. */
  readonly until: number;
  /** Whose turn it is, or was last. */
  acting: 'maker' | 'taker' | 'watcher';
  /** Parties that break the protocol by what they do besides their engines. */
  readonly schemers: readonly SimNode[];
  /** Until when miners leave a transaction out, by its id; in milliseconds. */
  readonly withheld: Map<string, number>;
  /** What a taker signed for its watchers, once a maker has obtained it; null before. */
  overheard: WatcherMessage | null;
  /** Plans of the scenario that came true, and what happened to messages. */
  readonly fired: Set<object>;
  /** Copies of the planned faults that chains and nodes have, with their places in the scenario. */
  readonly planned: readonly PlannedFault[];
};

/** A message that was lost, or delivered twice. */
export const LOST = { what: 'lost' };
export const DOUBLED = { what: 'doubled' };

/** A fault of a scenario, as a node or a chain was given it. */
export type PlannedFault = { readonly place: string; readonly fault: NodeFault | NetworkFault };

/** Blocks that a chain replaced, and that held transactions or ended a payment. */
export type Reorg = {
  readonly chain: ChainName;
  readonly depth: number;
  /** Seconds from the start of the world. */
  readonly at: Seconds;
};

/** Observes without taking part. */
export type Observer = {
  /** After each append, with the records; `node.runner` has them. */
  readonly appended?: (
    world: World,
    node: SimNode,
    records: readonly { readonly type: string; readonly at: Millis; readonly data: unknown }[],
  ) => void;
  /** After each answer of a chain. */
  readonly answered?: (
    world: World,
    node: SimNode,
    asked: { readonly command: Extract<Command, { kind: 'ask' }>; readonly result: AskResult },
  ) => void;
  /** After each message that a party handed to the network, as it was sent. */
  readonly sent?: (world: World, node: SimNode, message: SwapMessage) => void;
  /** A process died: by which of its plans, or because a log answered with an error. */
  readonly crashed?: (world: World, node: SimNode, by: CrashPlan | 'storage') => void;
  /** A party has nothing to do until a moment of its own clock, or until something happens. */
  readonly waits?: (world: World, node: SimNode, until: Millis) => void;
  /** After each step. */
  readonly settled?: (world: World) => void;
};

export type WorldOptions = {
  readonly behaviours?: Partial<Record<'maker' | 'taker', Behaviour>>;
  readonly observer?: Observer;
  readonly policy?: Policy;
  /** Programs of the parties whose conduct is `custom`, by name. */
  readonly conducts?: CustomConducts;
};

/** Keys of both parties without their parity byte, by which messages name them. */
export const KEYS = { maker: 'a1'.repeat(32), taker: 'b2'.repeat(32) };
/** The ledger's name for the stranger who takes every reward that it can. */
export const GRABBER = 'grabber';
export const PERSISTENT_KEYS = { maker: `02${KEYS.maker}`, taker: `02${KEYS.taker}` };

/**
 * A world at its first moment: both sides know of the swap, and nothing has happened.
 *
 * @throws MemberTypeError, MemberValueError for an invalid scenario or unknown options.
 *
 * @example
 * ```ts
 * import { calmScenario, createWorld } from 'swapfold/testing';
 *
 * const { chains, nodes, steps } = createWorld(calmScenario());
 * [steps, nodes.maker.records.map(({ type }) => type)]; // → [0, ['SwapRequested']]
 * chains.maker.ledger.balance('maker').confirmed; // → 10_000_000_000n
 * ```
 */
export function createWorld(given: Scenario, options: WorldOptions = {}): World {
  checkWorldOptions(options);
  return openWorld(checkScenario(given), options);
}

const PARTS = ['decide', 'answer', 'beforeAppend', 'load', 'publishFirst'] as const;

function behaviourOf(given: Behaviour | undefined): Behaviour {
  return given === undefined || given === SOUND ? SOUND : ownParts(given, PARTS);
}

/** As {@link createWorld}, for valid input. */
export function openWorld(given: Scenario, options: WorldOptions): World {
  const scenario = uniformScenario(given);
  const planned: PlannedFault[] = [];
  const rng = xorshift32(scenario.seed);
  const clock = { now: EPOCH * 1000 };
  const chains = {
    maker: chainOf(scenario, 'maker', { rng, clock, planned }),
    taker: chainOf(scenario, 'taker', { rng, clock, planned }),
  };
  const usual = options.policy ?? simulatedPolicy(scenario.lockDuration);
  const uuid = uuidOf(rng);
  const secret = secretOf(rng);
  const node = (name: 'maker' | 'taker') => {
    const plan = onLeg(scenario.parties, name);
    return createNode({
      name,
      plan,
      behaviour: conducted(plan.conduct, behaviourOf(options.behaviours?.[name])),
      hooks: plan.conduct.kind === 'custom' ? hooksOf(plan.conduct.name, options.conducts) : null,
      policy: options.policy ?? policyOf(scenario, plan),
      hostClock: () => Math.floor(clock.now / 1000),
      request: requestOf(scenario, { name, uuid, secret }),
      seed: scenario.seed,
      wallets: {
        maker: wallet(chains.maker, name, { scenario, leg: 'maker', planned }),
        taker: wallet(chains.taker, name, { scenario, leg: 'taker', planned }),
      },
    });
  };
  const nodes = { maker: node('maker'), taker: node('taker') };
  const world: World = {
    scenario,
    rng,
    chains,
    nodes,
    watcher: watcherOf(scenario, chains, { policy: usual, planned }),
    grabber: grabberOf(scenario, chains),
    queue: createEventQueue(),
    clock,
    now: clock.now,
    steps: 0,
    observer: options.observer ?? {},
    uuid,
    secret,
    wire: { offer: null, reply: null, reward: null, saidWithoutReward: false },
    reorgs: [],
    until: (EPOCH + scenario.horizon) * 1000,
    acting: 'maker',
    schemers: [nodes.maker, nodes.taker].filter(isSchemer),
    withheld: new Map(),
    overheard: null,
    fired: new Set(),
    planned,
  };
  begin(world);
  return world;
}

/** Tells both sides of the swap, and schedules what is planned for the chains. */
function begin(world: World): void {
  const { scenario, clock, uuid, secret } = world;
  for (const name of ['maker', 'taker'] as const) {
    const request = requestOf(scenario, { name, uuid, secret });
    const party = onLeg(world.nodes, name);
    const records = recordsOf(party.runner, [{ type: 'SwapRequested', data: request }], localNow(world, party));
    if (party.behaviour.publishFirst) publish(party, records);
    commit(party, records);
    wakeNode(world, party, clock.now);
    for (const jump of party.plan.jumps) world.queue.push(momentOf(jump), { kind: 'jump', of: party, given: jump });
    for (const order of party.plan.orders)
      world.queue.push(momentOf(order), { kind: 'order', of: party, given: order });
  }
  for (const chain of ['maker', 'taker'] as const) scheduleBlock(world, chain);
  for (const event of scenario.chainEvents)
    world.queue.push(momentOf(event), { kind: 'chain', of: null, given: event });
}

function momentOf({ at }: { readonly at: Seconds }): number {
  return (EPOCH + at) * 1000;
}

function chainOf(
  scenario: Scenario,
  name: ChainName,
  { rng, clock, planned }: { rng: Rng; clock: { now: number }; planned: PlannedFault[] },
): SimChain {
  const plan = onLeg(scenario.chains, name);
  const { kind, coin, blockTime, finality, decimals, startHeight, feeRate, notariseEvery, faults, rewards } = plan;
  const now = () => Math.floor(clock.now / 1000) as UnixSeconds;
  const chain = createSimChain(kind, {
    coin,
    blockTime,
    finality,
    decimals,
    startHeight,
    ...(feeRate === null ? {} : { feeRate }),
    ...(notariseEvery === null ? {} : { notariseEvery }),
    ...(rewards === true ? { rewards } : {}),
    fidelity: scenario.fidelity,
    now,
    rng: xorshift32(rng.next()),
  });
  if (faults.length > 0) chain.setFaults(copied(faults, `chains.${name}.faults`, planned));
  return chain;
}

/** Copies of faults with world times, each noted with its place. */
function copied<F extends NodeFault | NetworkFault>(faults: readonly F[], place: string, planned: PlannedFault[]): F[] {
  return faults.map((given, index) => {
    const fault = { ...given, ...shifted(given) };
    planned.push({ place: `${place}[${index}]`, fault });
    return fault;
  });
}

function shifted({ from, until }: { from: number; until: number }): { from: UnixSeconds; until: UnixSeconds } {
  return { from: (EPOCH + from) as UnixSeconds, until: (EPOCH + until) as UnixSeconds };
}

/** A wallet's default funds: enough of the own coin, and enough of the other for fees, which are larger in coarse units. */
function plenty(own: boolean, decimals: number): DecimalText {
  if (own) return '100' as DecimalText;
  return (decimals < 8 ? '60' : '1') as DecimalText;
}

type WalletPlan = { readonly scenario: Scenario; readonly leg: ChainName; readonly planned: PlannedFault[] };

function wallet(chain: SimChain, party: 'maker' | 'taker', { scenario, leg, planned }: WalletPlan) {
  const { funds, nodes, keyPerSwap } = onLeg(scenario.parties, party);
  const made = chain.wallet({
    party,
    funds: onLeg(funds, leg) ?? plenty(leg === party, onLeg(scenario.chains, leg).decimals),
    keyPerSwap,
  });
  const faults = onLeg(nodes, leg);
  if (faults.length > 0) made.setFaults(copied(faults, `parties.${party}.nodes.${leg}`, planned));
  return made;
}

function watcherOf(
  { watcher, fidelity, seed, chains: plans }: Scenario,
  chains: World['chains'],
  { policy, planned }: { readonly policy: Policy; readonly planned: PlannedFault[] },
): WatcherNode | null {
  if (watcher === null) return null;
  const open = (leg: ChainName): SimWallet => {
    const { rewards, decimals } = onLeg(plans, leg);
    // Transactions signed in advance cost a watcher nothing; its own calls do.
    const funds = rewards === true ? { funds: plenty(false, decimals) } : {};
    const made = onLeg(chains, leg).wallet({ party: 'watcher', ...funds });
    const faults = onLeg(watcher.nodes, leg);
    if (faults.length > 0) made.setFaults(copied(faults, `watcher.nodes.${leg}`, planned));
    return made;
  };
  const wallets = { maker: open('maker'), taker: open('taker') };
  return createWatcherNode({ wallets, plan: watcher, policy, fidelity, seed });
}

/** Wallets of the stranger who takes every reward that it can, on the chains that pay any; null without a stranger. */
function grabberOf({ watcher, chains: plans }: Scenario, chains: World['chains']): World['grabber'] {
  if (watcher?.greedy !== true) return null;
  const open = (leg: ChainName): SimWallet | null => {
    const { rewards, decimals } = onLeg(plans, leg);
    return rewards === true ? onLeg(chains, leg).wallet({ party: GRABBER, funds: plenty(false, decimals) }) : null;
  };
  return { maker: open('maker'), taker: open('taker') };
}

function secretOf(rng: Rng): string {
  let hex = '';
  for (let byte = 0; byte < 32; byte += 1) hex += hex2(rng.below(256));
  return hex;
}

function uuidOf(rng: Rng): string {
  const hex = hex8(rng.next()) + hex8(rng.next()) + hex8(rng.next()) + hex8(rng.next());
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function requestOf(
  scenario: Scenario,
  { name, uuid, secret }: { name: 'maker' | 'taker'; uuid: string; secret: string },
): SwapRequest {
  return {
    role: name,
    uuid,
    my_order_uuid: uuid,
    maker_coin: scenario.chains.maker.coin,
    taker_coin: scenario.chains.taker.coin,
    maker_amount: scenario.makerAmount,
    taker_amount: scenario.takerAmount,
    counterparty: KEYS[name === 'maker' ? 'taker' : 'maker'],
    my_persistent_pub: PERSISTENT_KEYS[name],
    lock_duration: scenario.lockDuration,
    maker_payment_confirmations: scenario.confirmations.maker,
    maker_payment_requires_nota: scenario.requiresNota.maker,
    taker_payment_confirmations: scenario.confirmations.taker,
    taker_payment_requires_nota: scenario.requiresNota.taker,
    secret: name === 'maker' ? secret : null,
    use_watchers: scenario.useWatchers,
  };
}

/** The moment by a party's own clock. */
export function localNow(world: World, node: SimNode): Millis {
  return (world.now + node.skew * 1000) as Millis;
}

/** Mines the chain's next block after a random wait around the mean. */
export function scheduleBlock(world: World, chain: ChainName): void {
  const { blockTime, pace } = onLeg(world.scenario.chains, chain);
  const wait = Math.max(1, Math.floor((blockTime * (200 + world.rng.below(1600)) * pace) / 1e6));
  world.queue.push(world.now + wait * 1000, { kind: 'mine', of: chain, given: null });
}

/** Schedules a node's wake-up; a timer that fires earlier stays, and is set again when it fires. */
export function wakeNode({ queue }: World, node: SimNode, at: number): void {
  node.wakeAt = at;
  if (at >= node.timerAt) return;
  node.timerAt = at;
  queue.push(at, { kind: 'wake', of: node, given: at });
}
