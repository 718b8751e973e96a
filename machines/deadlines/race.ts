import { frameworkLockBlocks, latestInclusion, QUICKER_BLOCKS } from '../../src/htlc/tendermint-lock.ts';
import type { CountedLock, LockExpiry, PaymentView } from '../../src/ports/chain.ts';
import type { Height, Millis, Seconds, UnixSeconds } from '../../src/primitives/time.ts';

/*
 * The race for a payment: from the end of its lock on the side that paid it can take it back. A chain says in which unit it counts; a
 * limit in seconds becomes one in blocks here and nowhere else.
 */

/** The payment that is claimed can be taken back from `lock` on, by the terms; `margin` is kept before that. */
export type Race = { readonly lock: UnixSeconds; readonly margin: Seconds };

/** How a chain counts. */
export type Pace = {
  /** Nominal time to the next block; undefined where nobody says it. */
  readonly blockTime?: Seconds | undefined;
  /** Of which blocks: those of chains with one name run alike. */
  readonly counter?: string | undefined;
};

type Expiring = Pick<PaymentView, 'expiry' | 'clock'>;

/** How much slower than nominal they may come, as far as is reckoned with: the last block that may hold a claim is as late as that. */
const SLOWER_BLOCKS = 1.25;

/** The moment from which the margin is being used up, by the terms. */
export function raceBegins({ lock, margin }: Race): Millis {
  return ((lock - margin) * 1000) as Millis;
}

/** When a lock ends, in the unit of its chain; in seconds, by the terms and the chain's clock, where the chain does not tell. */
export function expiryOf({ expiry, clock }: Expiring, lock: UnixSeconds): LockExpiry {
  return expiry ?? { unit: 'seconds', at: lock, now: clock };
}

/** A margin in the unit of a lock. Infinite where the chain counts blocks and nobody knows how long one takes. */
export function marginIn(unit: LockExpiry['unit'], margin: Seconds, blockTime: Seconds | undefined): number {
  if (unit === 'seconds') return margin;
  return blockTime === undefined ? Number.POSITIVE_INFINITY : Math.ceil((margin * QUICKER_BLOCKS) / blockTime);
}

/** How long a lock lasts at least, in seconds, if blocks come as quickly as is reckoned with; 0 once it is over. */
export function leastLeft({ unit, at, now }: LockExpiry, blockTime: Seconds | undefined): Seconds {
  const left = Math.max(0, at - now);
  return unit === 'seconds' ? left : (left * (blockTime ?? 0)) / QUICKER_BLOCKS;
}

/** Blocks until a payment that is signed now, and whose lock counts blocks from the one that holds it, is free again: the most that they can be. */
export function mostBlocks({ duration }: CountedLock, blockTime: Seconds): number {
  const blocks = frameworkLockBlocks(duration, blockTime);
  return latestInclusion(blocks) + blocks;
}

/** A first claim comes too late by the chain that holds the payment: from when on by the terms, and by what in the chain's own unit. */
export type Contested = {
  readonly from: Millis;
  readonly passed:
    | { readonly unit: 'seconds'; readonly now: UnixSeconds; readonly last: UnixSeconds }
    | { readonly unit: 'blocks'; readonly now: Height; readonly last: Height };
};

/**
 * Whether the other side can take the payment back now, or so soon, in the unit in which its chain counts, that a claim may not be final
 * before. Null while it cannot.
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

/** Whether the margin is being used up, by a clock or by the blocks of the chain; `view` is null where the chain has not told of the payment. */
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
 * Whether the other payment is locked for long enough where either lock counts blocks: from the last moment at which the other side can
 * take the own payment, the margin must be left, however quick its blocks are, and however slow the own ones, within what is reckoned with.
 * Two locks in seconds were checked when they were agreed.
 */
export function outlasts({ lock, margin }: Race, view: Expiring, { now, own, other }: Outlasting): boolean {
  const expiry = expiryOf(view, lock);
  const { counted, blockTime = Number.POSITIVE_INFINITY, counter } = own;
  if (counted === undefined) {
    return expiry.unit === 'seconds' || leastLeft(expiry, other.blockTime) >= own.lock - now + margin;
  }
  const blocks = mostBlocks(counted, blockTime);
  // Blocks of one chain run alike for both.
  if (expiry.unit === 'blocks' && counter !== undefined && counter === other.counter) {
    return expiry.at - expiry.now >= blocks + marginIn('blocks', margin, blockTime);
  }
  return leastLeft(expiry, other.blockTime) >= blocks * blockTime * SLOWER_BLOCKS + margin;
}
