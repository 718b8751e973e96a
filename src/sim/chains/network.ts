import type { UnixSeconds } from '../../primitives/time.ts';
import { MAX_AHEAD } from './blocks.ts';
import { markFired } from './faults.ts';
import type { Settings } from './settings.ts';
import type { NetworkFault, SeenPurpose } from './types.ts';

export type Listener = {
  readonly onChange: () => void;
  /** True while the listener's node hears nothing. */
  readonly isDeaf: () => boolean;
  /** Whether it wants to hear of blocks that change nothing too. */
  readonly everyBlock: boolean;
};

/** What all nodes of a chain share beside its blocks: who listens, and what is wrong with everyone. */
export type Network = {
  readonly settings: Settings;
  /** Counts the changes of the chain and its mempool. */
  version: number;
  faults: readonly NetworkFault[];
  listeners: readonly Listener[];
  /** Height up to which every block is told of: someone may be counting confirmations. */
  countedUntil: number;
  /** Lock times that someone asked about, as long as the chain's clock has not passed them; in seconds. */
  locks: readonly number[];
};

export function networkOf(settings: Settings): Network {
  return { settings, version: 0, faults: NO_FAULTS, listeners: [], countedUntil: 0, locks: [] };
}

const NO_FAULTS: readonly NetworkFault[] = [];

/** Tells everyone who listens that something changed. The chain must be whole when this is called. */
export function announce(network: Network): void {
  network.version++;
  for (const listener of network.listeners) if (!listener.isDeaf()) listener.onChange();
}

/** Blocks after the last change that are told of, at least: confirmations that count, and nodes that lag behind. */
const COUNTED_BLOCKS = 12;

type NewBlock = {
  readonly height: number;
  /** The clock that locks run by, after the block. */
  readonly clock: number;
  /** Whether the block holds a transaction, or ends a payment by itself. */
  readonly changes: boolean;
};

/**
 * Tells everyone who listens of a block that may matter to a swap, as a node does whose clients subscribe to addresses and not
 * to headers. A block without any change, long after the last one, is told to nobody unless a lock ends soon.
 */
export function announceBlock(network: Network, { height, clock, changes }: NewBlock): void {
  if (changes) network.countedUntil = height + Math.max(COUNTED_BLOCKS, 2 * network.settings.finality);
  let near = false;
  if (network.locks.length > 0) {
    const ahead = COUNTED_BLOCKS * network.settings.blockTime;
    near = network.locks.some((lock) => lock - clock < ahead);
    if (near) network.locks = network.locks.filter((lock) => lock >= clock);
  }
  if (near || height <= network.countedUntil) announce(network);
  else {
    network.version++;
    for (const listener of network.listeners) if (listener.everyBlock && !listener.isDeaf()) listener.onChange();
  }
}

/** Has the blocks told of that lead to the end of a lock; in seconds. */
export function watchLock(network: Network, lock: number): void {
  if (!network.locks.includes(lock)) network.locks = [...network.locks, lock];
}

/** Least price of one byte or one unit of gas that nodes relay and miners include, in base units. */
export function leastRate({ settings, faults }: Network): number {
  let rate = settings.feeRate / 2;
  if (faults.length > 0) {
    const now = settings.now();
    for (const fault of faults) {
      if (fault.kind !== 'feeSpike' || !isActive(fault, now)) continue;
      markFired(fault);
      rate *= fault.factor;
    }
  }
  return rate;
}

/** What a wallet offers today for one byte or one unit of gas without any urgency, in base units: nodes relay from half of it on. */
export function dayRate(network: Network): number {
  return 2 * leastRate(network);
}

/** Whether no node lets a transaction take the place of one that waits. */
export function replacesNone({ settings, faults }: Network): boolean {
  if (faults.length === 0) return false;
  const now = settings.now();
  const strict = faults.find((fault) => fault.kind === 'noReplacement' && isActive(fault, now));
  if (strict !== undefined) markFired(strict);
  return strict !== undefined;
}

/** Whether miners omit transactions of this purpose. */
export function isCensored({ settings, faults }: Network, purpose: SeenPurpose): boolean {
  if (faults.length === 0) return false;
  const now = settings.now();
  const censor = faults.find((fault) => {
    return fault.kind === 'censor' && isActive(fault, now) && fault.purposes.includes(purpose);
  });
  if (censor !== undefined) markFired(censor);
  return censor !== undefined;
}

/** Whether a transaction of this purpose runs out of gas when it is included now. Draws from the generator where asked to. */
export function runsOutOfGas({ settings, faults }: Network, purpose: SeenPurpose): boolean {
  if (faults.length === 0) return false;
  const now = settings.now();
  for (const fault of faults) {
    if (fault.kind !== 'revert' || !isActive(fault, now) || !fault.purposes.includes(purpose)) continue;
    if (settings.rng.below(fault.oneIn ?? 1) !== 0) continue;
    markFired(fault);
    return true;
  }
  return false;
}

/** The time that miners write today where they do not write the world's; undefined where they do. */
export function warpedTime({ settings, faults }: Network, above: number): UnixSeconds | undefined {
  if (faults.length === 0) return undefined;
  const now = settings.now();
  for (const fault of faults) {
    if (fault.kind !== 'warp' || !isActive(fault, now)) continue;
    markFired(fault);
    const time = Math.max(above + 1, now + fault.seconds);
    return time > now + MAX_AHEAD ? undefined : (time as UnixSeconds);
  }
  return undefined;
}

/** Whether a fault is in force. */
export function isActive({ from, until }: { readonly from: number; readonly until: number }, now: number): boolean {
  return from <= now && now < until;
}
