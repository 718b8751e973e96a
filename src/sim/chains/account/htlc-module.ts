import { frameworkLockBlocks } from '../../../htlc/tendermint-lock.ts';
import type { Height, UnixSeconds } from '../../../primitives/time.ts';
import { secretMatches } from '../secret-check.ts';
import { REFUSED, type SwapModule } from './swap-module.ts';

/** Longest lock that the module takes, in blocks. */
const MOST_BLOCKS = 34_560;

/** How many blocks too early a payment may be refunded and still count as keeping its terms. */
const TOLERATED_BLOCKS = 10;

/**
 * A module that locks by a count of blocks and then refunds automatically, as Tendermint chains do. Anyone may claim with the secret, and the
 * receiver gets the amount. Nothing in the mempool can be replaced, and nonces must come in order.
 */
export function htlcModule({ blockTime }: { readonly blockTime: number }): SwapModule {
  return {
    expiryOf: ({ call }, { height }) =>
      call.lockBlocks > 0 && call.lockBlocks <= MOST_BLOCKS ? height + call.lockBlocks : undefined,
    claim: ({ call }, { state, entry, expiry }, { height }) => {
      const right = state === 1 && height < expiry && secretMatches(call.secret ?? '', entry.tx.call.hash);
      return right ? { ok: true, to: entry.tx.call.party } : REFUSED;
    },
    refund: () => REFUSED,
    isRefundable: ({ time, expiry }, at) => (expiry === undefined ? at.time >= time : at.height >= expiry),
    // Its lock starts to count when a block holds the payment.
    expiryTold: ({ time, expiry }, { height, time: now }) =>
      expiry === undefined
        ? { unit: 'seconds', at: time as UnixSeconds, now: now as UnixSeconds }
        : { unit: 'blocks', at: expiry as Height, now: height as Height },
    lockProblem: ({ call }, { lock, counted }, paidAt) => {
      const least = counted === undefined ? null : frameworkLockBlocks(counted.duration, blockTime);
      if (least !== null)
        return call.lockBlocks >= least
          ? null
          : `Payment tx time_lock of ${call.lockBlocks} blocks is invalid, expected ${least}`;
      const until = paidAt + (call.lockBlocks + TOLERATED_BLOCKS) * blockTime;
      return until >= lock ? null : `Payment tx time_lock of ${call.lockBlocks} blocks ends before ${lock}`;
    },
    lockArguments: ({ lock, counted }, now) => {
      if (counted?.leg === 'taker')
        return { lockTime: 0, lockBlocks: frameworkLockBlocks(counted.duration, blockTime) };
      const lockBlocks = Math.min(MOST_BLOCKS, Math.max(1, Math.ceil((lock - now) / blockTime)));
      return { lockTime: 0, lockBlocks };
    },
    rewards: false,
    replaceable: false,
    gaps: 'refuse',
  };
}
