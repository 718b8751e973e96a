import { frameworkLockBlocks, latestInclusion, QUICKER_BLOCKS } from '../htlc/tendermint-lock.ts';
import type { CountedLock, LockExpiry, PaymentView } from '../ports/chain.ts';
import type { Seconds, UnixSeconds } from '../primitives/time.ts';

/** How much slower than nominal they may come, as far as is reckoned with: the last block that may hold a claim is as late as that. */
export const SLOWER_BLOCKS = 1.25;

/** What a party keeps between its first reveal and the other side's refund: a fifth of the lock duration, rounded down. */
export function revealMargin(lockDuration: Seconds): Seconds {
  return Math.floor(lockDuration / 5);
}

/** When a lock ends, in the unit of its chain; in seconds, by the terms and the chain's clock, where the chain does not tell. */
export function expiryOf({ expiry, clock }: PaymentView, lock: UnixSeconds): LockExpiry {
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
