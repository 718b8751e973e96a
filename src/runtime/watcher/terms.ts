import { watchedLock } from '../../../machines/watcher/deadlines.ts';
import { type Watch, watch as watchShape } from '../../events/watcher.ts';
import { type HtlcInput, parseHtlcInput } from '../../htlc/htlc-input.ts';
import { scriptHash160 } from '../../htlc/secret-hash.ts';
import {
  type DecodedTransaction,
  decodeTransaction,
  displayHash,
  isTransactionProblem,
} from '../../htlc/transaction.ts';
import { transactionId } from '../../htlc/transaction-encoding.ts';
import type { PaymentTerms, SignedTransaction } from '../../ports/chain.ts';
import type { WatcherMessage } from '../../ports/peers.ts';
import { type DecimalText, fromBaseUnits, toBaseUnits } from '../../primitives/decimal.ts';
import { hash256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../primitives/hex.ts';

/** What is known about a payment besides the taker's message. */
export type PaymentOf = {
  /** In coin units; null while unknown. */
  readonly amount: DecimalText | null;
  readonly contract: string | null;
};

/** What identifies the payment that the taker made; null while its amount is unknown. */
export function takerPaymentTerms(watch: Watch, { amount, contract }: PaymentOf): PaymentTerms | null {
  if (amount === null) return null;
  const { lock, secretHash, sender, receiver } = takerLock(watch);
  return { lock, secretHash, sender, receiver, amount, contract };
}

/** What the message alone says about the taker's payment. */
export function takerLock(watch: Watch): Omit<PaymentTerms, 'amount' | 'contract'> {
  return {
    lock: watchedLock(watch),
    secretHash: watch.secret_hash,
    sender: watch.taker_pub,
    receiver: watch.maker_pub,
  };
}

/**
 * What identifies the payment that the maker made. Its lock and keys are not in the message but in the redeem script of the claim that the taker
 * signed; null where that claim is no UTXO transaction, or locks to another secret, and while the amount is not known.
 */
export function makerPaymentTerms(watch: Watch, { amount, contract }: PaymentOf): PaymentTerms | null {
  if (amount === null) return null;
  const input = htlcInputOf(decoded(watch.maker_payment_spend_preimage));
  if (input?.kind !== 'spendPreimage' || !isSameSecret(watch, input)) return null;
  const { lockTime, senderKey, receiverKey } = input.terms;
  return {
    lock: lockTime,
    secretHash: watch.secret_hash,
    sender: bytesToHex(senderKey),
    receiver: bytesToHex(receiverKey),
    amount,
    contract,
  };
}

/**
 * Why the refund that the taker signed does not spend the payment of its message; null when it does, or when its bytes are no UTXO transaction, so
 * that only the chain can judge them.
 */
export function refundPreimageProblem(watch: Watch): string | null {
  const tx = decoded(watch.taker_payment_refund_preimage);
  if (tx === null) return null;
  const input = htlcInputOf(tx);
  if (input?.kind !== 'refund') return 'the refund that the taker signed spends no payment';
  const terms = takerLock(watch);
  const { lockTime, senderKey, receiverKey } = input.terms;
  const same =
    lockTime === terms.lock &&
    bytesToHex(senderKey) === terms.sender &&
    bytesToHex(receiverKey) === terms.receiver &&
    isSameSecret(watch, input);
  return same ? null : 'the refund that the taker signed spends another payment';
}

/** Why what the taker signed in advance cannot belong to its swap; null if it can, or if only an adapter can read it. */
export function signedProblem(watch: Watch): string | null {
  return refundPreimageProblem(watch) ?? claimPreimageProblem(watch);
}

function claimPreimageProblem(watch: Watch): string | null {
  const tx = decoded(watch.maker_payment_spend_preimage);
  if (tx === null) return null;
  const input = htlcInputOf(tx);
  if (input?.kind !== 'spendPreimage' || !isSameSecret(watch, input)) {
    return 'the claim that the taker signed spends no payment under the secret of the swap';
  }
  const { lock } = takerLock(watch);
  return input.terms.lockTime > lock ? null : 'the maker payment can be taken back no later than that of the taker';
}

/**
 * A taker's message with what the real node leaves out: the taker's key is in the script of the refund that it signed. Null if only the adapter can
 * read that, or if a member is invalid.
 */
export function watchOf(message: WatcherMessage): Watch | null {
  const taker_pub = message.taker_pub ?? refundKey(message.taker_payment_refund_preimage);
  if (taker_pub === null) return null;
  const read = watchShape.safeParse({ ...message, taker_pub });
  return read.success ? read.data : null;
}

function refundKey(refund: string): string | null {
  const input = htlcInputOf(decoded(refund));
  return input?.kind === 'refund' ? bytesToHex(input.terms.senderKey) : null;
}

/** What a payment pays, in coin units, by its bytes: the first output of a UTXO transaction. Null for other bytes. */
export function paidAmount(
  { tx_hex, tx_hash }: { readonly tx_hex: string; readonly tx_hash: string },
  { idOf, decimals }: { readonly idOf: (hex: string) => string; readonly decimals: number },
): DecimalText | null {
  const [first] = decoded(tx_hex)?.outputs ?? [];
  return first === undefined || idOf(tx_hex) !== tx_hash ? null : fromBaseUnits(first.value, decimals);
}

/** The id of a UTXO transaction from its bytes in hex; of other bytes, their double hash. */
export function utxoTransactionId(hex: string): string {
  const bytes = hexToBytes(hex);
  const tx = decodeTransaction(bytes);
  return isTransactionProblem(tx) ? displayHash(hash256(bytes)) : transactionId(bytes, tx);
}

/** The refund that the taker signed, which is complete, in the form in which the log keeps a transaction. */
export function refundTransaction(watch: Watch, { idOf, decimals, amount }: Refunding): SignedTransaction {
  const tx_hex = watch.taker_payment_refund_preimage;
  const tx_hash = idOf(tx_hex);
  const tx = decoded(tx_hex);
  if (tx === null || amount === null) return { tx_hex, tx_hash };
  const spends = tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`);
  return { tx_hex, tx_hash, spends, fee: feeOf(tx, { amount, decimals }) };
}

type Refunding = {
  readonly idOf: (hex: string) => string;
  readonly decimals: number;
  /** Of the payment, in coin units; null if unknown. */
  readonly amount: DecimalText | null;
};

function feeOf(
  { outputs }: DecodedTransaction,
  { amount, decimals }: { readonly amount: DecimalText; readonly decimals: number },
): DecimalText {
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
  return fromBaseUnits(toBaseUnits(amount, decimals) - paid, decimals);
}

function decoded(hex: string): DecodedTransaction | null {
  if (!isHex(hex)) return null;
  const tx = decodeTransaction(hexToBytes(hex));
  return isTransactionProblem(tx) ? null : tx;
}

function htlcInputOf(tx: DecodedTransaction | null): HtlcInput | undefined {
  const [first] = tx?.inputs ?? [];
  return first === undefined ? undefined : parseHtlcInput(first);
}

/** A script holds 20 bytes of the secret hash, whatever the length that was negotiated. */
function isSameSecret({ secret_hash }: Watch, { terms }: HtlcInput): boolean {
  const hash = scriptHash160(hexToBytes(secret_hash));
  return hash !== undefined && sameBytes(hash, terms.secretHash);
}
