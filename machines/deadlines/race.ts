import { frameworkLockBlocks, latestInclusion, QUICKER_BLOCKS } from '../../src/htlc/tendermint-lock.ts';
import type { CountedLock, LockExpiry, PaymentView } from '../../src/ports/chain.ts';
import type { Height, Millis, Seconds, UnixSeconds } from '../../src/primitives/time.ts';

/*
 * The race for a payment: once its lock has ended, the side that paid can take it back. A chain says in which unit it
 * counts; only this file turns a limit in seconds into one in blocks.
 */

/** By the terms, the sender can take back the claimed payment from `lock` on; a claim keeps `margin` before that. */
export type Race = { readonly lock: UnixSeconds; readonly margin: Seconds };

/** How a chain counts. */
export type Pace = {
  /** Nominal time to the next block; undefined if unknown. */
  readonly blockTime?: Seconds | undefined;
  /** Which blocks it counts: chains with the same name share their blocks. */
  readonly counter?: string | undefined;
};

type Expiring = Pick<PaymentView, 'expiry' | 'clock'>;

/**
 * How much slower than nominal blocks may come in the worst case assumed: the last block that may hold a claim may be
 * that late.
 */
const SLOWER_BLOCKS = 1.25;

/** The time, by the terms, from which the margin is being used up. */
export function raceBegins({ lock, margin }: Race): Millis {
  return ((lock - margin) * 1000) as Millis;
}

/**
 * When a lock ends, in the unit of its chain. If the chain does not say, in seconds, by the terms and the chain's
 * clock.
 */
export function expiryOf({ expiry, clock }: Expiring, lock: UnixSeconds): LockExpiry {
  return expiry ?? { unit: 'seconds', at: lock, now: clock };
}

/** A margin in the unit of a lock. Infinite if the chain counts blocks and the block time is unknown. */
export function marginIn(unit: LockExpiry['unit'], margin: Seconds, blockTime: Seconds | undefined): number {
  if (unit === 'seconds') return margin;
  return blockTime === undefined ? Number.POSITIVE_INFINITY : Math.ceil((margin * QUICKER_BLOCKS) / blockTime);
}

/** The shortest time that a lock lasts, in seconds, if blocks come as fast as assumed; 0 once it is over. */
export function leastLeft({ unit, at, now }: LockExpiry, blockTime: Seconds | undefined): Seconds {
  const left = Math.max(0, at - now);
  return unit === 'seconds' ? left : (left * (blockTime ?? 0)) / QUICKER_BLOCKS;
}

/** The most blocks until a payment signed now is free again, if its lock counts blocks from the one that holds it. */
export function mostBlocks({ duration }: CountedLock, blockTime: Seconds): number {
  const blocks = frameworkLockBlocks(duration, blockTime);
  return latestInclusion(blocks) + blocks;
}

/**
 * A first claim is too late by the chain that holds the payment: since when by the terms, and by how much in the
 * chain's own unit.
 */
export type Contested = {
  readonly from: Millis;
  readonly passed:
    | { readonly unit: 'seconds'; readonly now: UnixSeconds; readonly last: UnixSeconds }
    | { readonly unit: 'blocks'; readonly now: Height; readonly last: Height };
};

/**
 * Whether the other side can take the payment back now, or so soon (in the unit of its chain) that a claim may not be
 * final before. Null while it cannot.
 *
 * @param spare seconds that the claim itself may take, beyond the margin
 */
export function contested(
  { lock, margin: published }: Race,
  view: Expiring & Pick<PaymentView, 'refundable'>,
  { spare, blockTime }: Pace & { readonly spare: Seconds },
): Contested | null {
  const expiry = expiryOf(view, lock);
  const { unit, at, now } = expiry;
  const margin = published + spare;
  const least = marginIn(unit, margin, blockTime);
  if (!view.refundable && at - now >= least) return null;
  const from = (Math.max(0, lock - margin) * 1000) as Millis;
  if (unit === 'seconds') {
    return { from, passed: { unit, now: view.clock, last: Math.max(0, at - margin) as UnixSeconds } };
  }
  return { from, passed: { unit, now, last: Math.max(0, at - Math.min(at, least)) as Height } };
}

/**
 * Whether the margin is being used up, by a clock or by the chain's blocks; `view` is null if the chain has not
 * reported the payment.
 */
export function isNear(
  race: Race,
  { clock, view, blockTime }: Pace & { readonly clock: Millis; readonly view: Expiring | null },
): boolean {
  if (clock >= raceBegins(race)) return true;
  const expiry = view === null ? null : expiryOf(view, race.lock);
  return expiry?.unit === 'blocks' && leastLeft(expiry, blockTime) <= race.margin;
}

type OwnLock = Pace & { readonly lock: UnixSeconds; readonly counted: CountedLock | undefined };
type Outlasting = { readonly now: UnixSeconds; readonly own: OwnLock; readonly other: Pace };

/**
 * Whether the other payment is locked long enough if either lock counts blocks. After the last moment at which the
 * other side can take our payment, the margin must remain, however fast its blocks and however slow ours are, within
 * the assumed range. Two locks in seconds were checked when they were agreed.
 */
export function outlasts({ lock, margin }: Race, view: Expiring, { now, own, other }: Outlasting): boolean {
  const expiry = expiryOf(view, lock);
  const { counted, blockTime = Number.POSITIVE_INFINITY, counter } = own;
  if (counted === undefined) {
    return expiry.unit === 'seconds' || leastLeft(expiry, other.blockTime) >= own.lock - now + margin;
  }
  const blocks = mostBlocks(counted, blockTime);
  // Both count the same chain's blocks.
  if (expiry.unit === 'blocks' && counter !== undefined && counter === other.counter) {
    return expiry.at - expiry.now >= blocks + marginIn('blocks', margin, blockTime);
  }
  return leastLeft(expiry, other.blockTime) >= blocks * blockTime * SLOWER_BLOCKS + margin;
}
