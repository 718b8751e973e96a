import { concatBytes } from '../../htlc/byte-writer.ts';
import type { NamedPayment } from '../../htlc/contract-payment.ts';
import { NO_TOKEN } from '../../htlc/evm-calls.ts';
import {
  decodeRewardCall,
  encodeRewardCall,
  isRewardTaken,
  REWARD_TARGET,
  type Reward,
  type RewardCall,
  rewardBeside,
  rewardInAmount,
} from '../../htlc/evm-reward-calls.ts';
import { promiseProblem, promisesOf, type RewardRole } from '../../htlc/reward-role.ts';
import type { StoredPayment } from '../../htlc/token-calls.ts';
import type { PromisedPayment } from '../../ports/chain.ts';
import { fromBaseUnits } from '../../primitives/decimal.ts';
import { ripemd160 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { unixSecondsOf } from '../../primitives/time.ts';
import type { EvmCoin } from './coin.ts';
import { type DayPrices, type PriceRule, usualPrice } from './prices.ts';
import { type Made, madeOf } from './transaction.ts';

/** Gas for which anyone who ends a payment for somebody else is paid (as in the real node). */
export const REWARD_GAS = 70_000n;

/** The terms of a payment with the reward that it promises: the amount is the contract’s, and the hash is the stored one. */
export type Rewarded = { readonly named: NamedPayment; readonly reward: Reward };

/**
 * What a payment with a reward promises, read from the transaction that made it and proven by what the contract stores; null if it is not made this
 * way, or not for these terms. The receiver is owed the amount of the terms, and the reward comes on top: a payer that deducts it pays too little.
 */
export function rewardedBy(made: Made | null, { named, stored }: Judging): Rewarded | null {
  const said = rewardSaid(made, named);
  return said !== null && said.named.paymentHash === stored.paymentHash ? said : null;
}

/** The same without any proof. */
export function rewardSaid(made: Made | null, named: NamedPayment): Rewarded | null {
  const call = made === null ? null : rewardCallOf(made, named.contract);
  if (call?.kind !== 'payment' || call.swapId !== named.id || call.amount !== totalOf(named, call.reward)) return null;
  // Not every contract checks that the ether was sent, and a claim cannot rely on what others have paid.
  if (named.token !== NO_TOKEN && made?.value !== rewardBeside(call.reward, named.token)) return null;
  const paid = { ...named, amount: call.amount };
  return { named: { ...paid, paymentHash: rewardHash(paid, call.reward) }, reward: call.reward };
}

/** Why a wallet that was promised no reward rejects a payment with one; null if it has none. */
export function uncalledProblem({ reward }: Rewarded): string | null {
  if (!isRewardTaken(reward)) return null;
  return 'Payment tx promises a watcher reward by a swap contract that is not known to keep it apart from the payment';
}

export type Judging = { readonly named: NamedPayment; readonly stored: StoredPayment };

/** What the contract takes for a payment: what the receiver is owed, and the reward if that is part of the amount. */
export function totalOf({ amount, token }: Pick<NamedPayment, 'amount' | 'token'>, reward: Reward): bigint {
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

export type RewardAsked = {
  readonly role: RewardRole;
  readonly token: string;
  readonly day: DayPrices;
  /** In wei; null for the current cost of the gas. */
  readonly asked: bigint | null;
};

/** The reward of a payment made now: what is asked for, but at least half and at most twice what the gas costs. */
export function rewardToPay(rule: PriceRule, { role, token, day, asked }: RewardAsked): Reward {
  const usual = usualReward(rule, day);
  const wanted = asked ?? usual;
  const least = (usual + 1n) / 2n;
  const amount = wanted < least ? least : wanted > 2n * usual ? 2n * usual : wanted;
  return { ...promisesOf(role, { isToken: token !== NO_TOKEN })[0], amount };
}

/** The most that the gas costs now, in wei. */
export function usualReward(rule: PriceRule, day: DayPrices): bigint {
  return REWARD_GAS * usualPrice(rule, day).most;
}

/**
 * Why a reward is not accepted (as in the real node); null if it is. If the role of the payment is known, the reward must be promised as that
 * role does; else no reward that is sent on a claim may have a target. In ether its amount is limited by what the gas may cost at all, so that a verdict
 * does not change with the day's prices; in tokens it is limited only by what the receiver is owed.
 */
export function rewardProblem(
  { named: { token }, reward }: Rewarded,
  { floor, ceiling, role }: Pick<PriceRule, 'floor' | 'ceiling'> & { readonly role?: RewardRole | undefined },
): string | null {
  const { target, onClaim, amount } = reward;
  if (onClaim && target !== REWARD_TARGET.none)
    return `Payment tx sends_contract_reward_on_spend arg true is invalid with reward target ${target}`;
  const problem = role === undefined ? null : promiseProblem(reward, { role, isToken: token !== NO_TOKEN });
  if (problem !== null) return problem;
  if (!isRewardTaken(reward)) return null;
  // Nobody can say what the gas is worth in tokens.
  const isInTokens = token !== NO_TOKEN && rewardInAmount(reward, token) > 0n;
  if (isInTokens) return null;
  const [least, most] = [REWARD_GAS * floor, REWARD_GAS * ceiling];
  if (amount >= least && amount <= most) return null;
  return `Payment tx watcher reward ${amount} is invalid, expected ${least} to ${most}`;
}

/** What bytes say about a payment with a reward in this coin; null for any others. */
export function promisedIn(coin: EvmCoin, tx_hex: string): PromisedPayment | null {
  const made = madeOf(tx_hex);
  if (made === null || made.to === null || ![coin.contract, coin.fallbackContract].includes(made.to)) return null;
  const call = rewardCallOf(made, made.to);
  const token = coin.token?.address ?? NO_TOKEN;
  if (call?.kind !== 'payment' || call.token !== token || !isRewardTaken(call.reward)) return null;
  const { receiver, secretHash, lockTime, reward } = call;
  const amount = call.amount - rewardInAmount(reward, token);
  // The contract accepts no payment whose reward leaves nothing of it, or whose ether differs.
  if (secretHash === null || lockTime === null || lockTime > LATEST_LOCK || amount <= 0n) return null;
  if (token !== NO_TOKEN && made.value !== rewardBeside(reward, token)) return null;
  const terms = {
    ...{ lock: unixSecondsOf(Number(lockTime)), secretHash, sender: made.from, receiver },
    ...{ amount: fromBaseUnits(amount, coin.decimals), contract: made.to },
  };
  return { terms, tx_hash: made.id };
}

const LATEST_LOCK = 0xffff_ffffn;

export function rewardHash(
  { receiver, sender, secretHash, token, amount }: Omit<NamedPayment, 'paymentHash'>,
  reward: Reward,
): string {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const parts = [receiver, sender, secretHash, token, word(amount)];
  const promised = [reward.target.toString(16).padStart(2, '0'), reward.onClaim ? '01' : '00', word(reward.amount)];
  return bytesToHex(ripemd160(concatBytes([...parts, ...promised].map(hexToBytes))));
}
