import { isRewardTaken, REWARD_TARGET } from '../../../htlc/evm-reward-calls.ts';
import type { UnixSeconds } from '../../../primitives/time.ts';
import { secretMatches } from '../secret-check.ts';
import { type Ending, type KeptPayment, type PaidReward, REFUSED, type SwapModule } from './swap-module.ts';
import type { AccountTransaction, Call, CallReward } from './transaction.ts';

const NOBODY = /^0*$/;

/**
 * KDF's swap contract: with its plain functions only the receiver claims and only the sender refunds; with those that pay a reward, where they exist,
 * anyone does it for them; a claim has no time limit while the payment is not refunded; a refund needs a block time at or after the lock.
 */
export function swapContract({ gaps, rewards }: Pick<SwapModule, 'gaps' | 'rewards'>): SwapModule {
  const isRefused = (tx: AccountTransaction) => NOBODY.test(tx.call.party) || isRewardRefused(tx, rewards);
  return {
    // Nobody has the zero address: the contract takes no payment to it.
    expiryOf: (tx) => (isRefused(tx) ? undefined : Number.POSITIVE_INFINITY),
    claim: ({ from, call }, payment) => {
      const { tx } = payment.entry;
      const right = payment.state === 1 && isFor(call, tx.call, { from, owner: tx.call.party });
      if (!right || call.party !== tx.from || call.amount !== tx.value) return REFUSED;
      if (!secretMatches(call.secret ?? '', tx.call.hash)) return REFUSED;
      return ended(tx, { to: tx.call.party, kind: 'claim', caller: from });
    },
    refund: (tx, payment, { time }) => refund(tx, payment, time),
    isRefundable: (lock, { time }) => time >= lock.time,
    expiryTold: (lock, { time }) => ({ unit: 'seconds', at: lock.time as UnixSeconds, now: time as UnixSeconds }),
    lockProblem: ({ call }, { lock }) =>
      call.lockTime === lock ? null : `Payment tx time_lock arg ${call.lockTime} is invalid, expected ${lock}`,
    lockArguments: ({ lock }) => ({ lockTime: lock, lockBlocks: 0 }),
    replaceable: true,
    rewards,
    gaps,
  };
}

function refund({ from, call }: AccountTransaction, { state, entry }: KeptPayment, time: number): Ending {
  const { tx } = entry;
  const right = state === 1 && isFor(call, tx.call, { from, owner: tx.from });
  if (!right || call.party !== tx.call.party || call.amount !== tx.value) return REFUSED;
  if (call.hash !== tx.call.hash || time < tx.call.lockTime) return REFUSED;
  return ended(tx, { to: tx.from, kind: 'refund', caller: from });
}

/** For a plain payment, the owner by a plain call; otherwise anyone, by a call that names exactly the reward. */
function isFor(
  { reward }: Call,
  paid: Call,
  { from, owner }: { readonly from: string; readonly owner: string },
): boolean {
  if (paid.reward === undefined) return reward === undefined && from === owner;
  return reward !== undefined && reward.owner === owner && isSameReward(reward, paid.reward);
}

/** Whether two calls name the same reward. */
export function isSameReward(left: CallReward, right: CallReward): boolean {
  return left.target === right.target && left.onClaim === right.onClaim && left.amount === right.amount;
}

/** The reward within a payment's amount, in base units. */
export function rewardIn({ reward }: Call): bigint {
  return reward !== undefined && isRewardTaken(reward) ? reward.amount : 0n;
}

function isRewardRefused({ call, value }: AccountTransaction, rewards: boolean): boolean {
  const { reward } = call;
  if (reward === undefined) return false;
  const { target, onClaim } = reward;
  const isTwice = onClaim && (target === REWARD_TARGET.sender || target === REWARD_TARGET.spender);
  return !rewards || isTwice || (isRewardTaken(reward) && reward.amount >= value);
}

type End = { readonly to: string; readonly kind: 'claim' | 'refund'; readonly caller: string };

function ended(paid: AccountTransaction, { to, kind, caller }: End): Ending {
  const reward = rewardPaid(paid, { kind, caller });
  return reward === null ? { ok: true, to } : { ok: true, to, reward };
}

/** Who gets the reward when a payment ends this way; null if there is none. */
export function rewardPaid({ from, call }: AccountTransaction, { kind, caller }: Omit<End, 'to'>): PaidReward | null {
  const { reward } = call;
  if (reward === undefined || !isRewardTaken(reward)) return null;
  const { target, onClaim, amount } = reward;
  if (kind === 'refund') return { to: target === REWARD_TARGET.none ? from : caller, amount };
  if (onClaim || target === REWARD_TARGET.spender) return { to: caller, amount };
  return { to: target === REWARD_TARGET.sender ? from : null, amount };
}
