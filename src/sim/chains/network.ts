import type { UnixSeconds } from '../../primitives/time.ts';
import { MAX_AHEAD } from './blocks.ts';
import { markFired } from './faults.ts';
import type { Settings } from './settings.ts';
import type { NetworkFault, SeenPurpose } from './types.ts';

export type Listener = {
  readonly onChange: () => void;
  /** True while the listener's node receives nothing. */
  readonly isDeaf: () => boolean;
  /** Whether it also wants to hear of blocks that change nothing. */
  readonly everyBlock: boolean;
};

/** What all nodes of a chain share besides its blocks: listeners, and faults of the whole network. */
export type Network = {
  readonly settings: Settings;
  /** Counts the changes of the chain and its mempool. */
  version: number;
  faults: readonly NetworkFault[];
  listeners: readonly Listener[];
  /** Height up to which every block is reported: someone may be counting confirmations. */
  countedUntil: number;
  /** Lock times that someone asked about, until the chain's clock passes them; in seconds. */
  locks: readonly number[];
};

export function networkOf(settings: Settings): Network {
  return { settings, version: 0, faults: NO_FAULTS, listeners: [], countedUntil: 0, locks: [] };
}

const NO_FAULTS: readonly NetworkFault[] = [];

/** Tells all listeners that something changed. The chain must be consistent when this is called. */
export function announce(network: Network): void {
  network.version++;
  for (const listener of network.listeners) if (!listener.isDeaf()) listener.onChange();
}

/** The least number of blocks to report after the last change: for confirmations that count, and for nodes that lag. */
const COUNTED_BLOCKS = 12;

type NewBlock = {
  readonly height: number;
  /** The clock that locks run by, after the block. */
  readonly clock: number;
  /** Whether the block holds a transaction, or refunds a payment automatically. */
  readonly changes: boolean;
};

/**
 * Tells all listeners of a block that may matter to a swap, as a node does whose clients subscribe to addresses and not to headers. Long after the
 * last change, it reports a block without changes only if a lock ends soon.
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

/** Reports the blocks up to the end of a lock; in seconds. */
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

/** What a wallet offers today for one byte or one unit of gas at urgency 0, in base units: nodes relay from half of it on. */
export function dayRate(network: Network): number {
  return 2 * leastRate(network);
}

/** Whether no node lets a transaction replace one that waits. */
export function replacesNone({ settings, faults }: Network): boolean {
  if (faults.length === 0) return false;
  const now = settings.now();
  const strict = faults.find((fault) => fault.kind === 'noReplacement' && isActive(fault, now));
  if (strict !== undefined) markFired(strict);
  return strict !== undefined;
}

/** Whether miners leave out transactions of this purpose. */
export function isCensored({ settings, faults }: Network, purpose: SeenPurpose): boolean {
  if (faults.length === 0) return false;
  const now = settings.now();
  const censor = faults.find((fault) => {
    return fault.kind === 'censor' && isActive(fault, now) && fault.purposes.includes(purpose);
  });
  if (censor !== undefined) markFired(censor);
  return censor !== undefined;
}

/** Whether a transaction of this purpose runs out of gas if included now. Draws from the generator if the fault is random. */
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

/** The time that miners write today; undefined if they write the world's. */
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
