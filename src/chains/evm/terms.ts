import {
  argumentProblem,
  type ContractCoin,
  contractAccount,
  isOfAnotherContract,
  type NamedPayment,
  namePayment,
} from '../../htlc/contract-payment.ts';
import { decodeSwapCall, NO_TOKEN, RECEIVER_SPEND, type SwapCall } from '../../htlc/evm-calls.ts';
import { decodeRewardCall, type Reward, type RewardCall, rewardInAmount } from '../../htlc/evm-reward-calls.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import type { EvmCoin } from './coin.ts';
import { accountOf, type Made } from './transaction.ts';

/** Null for terms that no call of a contract of this coin can express. */
export function namedOf(terms: PaymentTerms, coin: EvmCoin): NamedPayment | null {
  return namePayment(terms, contractCoinOf(coin));
}

/** Whether these terms cannot be named only because of their contract, which this coin does not use. */
export function isElsewhere(terms: PaymentTerms, coin: EvmCoin): boolean {
  return isOfAnotherContract(terms, contractCoinOf(coin));
}

function contractCoinOf({ decimals, contract, fallbackContract, token }: EvmCoin): ContractCoin {
  return { decimals, contract, fallbackContract, token: token?.address ?? NO_TOKEN, accountOf: accountOfBytes };
}

/** The account of a public key of 33 bytes in hex, or an account itself, of 20; null for anything else. */
export function accountOfKey(key: string): string | null {
  return contractAccount(key, { accountOf: accountOfBytes });
}

function accountOfBytes(key: Uint8Array): string | null {
  try {
    return accountOf(key);
  } catch {
    return null;
  }
}

/** Its content if it is in the form of a call of a swap contract; undefined for anything else. */
export function swapCallOf({ to, value, data }: Pick<Made, 'to' | 'value' | 'data'>) {
  const made = to === null ? null : { to, value, data: hexToBytes(data) };
  return made === null ? undefined : (decodeSwapCall(made) ?? decodeRewardCall(made));
}

/** A call of the swap contract that a transaction makes directly. */
export type MadeCall = SwapCall & {
  /** The secret of a claim; null for anything else. */
  readonly secret: string | null;
  /** The promise of the payment that it makes or ends; null for a plain one. Its part of the amount is not in `amount`. */
  readonly reward: Reward | null;
  /** Account for which a payment with a reward is ended; null for the caller. */
  readonly owner: string | null;
};

/** Null for anything except a call of this contract's functions. */
export function callOf({ to, value, data }: Pick<Made, 'to' | 'value' | 'data'>, contract: string): MadeCall | null {
  if (to !== contract) return null;
  const made = { to, value, data: hexToBytes(data) };
  const rewarded = decodeRewardCall(made);
  if (rewarded !== undefined) return callWithReward(rewarded);
  const call = decodeSwapCall(made);
  if (call === undefined) return null;
  // Selector, id and amount come before it.
  const secret = data.startsWith(RECEIVER_SPEND) ? data.slice(8 + 2 * 64, 8 + 3 * 64) : null;
  return { ...call, secret, reward: null, owner: null };
}

function callWithReward({ sender, receiver, secretHash, lockTime, ...call }: RewardCall): MadeCall {
  const isClaim = call.kind === 'claim';
  return {
    ...call,
    amount: call.amount - rewardInAmount(call.reward, call.token),
    party: isClaim ? (sender ?? '') : receiver,
    owner: isClaim ? receiver : sender,
    ...(secretHash === null ? {} : { secretHash }),
    ...(lockTime === null ? {} : { lockTime }),
  };
}

/** Why a transaction does not pay what the terms demand, in words like KDF's; null if it does. */
export function callProblem(named: NamedPayment, made: Made): string | null {
  const { id } = made;
  if (made.to !== named.contract)
    return `Payment tx ${id} was sent to wrong address ${made.to}, expected ${named.contract}`;
  const call = callOf(made, named.contract);
  if (call === null || call.kind !== 'payment') return `Payment tx ${id} is no payment of the swap contract`;
  if (made.from !== named.sender)
    return `Payment tx was sent from wrong address ${made.from}, expected ${named.sender}`;
  return argumentProblem(named, call);
}
