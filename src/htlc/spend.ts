import type { UnixSeconds } from '../primitives/time.ts';
import { concatBytes } from './byte-writer.ts';
import { HtlcSpendError } from './error.ts';
import { htlcInputScripts } from './htlc-input.ts';
import { type HtlcTerms, htlcRedeemScript, type ScriptScheme } from './script.ts';
import { SECRET_BYTES, secretHashMatches } from './secret-hash.ts';
import {
  SIGHASH_ALL,
  SIGHASH_FORKID,
  type SignedPart,
  signatureHasher,
  witnessSignatureHash,
} from './signature-hash.ts';
import {
  type DecodedTransaction,
  FINAL_SEQUENCE,
  LOCKED_SEQUENCE,
  REPLACEABLE_SEQUENCE,
  SAPLING_GROUP_ID,
} from './transaction.ts';
import { encodeTransaction, type OutPoint, transactionId } from './transaction-encoding.ts';

/** What a chain's transactions have in common. A witness is no form: it belongs to the inputs. */
export type TransactionForm = Omit<DecodedTransaction, 'inputs' | 'outputs' | 'lockTime' | 'shielded'>;

/** Bitcoin and its kin, as KDF writes for them where a coin configures nothing else. */
export const BITCOIN_FORM: TransactionForm = { format: 'legacy', version: 1 };

/** Komodo and its smart chains: Zcash's version 4, with nothing shielded and without expiry. */
export const SMART_CHAIN_FORM: TransactionForm = {
  format: 'sapling',
  version: 4,
  versionGroupId: SAPLING_GROUP_ID,
  expiryHeight: 0,
  valueBalance: 0n,
};

/** Bytes that KDF pays for when it spends a payment, whatever the final size. */
export const KDF_SPEND_SIZE = 496;

/** A claim of the receiver or a refund of the sender, before it is signed. */
export type SpendRequest = {
  readonly kind: 'claim' | 'refund';
  readonly form: TransactionForm;
  /** @defaultValue 'p2sh' */
  readonly scheme?: ScriptScheme;
  readonly terms: HtlcTerms;
  /** The output to spend, with its value in base units. */
  readonly funding: OutPoint & { readonly value: bigint };
  /** Output script of the own address, which receives everything except the fee. */
  readonly to: Uint8Array;
  /** For the miners, in base units; less than the value. */
  readonly fee: bigint;
  /**
   * nLockTime; for a refund at least the lock of the terms. A chain whose median time past is not above it accepts no refund, and no replaceable
   * claim. @defaultValue the lock of the terms, as KDF writes; 0 for a replaceable claim
   */
  readonly lockTime?: UnixSeconds;
  /**
   * Whether the sequence signals that a transaction with a higher fee can replace it (BIP 125). KDF signals in neither.
   * @defaultValue false
   */
  readonly replaceable?: boolean;
  /** {@link SIGHASH_ALL}, with {@link SIGHASH_FORKID} where the chain demands it. @defaultValue SIGHASH_ALL */
  readonly hashType?: number;
  /** Consensus branch of the overwintered forms. @defaultValue that of the version */
  readonly branchId?: number;
};

/** A claim or a refund without its signature. */
export type UnsignedSpend = {
  readonly kind: SpendRequest['kind'];
  readonly scheme: ScriptScheme;
  readonly terms: HtlcTerms;
  readonly redeemScript: Uint8Array;
  /** Its one input has an empty script. */
  readonly transaction: DecodedTransaction;
  /** 32 bytes, to be signed with the receiver's key (claim) or the sender's (refund). */
  readonly signatureHash: Uint8Array;
  /** The hash type byte that follows the signature. */
  readonly hashType: number;
};

/**
 * Builds a claim or a refund: one input, one output, and the hash to sign.
 *
 * @throws HtlcTermsError if no script can express the terms.
 * @throws HtlcSpendError if the fee leaves nothing, a refund's lock time is before its lock, or the form cannot hold it.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, LOCKED_SEQUENCE, p2pkhScript, unixSecondsOf, unsignedSpend,
 * } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(20).fill(9)];
 * const terms = { lockTime, secretHash, ...keys };
 * const funding = { txid: 'ab'.repeat(32), vout: 0, value: 240_000_000n };
 * const request = { form: BITCOIN_FORM, terms, funding, to: p2pkhScript(new Uint8Array(20)) };
 * const { transaction } = unsignedSpend({ kind: 'refund', ...request, fee: 1000n });
 * [transaction.lockTime, transaction.inputs[0]?.sequence]; // → [1_734_579_600, LOCKED_SEQUENCE]
 * transaction.outputs[0]?.value; // → 239_999_000n
 * unsignedSpend({ kind: 'refund', ...request, fee: 240_000_000n }); // throws HtlcSpendError
 * ```
 */
