import { concatBytes } from '../../htlc/byte-writer.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import {
  decodeRewardCall,
  encodeRewardCall,
  isRewardTaken,
  REWARD_TARGET,
  type Reward,
  type RewardCall,
  rewardInAmount,
} from '../../htlc/evm-reward-calls.ts';
import { ripemd160 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import type { Stored } from './contract-calls.ts';
import type { PriceRule } from './prices.ts';
import type { Named } from './terms.ts';
import type { Made } from './transaction.ts';

/** Gas that whoever ends a payment for somebody else is paid for (`activation.md` §15). */
export const REWARD_GAS = 70_000n;

/** The terms of a payment with the reward that it promises: the amount is that of the contract, and the hash is the stored one. */
export type Rewarded = { readonly named: Named; readonly reward: Reward };

/**
 * What a payment that is made with a reward promises, read from the transaction that made it and proven by what the contract stores; null where it
 * is not made so, or not for these terms. The receiver is owed the amount of the terms, to which the reward comes: who deducts it pays too little.
 */
export function rewardedBy(made: Made | null, { named, stored }: Judging): Rewarded | null {
  const call = made === null ? null : rewardCallOf(made, named.contract);
  if (call?.kind !== 'payment' || call.swapId !== named.id || call.amount !== totalOf(named, call.reward)) return null;
  const paid = { ...named, amount: call.amount };
  const paymentHash = rewardHash(paid, call.reward);
  return paymentHash === stored.paymentHash ? { named: { ...paid, paymentHash }, reward: call.reward } : null;
}

export type Judging = { readonly named: Named; readonly stored: Stored };

/** What the contract takes for a payment: what the receiver is owed, and the reward where that is part of the amount. */
export function totalOf({ amount, token }: Pick<Named, 'amount' | 'token'>, reward: Reward): bigint {
  return amount + rewardInAmount(reward, token);
}

/** The call that ends it for the party: a claim with the secret; without one, a refund. */
export function rewardedEnd({ named, reward }: Rewarded, secret: string | null): string {
  const { id, amount, token, sender, receiver, secretHash } = named;
  const common = { swapId: id, amount, token, sender, receiver, lockTime: null, reward };
  return encodeRewardCall(
    secret === null
      ? { kind: 'refund', ...common, secretHash, secret }
      : { kind: 'claim', ...common, secretHash: null, secret: secret.toLowerCase() },
  );
}

function rewardCallOf({ to, value, data }: Pick<Made, 'to' | 'value' | 'data'>, contract: string): RewardCall | null {
  return to === contract ? (decodeRewardCall({ to, value, data: hexToBytes(data) }) ?? null) : null;
}

/**
 * Why a reward is none that is taken (`activation.md` §15); null where it is one. Where it is sent on a claim it has to have no target. Whose payment it
 * is nobody here knows, so that which target a maker or a taker should have named is not looked at. In ether its amount is held to what the gas may cost
 * at all, so that a judgement does not change with the day's prices; in tokens it has no bound but what the receiver is owed.
 */
export function rewardProblem(
  { named: { token }, reward }: Rewarded,
  { floor, ceiling }: Pick<PriceRule, 'floor' | 'ceiling'>,
): string | null {
  const { target, onClaim, amount } = reward;
  if (onClaim && target !== REWARD_TARGET.none)
    return `Payment tx sends_contract_reward_on_spend arg true is invalid with reward target ${target}`;
  if (!isRewardTaken(reward)) return null;
  // In tokens nobody can say what the gas is worth.
  const isInTokens = token !== NO_TOKEN && rewardInAmount(reward, token) > 0n;
  if (isInTokens) return null;
  const [least, most] = [REWARD_GAS * floor, REWARD_GAS * ceiling];
  if (amount >= least && amount <= most) return null;
  return `Payment tx watcher reward ${amount} is invalid, expected ${least} to ${most}`;
}

export function rewardHash(
  { receiver, sender, secretHash, token, amount }: Omit<Named, 'paymentHash'>,
  reward: Reward,
): string {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const parts = [receiver, sender, secretHash, token, word(amount)];
  const promised = [reward.target.toString(16).padStart(2, '0'), reward.onClaim ? '01' : '00', word(reward.amount)];
  return bytesToHex(ripemd160(concatBytes([...parts, ...promised].map(hexToBytes))));
}
