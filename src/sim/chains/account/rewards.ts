import { isRewardTaken, type Reward } from '../../../htlc/evm-reward-calls.ts';
import { promisesOf, type RewardRole } from '../../../htlc/reward-role.ts';
import type { PromisedPayment } from '../../../ports/chain.ts';
import { unixSecondsOf } from '../../../primitives/time.ts';
import { rewardIn } from './contract.ts';
import type { AccountState } from './state.ts';
import { feeOf } from './transaction.ts';

/** Gas for which anyone who ends a payment for someone else is paid. */
const REWARD_GAS = 70_000;

/** What that costs at this price of one unit of gas, in base units. */
export function usualReward(price: number): bigint {
  return feeOf(price, REWARD_GAS);
}

type Asked = {
  readonly price: number /** In base units; null for exactly what it costs. */;
  readonly asked: bigint | null;
};

/** The reward of a payment made now: what is asked for, but at least half and at most twice what the gas costs. */
export function rewardToPay(role: RewardRole, { price, asked }: Asked): Reward {
  const usual = usualReward(price);
  const least = (usual + 1n) / 2n;
  const wanted = asked ?? usual;
  const amount = wanted < least ? least : wanted > 2n * usual ? 2n * usual : wanted;
  return { ...promisesOf(role, { isToken: false })[0], amount };
}

/** What bytes of a payment promise; null for any others. */
export function promisedIn({ codec, settings }: AccountState, hex: string): PromisedPayment | null {
  const tx = codec.decode(hex);
  const reward = tx?.call.reward;
  if (tx === null || tx.call.kind !== 'payment' || reward === undefined || !isRewardTaken(reward)) return null;
  const { from, call, value, id } = tx;
  const owed = value - rewardIn(call);
  if (owed <= 0n) return null;
  const terms = {
    ...{ lock: unixSecondsOf(call.lockTime), secretHash: call.hash, sender: from, receiver: call.party },
    ...{ amount: settings.amounts.format(owed), contract: codec.contract },
  };
  return { terms, tx_hash: id };
}