export function unsignedSpend(request: SpendRequest): UnsignedSpend {
  const { kind, form, scheme = 'p2sh', terms, funding, to, fee, hashType = SIGHASH_ALL } = request;
  const redeemScript = htlcRedeemScript(terms);
  const replaceable = request.replaceable === true;
  const lockTime = request.lockTime ?? (replaceable && kind === 'claim' ? 0 : terms.lockTime);
  const problem = spendProblem(request, { lockTime, scheme });
  if (problem !== undefined) throw new HtlcSpendError(problem);
  const sequence = replaceable ? REPLACEABLE_SEQUENCE : kind === 'refund' ? LOCKED_SEQUENCE : FINAL_SEQUENCE;
  const { txid, vout, value } = funding;
  const transaction: DecodedTransaction = {
    ...form,
    inputs: [{ txid, vout, scriptSig: new Uint8Array(0), sequence }],
    outputs: [{ value: value - fee, script: to }],
    lockTime,
  };
  const part: SignedPart = {
    input: 0,
    scriptCode: redeemScript,
    amount: value,
    hashType,
    ...(request.branchId === undefined ? {} : { branchId: request.branchId }),
  };
  const byWitness = scheme === 'p2wsh' || (hashType & SIGHASH_FORKID) !== 0;
  const hash = byWitness ? witnessSignatureHash(transaction, part) : signatureHasher(transaction)(part);
  if (hash === undefined) throw new HtlcSpendError('the hash type leaves nothing to sign');
  return { kind, scheme, terms, redeemScript, transaction, signatureHash: hash, hashType };
}

type Settled = { readonly lockTime: number; readonly scheme: ScriptScheme };

function spendProblem(
  { kind, form, terms, funding, fee, to }: SpendRequest,
  { lockTime, scheme }: Settled,
): string | undefined {
  if (fee < 0n || fee >= funding.value) return `a fee of ${fee} base units leaves nothing of ${funding.value}`;
  if (to.length === 0) return 'the output script is empty';
  if (kind === 'refund' && lockTime < terms.lockTime) {
    return `a refund with lock time ${lockTime} is before the lock time of the payment, ${terms.lockTime}`;
  }
  if (scheme === 'p2wsh' && form.format !== 'legacy') return `a transaction of the form ${form.format} has no witness`;
  if (form.format === 'segwit') return 'a transaction gets its witness when it is signed: give the form legacy';
  return undefined;
}

/** What a signer adds to an {@link UnsignedSpend}. */
export type SpendSignature = {
  /** In DER with a low S, without a hash type behind it. */
  readonly signature: Uint8Array;
  /** 32 bytes; only for a claim. Without it the claim is a preimage for watchers, who insert the secret. */
  readonly secret?: Uint8Array;
};

/** A transaction in all its forms. */
export type BuiltSpend = {
  readonly bytes: Uint8Array;
  readonly transaction: DecodedTransaction;
  /** As explorers show it. With P2WSH it does not depend on signature and secret. */
  readonly txid: string;
};

/**
 * The claim, the claim's preimage for watchers, or the refund, ready to broadcast.
 *
 * @throws HtlcSpendError if the secret does not match the terms, or a refund is given one.
 *
 * @example
 * ```ts
 * import {
 *   BITCOIN_FORM, p2pkhScript, secretHashOf, signedSpend, takenBy, unixSecondsOf, unsignedSpend,
 * } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secret] = [unixSecondsOf(1_734_579_600), new Uint8Array(32).fill(0x5e)];
 * const terms = { lockTime, secretHash: secretHashOf(secret), ...keys };
 * const funding = { txid: 'ab'.repeat(32), vout: 0, value: 240_000_000n };
 * const request = { form: BITCOIN_FORM, terms, funding, to: p2pkhScript(new Uint8Array(20)) };
 * const unsigned = unsignedSpend({ kind: 'claim', ...request, fee: 1000n });
 * const signature = new Uint8Array(71); // By the receiver's key, of unsigned.signatureHash.
 * takenBy(signedSpend(unsigned, { signature, secret }).transaction, funding)?.how; // → 'secret'
 * signedSpend(unsigned, { signature, secret: new Uint8Array(32) }); // throws HtlcSpendError
 * ```
 */
