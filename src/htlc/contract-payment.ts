import type { DecimalText } from '../primitives/decimal.ts';
import { toBaseUnits } from '../primitives/decimal.ts';
import { bytesToHex, hexToBytes, isHex } from '../primitives/hex.ts';
import { paymentValueWrong } from './error-texts.ts';
import { contractSwapId, type SwapCall } from './evm-calls.ts';
import { scriptHash160 } from './secret-hash.ts';
import { type ContractPayment, contractPaymentHash, type StoredPayment } from './token-calls.ts';

/** The terms of a payment as the swap contract takes them. Hex without 0x; the amount in base units, the secret hash of 20 bytes. */
export type NamedPayment = ContractPayment & {
  readonly contract: string;
  readonly id: string;
  readonly lock: number;
  /** What the contract stores of it: a payment has these terms if and only if it has this hash and this lock. */
  readonly paymentHash: string;
};

/** The terms of a payment that a contract needs. */
export type ContractTerms = {
  /** Seconds since 1970. */
  readonly lock: number;
  /** 20 or 32 bytes in hex, as negotiated. */
  readonly secretHash: string;
  /** Public keys of 33 bytes in hex, or accounts of 20. */
  readonly sender: string;
  readonly receiver: string;
  /** In coin units. */
  readonly amount: DecimalText;
  /** In hex of either case; null if the terms name none. */
  readonly contract: string | null;
};

/** A coin whose payments a swap contract holds. */
export type ContractCoin = {
  readonly decimals: number;
  /** The contract, and an accepted alternative; 40 lower-case hex digits. */
  readonly contract: string;
  readonly fallbackContract?: string | null | undefined;
  /** Address of the token; all zeros for the chain's own coin. */
  readonly token: string;
  /** The account of a public key of 33 bytes, 40 hex digits; null if the bytes are not a key. */
  readonly accountOf: (key: Uint8Array) => string | null;
};

/** What the swap contract stores as the state of a payment. */
export const PAYMENT_STATE = { none: 0, paid: 1, claimed: 2, refunded: 3 } as const;

const LATEST_LOCK = 0xffff_ffff;
const ACCOUNT_DIGITS = 40;
const KEY_DIGITS = 66;

/** Null if no call of a contract of this coin can express the terms. */
export function namePayment(terms: ContractTerms, coin: ContractCoin): NamedPayment | null {
  const contract = terms.contract?.toLowerCase() ?? null;
  if (contract === null || (contract !== coin.contract && contract !== coin.fallbackContract)) return null;
  const [sender, receiver] = [contractAccount(terms.sender, coin), contractAccount(terms.receiver, coin)];
  if (sender === null || receiver === null || !isHex(terms.secretHash)) return null;
  const negotiated = hexToBytes(terms.secretHash);
  const hash = scriptHash160(negotiated);
  if (hash === undefined || terms.lock > LATEST_LOCK) return null;
  const amount = toBaseUnits(terms.amount, coin.decimals);
  if (!isContractAmount(amount)) return null;
  const id = contractSwapId(terms.lock, negotiated);
  const payment = { sender, receiver, secretHash: bytesToHex(hash), token: coin.token, amount };
  return { contract, id, lock: terms.lock, ...payment, paymentHash: contractPaymentHash(payment) };
}

/** Whether only their contract, which this coin does not use, keeps these terms from being expressed. */
export function isOfAnotherContract(terms: ContractTerms, coin: ContractCoin): boolean {
  return namePayment(terms, coin) === null && namePayment({ ...terms, contract: coin.contract }, coin) !== null;
}

/** Whether contracts can count this amount, in base units. */
export function isContractAmount(amount: bigint): boolean {
  return amount >= 0n && amount >> 256n === 0n;
}

/** The account of a public key in hex, or an account itself; null for anything else. */
export function contractAccount(key: string, { accountOf }: Pick<ContractCoin, 'accountOf'>): string | null {
  if (!isHex(key)) return null;
  if (key.length === ACCOUNT_DIGITS) return key.toLowerCase();
  return key.length === KEY_DIGITS ? accountOf(hexToBytes(key)) : null;
}

export function lockProblem({ lock }: Pick<StoredPayment, 'lock'>, named: Pick<NamedPayment, 'lock'>): string | null {
  return lock === BigInt(named.lock) ? null : `Payment time_lock ${lock} is invalid, expected ${named.lock}`;
}

/** Why what the contract stores is not the plain payment of the terms, in words like KDF's; null if it is. */
export function storedProblem(stored: Omit<StoredPayment, 'state'>, named: NamedPayment): string | null {
  const wrongLock = lockProblem(stored, named);
  if (wrongLock !== null) return wrongLock;
  if (stored.paymentHash === named.paymentHash) return null;
  return `Payment hash ${stored.paymentHash} of the swap contract is invalid, expected ${named.paymentHash}`;
}

/** Why the arguments of a payment differ from the terms, in words like KDF's; null if they do not. Ignores the caller. */
export function argumentProblem(named: NamedPayment, call: Omit<SwapCall, 'kind'>): string | null {
  const wrong = (name: string, found: string, expected: string) =>
    found === expected ? null : `Payment tx ${name} arg ${found} is invalid, expected ${expected}`;
  return (
    wrong('swap_id', call.swapId, named.id) ??
    wrong('token', call.token, named.token) ??
    wrong('receiver', call.party, named.receiver) ??
    wrong('secret_hash', call.secretHash ?? '', named.secretHash) ??
    wrong('time_lock', String(call.lockTime), String(named.lock)) ??
    (call.amount === named.amount ? null : paymentValueWrong(call.amount, named.amount))
  );
}

/** Why a payment of a contract that is not used here cannot be judged: “there is no payment” would count as a fact, and its refund as settled. */
export function otherContractText(contract: string | null, coin: string): string {
  const named = contract === null ? 'no swap contract' : `the swap contract 0x${contract.replace(/^0x/i, '')}`;
  const remedy = 'activate it again with this one as swap_contract_address or fallback_swap_contract';
  return `The payment is one of ${named}, and ${coin} is active with another: ${remedy}`;
}

/** For a payment that a claim would not pay out; in base units. */
export function paymentStays(amount: bigint): string {
  return `Payment of ${amount} base units cannot be claimed: the token does not let the swap contract move them`;
}

/** For a payment that a claim could pay out with more gas alone than any claim has; in base units. */
export function paymentTooDear(amount: bigint): string {
  return `Payment of ${amount} base units cannot be claimed: to move them the token takes more gas than a claim may use`;
}

/** For a payment of which a claim would pay out another amount; in base units. */
export function paymentBringsLess(amount: bigint, moved: bigint): string {
  return `Payment of ${amount} base units brings ${moved}: the token moves another amount than it is asked to`;
}
