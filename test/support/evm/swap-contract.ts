import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, encodeFunctionData, type Hex, hexToBytes, numberToHex, toHex } from 'viem';
import { swapContractAbi as abi } from '../../../src/chains/evm/contract/artefact.ts';
import type { Call } from './chain.ts';

/** In the place of a token: ether. */
export const ETHER: Address = `0x${'00'.repeat(20)}`;

/** Whom a reward goes to, by the number that the contract takes. */
export const TARGET = { none: 0, contract: 1, sender: 2, spender: 3 } as const;

export type Reward = {
  readonly target: number;
  /** Whether whoever claims gets it, when it is not meant for a party. */
  readonly onClaim: boolean;
  readonly amount: bigint;
};

/** All that a payment is made of. Amounts in base units, the lock time in seconds since 1970. */
export type Payment = {
  readonly id: Hex;
  readonly sender: Address;
  readonly receiver: Address;
  readonly secret: Hex;
  readonly token: Address;
  readonly amount: bigint;
  readonly lockTime: number;
  readonly reward?: Reward | undefined;
};

/** RIPEMD-160 of SHA-256. */
export function secretHash(secret: Hex): Hex {
  return toHex(ripemd160(sha256(hexToBytes(secret))));
}

/** What the contract must store for a payment, put together byte by byte. */
export function paymentHash({ receiver, sender, secret, token, amount, reward }: Payment): Hex {
  const parts = [receiver, sender, secretHash(secret), token, word(amount)];
  if (reward !== undefined) {
    parts.push(numberToHex(reward.target, { size: 1 }), reward.onClaim ? '0x01' : '0x00', word(reward.amount));
  }
  const bytes = Buffer.from(parts.map((part) => part.slice(2)).join(''), 'hex');
  return toHex(ripemd160(bytes));
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

/** Ether that comes along with a payment: the amount, or a reward beside tokens. */
export function etherOf({ token, amount, reward }: Payment): bigint {
  if (token === ETHER) return amount;
  if (reward === undefined || reward.target === TARGET.spender) return 0n;
  return reward.target === TARGET.none && !reward.onClaim ? 0n : reward.amount;
}

/** The sender's call that pays. */
export function pay(to: Address, payment: Payment, value: bigint = etherOf(payment)): Call {
  return { from: payment.sender, to, value, data: payData(payment) };
}

function payData({ id, amount, token, receiver, secret, lockTime, reward }: Payment): Hex {
  const hash = secretHash(secret);
  const until = BigInt(lockTime);
  const tail = reward === undefined ? undefined : rewardArguments(reward);
  if (token === ETHER) {
    const args = [id, receiver, hash, until] as const;
    if (tail === undefined) return encodeFunctionData({ abi, functionName: 'ethPayment', args });
    return encodeFunctionData({ abi, functionName: 'ethPaymentReward', args: [...args, ...tail] });
  }
  const args = [id, amount, token, receiver, hash, until] as const;
  if (tail === undefined) return encodeFunctionData({ abi, functionName: 'erc20Payment', args });
  return encodeFunctionData({ abi, functionName: 'erc20PaymentReward', args: [...args, ...tail] });
}

function rewardArguments({ target, onClaim, amount }: Reward) {
  return [target, onClaim, amount] as const;
}

/** A claim of a payment: by its receiver, or, with a reward, by anybody. */
export function claim(to: Address, payment: Payment, from: Address = payment.receiver): Call {
  const { id, amount, secret, token, sender, receiver, reward } = payment;
  const args = [id, amount, secret, token, sender] as const;
  if (reward === undefined) return { from, to, data: encodeFunctionData({ abi, functionName: 'receiverSpend', args }) };
  const all = [...args, receiver, ...rewardArguments(reward)] as const;
  return { from, to, data: encodeFunctionData({ abi, functionName: 'receiverSpendReward', args: all }) };
}

/** A refund of a payment: by its sender, or, with a reward, by anybody. */
export function refund(to: Address, payment: Payment, from: Address = payment.sender): Call {
  const { id, amount, secret, token, sender, receiver, reward } = payment;
  const args = [id, amount, secretHash(secret), token] as const;
  if (reward === undefined) {
    return { from, to, data: encodeFunctionData({ abi, functionName: 'senderRefund', args: [...args, receiver] }) };
  }
  const all = [...args, sender, receiver, ...rewardArguments(reward)] as const;
  return { from, to, data: encodeFunctionData({ abi, functionName: 'senderRefundReward', args: all }) };
}
