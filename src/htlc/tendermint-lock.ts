import type { Seconds } from '../primitives/time.ts';

/** Fewest and most blocks for which the HTLC module locks. */
export const LEAST_LOCK_BLOCKS = 50;
export const MOST_LOCK_BLOCKS = 34_560;

/**
 * For how many blocks a payment is locked that is to be locked for so many seconds: rounded up, so that at the nominal pace it is not free sooner, and
 * held to what the module takes.
 *
 * @throws RangeError for a block time that is not above 0
 */
export function lockBlocks(seconds: Seconds, blockTime: Seconds): number {
  if (!(blockTime > 0)) throw new RangeError(`a block takes more than ${blockTime} seconds`);
  return Math.min(MOST_LOCK_BLOCKS, Math.max(LEAST_LOCK_BLOCKS, Math.ceil(seconds / blockTime)));
}
