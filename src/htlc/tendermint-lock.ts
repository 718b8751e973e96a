import type { Seconds } from '../primitives/time.ts';

/** Fewest and most blocks for which the HTLC module locks. */
export const LEAST_LOCK_BLOCKS = 50;
export const MOST_LOCK_BLOCKS = 34_560;

/**
 * For how many blocks the framework's nodes lock either payment of a swap of this lock duration, and what they accept from the other side, to the
 * block: rounded down, and limited to what the module accepts. The count starts at the block that includes the payment, whenever that is.
 *
 * @throws RangeError for a block time that is not above 0
 *
 * @example
 * ```ts
 * import { frameworkLockBlocks } from 'swapfold/htlc';
 *
 * frameworkLockBlocks(7804, 5); // → 1560
 * frameworkLockBlocks(120, 5); // → 50
 * ```
 */
export function frameworkLockBlocks(duration: Seconds, blockTime: Seconds): number {
  return held(duration, { blockTime, rounded: Math.floor });
}

/** Within how many blocks a transaction has to be in one, as the framework's. */
export const TIMEOUT_BLOCKS = 100;

/** The same for a payment that is locked for so many blocks from the one that holds it, which may move the end of its lock by a tenth at most. */
export function latestInclusion(lock: number): number {
  return Math.min(TIMEOUT_BLOCKS, Math.ceil(lock / 10));
}

/**
 * For how many blocks to lock a payment that must be locked for this many seconds: rounded up, so that at the nominal pace it is not refundable
 * sooner, and limited to what the module accepts.
 *
 * @throws RangeError for a block time that is not above 0
 *
 * @example
 * ```ts
 * import { lockBlocks } from 'swapfold/htlc';
 *
 * lockBlocks(7801, 5); // → 1561
 * lockBlocks(500_000, 5); // → 34_560
 * lockBlocks(7800, 0); // throws RangeError
 * ```
 */
export function lockBlocks(seconds: Seconds, blockTime: Seconds): number {
  return held(seconds, { blockTime, rounded: Math.ceil });
}

/** How much faster than nominal blocks may come during a lock, by assumption: a lock that counts blocks requires a quarter more of them. */
export const QUICKER_BLOCKS = 1.25;

/**
 * For how many blocks to lock a maker's payment whose lock ends in this many seconds. Even if blocks come a quarter faster than nominal, it is not
 * refundable sooner, so that a taker whose own lock counts blocks too has its margin also after deep confirmations.
 *
 * @throws RangeError for a block time that is not above 0
 *
 * @example
 * ```ts
 * import { makerLockBlocks } from 'swapfold/htlc';
 *
 * makerLockBlocks(15_600, 5); // → 3900
 * ```
 */
export function makerLockBlocks(seconds: Seconds, blockTime: Seconds): number {
  return lockBlocks(seconds * QUICKER_BLOCKS, blockTime);
}

type Counting = { readonly blockTime: Seconds; readonly rounded: (blocks: number) => number };

function held(seconds: Seconds, { blockTime, rounded }: Counting): number {
  if (!(blockTime > 0)) throw new RangeError(`a block takes more than ${blockTime} seconds`);
  return Math.min(MOST_LOCK_BLOCKS, Math.max(LEAST_LOCK_BLOCKS, rounded(seconds / blockTime)));
}
