import { concatBytes } from '../../htlc/byte-writer.ts';
import { paymentValueWrong } from '../../htlc/error-texts.ts';
import { contractSwapId, decodeSwapCall, NO_TOKEN, RECEIVER_SPEND, type SwapCall } from '../../htlc/evm-calls.ts';
import { decodeRewardCall, type Reward, type RewardCall, rewardInAmount } from '../../htlc/evm-reward-calls.ts';
import { scriptHash160 } from '../../htlc/secret-hash.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { ripemd160 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../../primitives/hex.ts';
import type { EvmCoin } from './coin.ts';
import type { Stored } from './contract-calls.ts';
import { accountOf, type Made } from './transaction.ts';

/** The terms of a payment in the words of the swap contract. Hex without 0x; the amount in base units. */
export type Named = {
  readonly contract: string;
  readonly id: string;
  readonly sender: string;
  readonly receiver: string;
  /** 20 bytes. */
  readonly secretHash: string;
  /** All zeros for the chain's own coin. */
  readonly token: string;
  readonly amount: bigint;
  readonly lock: number;
  /** What the contract stores of it: a payment is as these terms say if and only if it has this hash and this lock. */
  readonly paymentHash: string;
};

const LATEST_LOCK = 0xffff_ffff;

/** Null for terms that no call of a contract of this coin can express. */
export function namedOf(terms: PaymentTerms, coin: EvmCoin): Named | null {
  const contract = terms.contract?.toLowerCase() ?? null;
  if (contract === null || (contract !== coin.contract && contract !== coin.fallbackContract)) return null;
  const [sender, receiver] = [accountOfKey(terms.sender), accountOfKey(terms.receiver)];
  if (sender === null || receiver === null || !isHex(terms.secretHash)) return null;
  const negotiated = hexToBytes(terms.secretHash);
  const hash = scriptHash160(negotiated);
  if (hash === undefined || terms.lock > LATEST_LOCK) return null;
  const amount = toBaseUnits(terms.amount, coin.decimals);
  if (!isWord(amount)) return null;
  const named = {
    contract,
    id: contractSwapId(terms.lock, negotiated),
    sender,
    receiver,
    secretHash: bytesToHex(hash),
    token: coin.token?.address ?? NO_TOKEN,
    amount,
    lock: terms.lock,
  };
  return { ...named, paymentHash: paymentHash(named) };
}

/** Whether it is only their contract, which this coin does not look at, that keeps these terms from being named. */
export function isElsewhere(terms: PaymentTerms, coin: EvmCoin): boolean {
  return namedOf(terms, coin) === null && namedOf({ ...terms, contract: coin.contract }, coin) !== null;
}

/** Whether an amount is one that contracts can count, in base units. */
export function isWord(amount: bigint): boolean {
  return amount >= 0n && amount >> 256n === 0n;
}

/** The account of a public key of 33 bytes in hex, or an account itself, of 20; null for what is neither. */
export function accountOfKey(key: string): string | null {
  if (key.length === NO_TOKEN.length && isHex(key)) return key.toLowerCase();
  if (key.length !== 66 || !isHex(key)) return null;
  try {
    return accountOf(hexToBytes(key));
  } catch {
    return null;
  }
}

function paymentHash({ receiver, sender, secretHash, token, amount }: Omit<Named, 'paymentHash'>): string {
  const parts = [receiver, sender, secretHash, token, amount.toString(16).padStart(64, '0')];
  return bytesToHex(ripemd160(concatBytes(parts.map(hexToBytes))));
}

export function lockProblem({ lock }: Pick<Stored, 'lock'>, named: Pick<Named, 'lock'>): string | null {
  return lock === BigInt(named.lock) ? null : `Payment time_lock ${lock} is invalid, expected ${named.lock}`;
}

/** Why what the contract stores is not the plain payment of the terms; null where it is. */
export function storedProblem({ paymentHash, lock }: Stored, named: Named): string | null {
  const wrongLock = lockProblem({ lock }, named);
  if (wrongLock !== null) return wrongLock;
  if (paymentHash === named.paymentHash) return null;
  return `Payment hash ${paymentHash} of the swap contract is invalid, expected ${named.paymentHash}`;
}

/** A call of the swap contract that a transaction makes directly. */
export type MadeCall = SwapCall & {
  /** That a claim shows; null of anything else. */
  readonly secret: string | null;
  /** What the payment promises that it makes or ends; null of a plain one. Its part of the amount is not in `amount`. */
  readonly reward: Reward | null;
  /** Account for which a payment with a reward is ended; null where that is whoever calls. */
  readonly owner: string | null;
};

/** Null for anything else than a call of one of the functions of this contract. */
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

/** Why a transaction does not pay what the terms ask for, in words like KDF's; null when it does. */
export function callProblem(named: Named, made: Made): string | null {
  const { id } = made;
  if (made.to !== named.contract)
    return `Payment tx ${id} was sent to wrong address ${made.to}, expected ${named.contract}`;
  const call = callOf(made, named.contract);
  if (call === null || call.kind !== 'payment') return `Payment tx ${id} is no payment of the swap contract`;
  const wrong = (name: string, found: string, expected: string) =>
    found === expected ? null : `Payment tx ${name} arg ${found} is invalid, expected ${expected}`;
  if (made.from !== named.sender)
    return `Payment tx was sent from wrong address ${made.from}, expected ${named.sender}`;
  return (
    wrong('swap_id', call.swapId, named.id) ??
    wrong('token', call.token, named.token) ??
    wrong('receiver', call.party, named.receiver) ??
    wrong('secret_hash', call.secretHash ?? '', named.secretHash) ??
    wrong('time_lock', String(call.lockTime), String(named.lock)) ??
    (call.amount === named.amount ? null : paymentValueWrong(call.amount, named.amount))
  );
}
