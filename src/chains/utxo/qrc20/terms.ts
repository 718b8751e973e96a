import { paymentValueWrong } from '../../../htlc/error-texts.ts';
import { contractSwapId } from '../../../htlc/evm-calls.ts';
import { qtumAccount } from '../../../htlc/qtum-address.ts';
import { scriptHash160 } from '../../../htlc/secret-hash.ts';
import { contractPaymentHash, type StoredPayment } from '../../../htlc/token-calls.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import { toBaseUnits } from '../../../primitives/decimal.ts';
import { bytesToHex, hexToBytes, isHex } from '../../../primitives/hex.ts';
import type { MadeCall } from './calls.ts';
import type { Qrc20Token } from './token.ts';

/** The terms of a payment in the words of the swap contract. Hex without 0x; the amount in base units. */
export type Named = {
  readonly contract: string;
  readonly id: string;
  readonly sender: string;
  readonly receiver: string;
  /** 20 bytes. */
  readonly secretHash: string;
  readonly token: string;
  readonly amount: bigint;
  readonly lock: number;
  /** What the contract stores of it: a payment is as these terms say if and only if it has this hash and this lock. */
  readonly paymentHash: string;
};

/** What the swap contract stores of a payment. */
export const STATE = { none: 0, paid: 1, claimed: 2, refunded: 3 } as const;

const LATEST_LOCK = 0xffff_ffff;

/** Null for terms that no call of a contract of this token can express. */
export function namedOf(terms: PaymentTerms, coin: Qrc20Token): Named | null {
  const contract = terms.contract?.toLowerCase() ?? null;
  if (contract === null || (contract !== coin.contract && contract !== coin.fallbackContract)) return null;
  const [sender, receiver] = [accountOfKey(terms.sender), accountOfKey(terms.receiver)];
  if (sender === null || receiver === null || !isHex(terms.secretHash)) return null;
  const negotiated = hexToBytes(terms.secretHash);
  const hash = scriptHash160(negotiated);
  if (hash === undefined || terms.lock > LATEST_LOCK) return null;
  const amount = toBaseUnits(terms.amount, coin.decimals);
  if (!isWord(amount)) return null;
  const id = contractSwapId(terms.lock, negotiated);
  const payment = { sender, receiver, secretHash: bytesToHex(hash), token: coin.token, amount };
  return { contract, id, lock: terms.lock, ...payment, paymentHash: contractPaymentHash(payment) };
}

/** Whether it is only their contract, which this token does not look at, that keeps these terms from being named. */
export function isElsewhere(terms: PaymentTerms, coin: Qrc20Token): boolean {
  return namedOf(terms, coin) === null && namedOf({ ...terms, contract: coin.contract }, coin) !== null;
}

/** Whether an amount is one that contracts can count, in base units. */
export function isWord(amount: bigint): boolean {
  return amount >= 0n && amount >> 256n === 0n;
}

/** The account of a public key of 33 bytes in hex, or an account itself, of 20; null for what is neither. */
export function accountOfKey(key: string): string | null {
  if (key.length === 40 && isHex(key)) return key.toLowerCase();
  return /^0[23][0-9a-f]{64}$/i.test(key) ? qtumAccount(hexToBytes(key)) : null;
}

/** Why what the contract stores is not the payment of the terms, in words like the real node's; null where it is. */
export function storedProblem({ paymentHash, lock }: StoredPayment, named: Named): string | null {
  if (lock !== BigInt(named.lock)) return `Payment time_lock ${lock} is invalid, expected ${named.lock}`;
  if (paymentHash === named.paymentHash) return null;
  return `Payment hash ${paymentHash} of the swap contract is invalid, expected ${named.paymentHash}`;
}

/** Why a call does not pay what the terms ask for, in words like the real node's; null where it does. */
export function callProblem(
  named: Named,
  { txid, from, call }: Pick<MadeCall, 'txid' | 'from' | 'call'>,
): string | null {
  if (call.kind !== 'payment') return `Payment tx ${txid} is no payment of the swap contract`;
  const wrong = (name: string, found: string, expected: string) =>
    found === expected ? null : `Payment tx ${name} arg ${found} is invalid, expected ${expected}`;
  if (from !== named.sender) {
    return `Payment tx ${txid} was sent from wrong address 0x${from ?? ''}, expected 0x${named.sender}`;
  }
  return (
    wrong('swap_id', call.swapId, named.id) ??
    wrong('token', call.token, named.token) ??
    wrong('receiver', call.party, named.receiver) ??
    wrong('secret_hash', call.secretHash ?? '', named.secretHash) ??
    wrong('time_lock', String(call.lockTime), String(named.lock)) ??
    (call.amount === named.amount ? null : paymentValueWrong(call.amount, named.amount))
  );
}
