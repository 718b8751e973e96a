import { bytesToHex, hexToBytes } from '../primitives/hex.ts';
import { NO_TOKEN } from './evm-calls.ts';
import { type EvmTransaction, evmCall } from './evm-transaction.ts';
import { bytesNumber } from './rlp.ts';

/** Selectors of the functions of KDF's swap contract that promise a reward for claiming or refunding on behalf of an absent party. */
export const ETH_PAYMENT_REWARD = '0971fd54';
export const ERC20_PAYMENT_REWARD = '6a322786';
export const RECEIVER_SPEND_REWARD = 'b5985c4d';
export const SENDER_REFUND_REWARD = 'cd1dde34';

/** The recipient of a reward. */
export const REWARD_TARGET = { none: 0, contract: 1, sender: 2, spender: 3 } as const;

/** The reward that a payment promises for ending it on behalf of a party. */
export type Reward = {
  /** One of {@link REWARD_TARGET}. */
  readonly target: number;
  /** Whether the contract sends it to the claimer, if the target is none or the contract. */
  readonly onClaim: boolean;
  /** In base units of the coin that pays it. */
  readonly amount: bigint;
};

/** A call of one of those functions. Hex without 0x, lower case; amounts in base units. */
export type RewardCall = {
  readonly kind: 'payment' | 'claim' | 'refund';
  readonly swapId: string;
  /** As the contract counts it: including the reward if that is part of it. */
  readonly amount: bigint;
  /** All zeros for the chain's own coin. */
  readonly token: string;
  /** Null for a payment: its signer. */
  readonly sender: string | null;
  readonly receiver: string;
  /** 20 bytes; null for a claim. */
  readonly secretHash: string | null;
  /** 32 bytes; null except for a claim. */
  readonly secret: string | null;
  /** Null except for a payment. */
  readonly lockTime: bigint | null;
  readonly reward: Reward;
};

/** Whether a reward moves at all; otherwise it is only a number. */
export function isRewardTaken({ target, onClaim }: Reward): boolean {
  return target !== REWARD_TARGET.none || onClaim;
}

/** The part of a payment's amount that is the reward: all of it for the chain's own coin, and for a token if the claimer gets it. */
export function rewardInAmount(reward: Reward, token: string): bigint {
  const isIn = token === NO_TOKEN || reward.target === REWARD_TARGET.spender;
  return isRewardTaken(reward) && isIn ? reward.amount : 0n;
}

/** The ether sent with a token payment for its reward. */
export function rewardBeside(reward: Reward, token: string): bigint {
  return isRewardTaken(reward) && rewardInAmount(reward, token) === 0n ? reward.amount : 0n;
}

/** Whether the reward goes to whoever claims or refunds on behalf of a party; otherwise it goes elsewhere, or nowhere. */
export function paysOn(end: 'claim' | 'refund', { target, onClaim, amount }: Reward): boolean {
  if (amount === 0n) return false;
  if (end === 'claim') return onClaim || target === REWARD_TARGET.spender;
  return target !== REWARD_TARGET.none;
}

/** Reads a call of one of the four; undefined for any other. */
export function decodeRewardCall(transaction: EvmTransaction): RewardCall | undefined {
  const call = evmCall(transaction);
  if (call === undefined) return undefined;
  const words = call.words.map(bytesToHex);
  const [swapId = '', ...rest] = words;
  const reward = rewardOf(words.slice(-3));
  if (reward === undefined) return undefined;
  const none = { sender: null, secretHash: null, secret: null, lockTime: null } as const;
  if (call.selector === ETH_PAYMENT_REWARD && words.length === 7) {
    const [receiver = '', hash = '', lock = ''] = rest;
    const paid = { amount: transaction.value, token: NO_TOKEN, receiver: address(receiver) };
    return { ...none, kind: 'payment', swapId, ...paid, secretHash: hash.slice(0, 40), lockTime: number(lock), reward };
  }
  if (call.selector === ERC20_PAYMENT_REWARD && words.length === 9) {
    const [amount = '', token = '', receiver = '', hash = '', lock = ''] = rest;
    const paid = { amount: number(amount), token: address(token), receiver: address(receiver) };
    return { ...none, kind: 'payment', swapId, ...paid, secretHash: hash.slice(0, 40), lockTime: number(lock), reward };
  }
  if (words.length !== 9) return undefined;
  const [amount = '', shown = '', token = '', sender = '', receiver = ''] = rest;
  const parties = { sender: address(sender), receiver: address(receiver) };
  const ended = { ...none, swapId, amount: number(amount), token: address(token), ...parties, reward };
  if (call.selector === RECEIVER_SPEND_REWARD) return { ...ended, kind: 'claim', secret: shown };
  return call.selector === SENDER_REFUND_REWARD
    ? { ...ended, kind: 'refund', secretHash: shown.slice(0, 40) }
    : undefined;
}

/** The call data in hex, selector first. */
export function encodeRewardCall(call: RewardCall): string {
  const { kind, swapId, token, receiver, reward } = call;
  const amount = word(call.amount.toString(16));
  const promised =
    word(reward.target.toString(16)) + word(reward.onClaim ? '1' : '0') + word(reward.amount.toString(16));
  const hash = (call.secretHash ?? '').padEnd(WORD_DIGITS, '0');
  if (kind === 'payment') {
    const terms = word(receiver) + hash + word((call.lockTime ?? 0n).toString(16)) + promised;
    return token === NO_TOKEN
      ? ETH_PAYMENT_REWARD + swapId + terms
      : ERC20_PAYMENT_REWARD + swapId + amount + word(token) + terms;
  }
  const parties = word(token) + word(call.sender ?? '') + word(receiver) + promised;
  return kind === 'claim'
    ? RECEIVER_SPEND_REWARD + swapId + amount + word(call.secret ?? '') + parties
    : SENDER_REFUND_REWARD + swapId + amount + hash + parties;
}

const WORD_DIGITS = 64;

function word(hex: string): string {
  return hex.padStart(WORD_DIGITS, '0');
}

function address(text: string): string {
  return text.slice(24);
}

function number(text: string): bigint {
  return text === '' ? 0n : bytesNumber(hexToBytes(text));
}

const MOST_TARGET = 3n;

function rewardOf([target = '', onClaim = '', amount = '']: readonly string[]): Reward | undefined {
  const [kind, flag] = [number(target), number(onClaim)];
  if (kind > MOST_TARGET || flag > 1n) return undefined;
  return { target: Number(kind), onClaim: flag === 1n, amount: number(amount) };
}