export function signedSpend(unsigned: UnsignedSpend, { signature, secret }: SpendSignature): BuiltSpend {
  const { kind, scheme, redeemScript, terms } = unsigned;
  if (secret !== undefined) {
    if (kind === 'refund') throw new HtlcSpendError('a refund reveals no secret');
    if (!secretHashMatches(secret, terms.secretHash)) throw new HtlcSpendError('the secret does not match the terms');
  }
  const typed = concatBytes([signature, Uint8Array.of(unsigned.hashType)]);
  const branch =
    kind === 'refund'
      ? ({ kind } as const)
      : secret === undefined
        ? ({ kind: 'spendPreimage' } as const)
        : ({ kind: 'spend', secret } as const);
  const scripts = htlcInputScripts({ scheme, signature: typed, redeemScript, ...branch });
  const { transaction: draft } = unsigned;
  const transaction: DecodedTransaction = {
    ...draft,
    format: scheme === 'p2wsh' ? 'segwit' : draft.format,
    inputs: draft.inputs.map((input) => ({ ...input, ...scripts })),
  };
  const bytes = encodeTransaction(transaction);
  return { bytes, transaction, txid: transactionId(bytes, transaction) };
}

/** Longest signature in DER with a low S. */
const LONGEST_SIGNATURE = 72;

/**
 * Virtual bytes (BIP 141) of a claim or refund with the longest possible signature, for which a fee by size must pay.
 *
 * @throws as {@link unsignedSpend}
 *
 * @example
 * ```ts
 * import { BITCOIN_FORM, p2pkhScript, spendSize, unixSecondsOf } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(20).fill(9)];
 * const terms = { lockTime, secretHash, ...keys };
 * const funding = { txid: 'ab'.repeat(32), vout: 0, value: 240_000_000n };
 * const request = { form: BITCOIN_FORM, terms, funding, to: p2pkhScript(new Uint8Array(20)) };
 * spendSize({ kind: 'claim', ...request }); // → 302
 * spendSize({ kind: 'refund', ...request, scheme: 'p2wsh' }); // → 132
 * ```
 */
export function spendSize(request: Omit<SpendRequest, 'fee'>): number {
  const unsigned = unsignedSpend({ ...request, fee: 0n });
  const signature = new Uint8Array(LONGEST_SIGNATURE);
  const scripts = { scheme: unsigned.scheme, signature: concatBytes([signature, Uint8Array.of(unsigned.hashType)]) };
  const branch =
    request.kind === 'refund'
      ? ({ kind: 'refund' } as const)
      : ({ kind: 'spend', secret: new Uint8Array(SECRET_BYTES) } as const);
  const [input] = unsigned.transaction.inputs;
  const unlocked = htlcInputScripts({ ...scripts, redeemScript: unsigned.redeemScript, ...branch });
  const segwit = unsigned.scheme === 'p2wsh';
  const whole: DecodedTransaction = {
    ...unsigned.transaction,
    format: segwit ? 'segwit' : unsigned.transaction.format,
    inputs: input === undefined ? [] : [{ ...input, ...unlocked }],
  };
  return virtualSize(whole);
}

/**
 * Bytes of a transaction of which each one of a witness counts as a quarter, rounded up (BIP 141).
 *
 * @example
 * ```ts
 * import { FINAL_SEQUENCE, keyInputScripts, p2wpkhScript, virtualSize } from 'swapfold/htlc';
 *
 * const [signature, key] = [new Uint8Array(72), new Uint8Array(33)];
 * const scripts = keyInputScripts({ scheme: 'p2wpkh', signature, key });
 * const inputs = [{ txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE, ...scripts }];
 * const outputs = [{ value: 1000n, script: p2wpkhScript(new Uint8Array(20)) }];
 * virtualSize({ format: 'segwit', version: 2, inputs, outputs, lockTime: 0 }); // → 110
 * ```
 */
export function virtualSize(transaction: DecodedTransaction): number {
  const total = encodeTransaction(transaction).length;
  if (transaction.format !== 'segwit') return total;
  const stripped = encodeTransaction({ ...transaction, format: 'legacy' }).length;
  return Math.ceil((3 * stripped + total) / 4);
}
